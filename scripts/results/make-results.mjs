// Makes bench/RESULTS.md and docs/pictures: runs every part in a process of its own and writes what they measured.
//   npm run results -- [--sessions FOLDER] [--only a,b] [--quick] [--out FOLDER]
// --sessions: recorded sessions; ../shared/data/sessions where it exists, none otherwise.
// With --only or --quick everything is written below .bench/results, so that no partial page takes the place of the
// whole one; --out FOLDER writes it elsewhere. So is what had run by then when it is interrupted.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { duration } from "./markdown.mjs";
import { measuredCommit } from "./measured-commit.mjs";
import { page } from "./page.mjs";
import { listParts } from "./parts.mjs";
import { drawPictures } from "./pictures.mjs";
import { repository } from "./repository.mjs";
import { runPart } from "./run-part.mjs";
import { withOneName } from "./with-one-name.mjs";

const { values } = parseArgs({
  options: {
    sessions: { type: "string" },
    only: { type: "string" },
    quick: { type: "boolean", default: false },
    out: { type: "string" },
  },
});
const usual = resolve(repository, "../shared/data/sessions");
const sessions = values.sessions ? resolve(values.sessions) : existsSync(usual) ? usual : null;
const wanted = values.only?.split(",").map((id) => id.trim());
const parts =
  sessions !== null && !existsSync(sessions) ? null : listParts({ sessions, isQuick: values.quick });
const unknown = parts && wanted?.find((id) => !parts.some((part) => part.id === id));

if (parts === null || unknown) {
  console.error(
    unknown
      ? `--only: there is no “${unknown}”; there are ${parts.map(({ id }) => id).join(", ")}`
      : `--sessions: ${values.sessions} does not exist`,
  );
  process.exitCode = 2;
} else await make();

async function make() {
  const started = performance.now();
  const measured = measuredCommit();
  const stopping = new AbortController();
  process.once("SIGINT", () => stopping.abort());
  const outcomes = [];
  for (const part of parts) {
    const isWanted = wanted?.includes(part.id) ?? true;
    const outcome = isWanted
      ? await runPart(part, stopping.signal)
      : { ok: false, reason: "left out by --only" };
    outcomes.push(part.kind === "replay" && outcome.ok ? named(outcome) : outcome);
    if (isWanted) console.log(`${part.id.padEnd(16)} ${said(outcome)}`);
  }
  const isWhole = wanted === undefined && !values.quick && !stopping.signal.aborted;
  const out = resolve(values.out ?? (isWhole ? repository : join(repository, ".bench/results")));
  const drawn = drawPictures(parts, outcomes);
  for (const { path, svg } of drawn) write(join(out, path), svg);
  const tookMs = performance.now() - started;
  const options = [...(wanted ? ["--only", wanted.join(",")] : []), ...(values.quick ? ["--quick"] : [])];
  const text = page({ parts, outcomes, measured, options, isQuick: values.quick, tookMs, pictures: drawn });
  write(join(out, "bench/RESULTS.md"), text);
  console.log(`${join(out, "bench/RESULTS.md")} after ${duration(tookMs)}`);
  if (outcomes.every(({ ok }) => !ok)) process.exitCode = 1;
}

function named(outcome) {
  return { ...outcome, value: withOneName(outcome.value) };
}

function said(outcome) {
  return outcome.ok ? `took ${duration(outcome.took.wallMs)}` : `not run: ${outcome.reason}`;
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
