// Prints summaries as they stand behind ten boundaries of recorded sessions, for reading: ours, and those of a packed
// release beside them. Each session is compacted twice by hand, without a model, the first time half of the way before.
// npm run bench -- summaries FOLDER [--count 10] [--seed 1] [--against palimpsest-0.1.0.tgz] [--max-tokens N] [--notes]
// FOLDER holds recorded Claude Code sessions, plain or gzip; PALIMPSEST_RECORDED_SESSIONS when absent. --max-tokens is the
// most that a compaction may leave; --notes lets session notes stand for the past where there are some.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { estimateContent } from "../packages/core/build/view/tokens/index.js";
import * as ours from "../packages/palimpsest/build/index.js";
import { readRecorded } from "./boundary-needs.mjs";
import { machineLine } from "./machine-line.mjs";

const { values, positionals } = parseArgs({
  args: process.argv.slice(3),
  allowPositionals: true,
  options: {
    count: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    against: { type: "string" },
    "max-tokens": { type: "string" },
    notes: { type: "boolean", default: false },
  },
});

const folder = positionals[0] ?? process.env.PALIMPSEST_RECORDED_SESSIONS ?? "";
if (folder === "") {
  console.error(
    "Usage: npm run bench -- summaries FOLDER [--count 10] [--seed 1] [--against palimpsest-0.1.0.tgz]",
  );
  process.exit(2);
}

const home = mkdtempSync(join(tmpdir(), "palimpsest-bench-"));
try {
  const writers = [
    ...(values.against === undefined ? [] : [{ name: values.against, ...(await installed(values.against)) }]),
    { name: "here", openSession: ours.openSession },
  ];
  const random = seededRandom(Number(values.seed));
  const sessions = (await readRecorded(folder)).map(({ session }) => session);
  console.log(`summaries on ${machineLine()}; seed ${values.seed}`);
  for (const [number, { session, end }] of pickBoundaries(sessions, random).entries()) {
    for (const { name, openSession } of writers) {
      const { text, said } = await summaryAt(
        openSession,
        session,
        end,
        `${number}-${writers.length}-${name.length}`,
      );
      const tokens = estimateContent(text);
      console.log(`\n${"=".repeat(100)}`);
      console.log(
        `${number + 1}. ${session.name}, behind ${said} messages of the user's · ${name} · ${tokens} tokens`,
      );
      console.log(`${"=".repeat(100)}\n${text}`);
    }
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** What a packed release exports, installed into a folder of its own. */
async function installed(tarball) {
  const place = join(home, "against");
  execFileSync("mkdir", ["-p", place]);
  writeFileSync(join(place, "package.json"), JSON.stringify({ private: true, type: "module" }));
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--silent", resolve(tarball)], { cwd: place });
  const entry = join(place, "entry.mjs");
  writeFileSync(entry, 'export { openSession } from "palimpsest";\n');
  return import(pathToFileURL(entry).href);
}

/** Of as many sessions, one each: how many requests come before the boundary, at least half of all. */
function pickBoundaries(sessions, random) {
  const left = sessions.filter(({ requests }) => requests.length >= 8);
  const picked = [];
  while (picked.length < Number(values.count) && left.length > 0) {
    const [session] = left.splice(Math.floor(random() * left.length), 1);
    const { length } = session.requests;
    picked.push({ session, end: Math.ceil(length / 2 + random() * (length / 2)) });
  }
  return picked;
}

async function summaryAt(openSession, recorded, end, id) {
  const maxTokens = values["max-tokens"] === undefined ? {} : { maxTokens: Number(values["max-tokens"]) };
  const notes = values.notes ? {} : { sessionNotesEnabled: false, notesCompactionEnabled: false };
  const session = await openSession({
    home,
    cwd: home,
    id,
    model: recorded.requests[0].model,
    durability: "relaxed",
    settings: { ...notes, compaction: maxTokens },
  });
  let said = 0;
  for (const [at, { before, response }] of recorded.requests.slice(0, end).entries()) {
    for (const step of before) {
      if (step.kind === "boundary" || step.content.length === 0) continue;
      said += isSaid(step) ? 1 : 0;
      await session.add({ role: step.role, content: step.content, ...step.flags, at: step.atMs });
    }
    const { responseId, content, stopReason } = response;
    const more = { id: responseId, ...(stopReason !== undefined && { stopReason }) };
    if (content.length > 0) await session.add({ role: "assistant", content, ...more });
    if (at === Math.floor(end / 2)) await session.compact();
  }
  await session.compact();
  const { request } = await session.prepare();
  await session.close();
  const [first] = request.messages;
  return { text: textOf(first), said };
}

function isSaid({ role, content, flags = {} }) {
  return role === "user" && !flags.isMeta && content.some(({ type }) => type === "text");
}

/** The summary, and not what is brought back behind it. */
function textOf({ content }) {
  if (typeof content === "string") return content;
  return content.find(({ type }) => type === "text")?.text ?? "";
}

function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
