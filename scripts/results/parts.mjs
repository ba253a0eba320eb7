// What `npm run results` measures, in the order of the page. Each part is one command in a process of its own.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./repository.mjs";

const main = join(repository, "packages/palimpsest/dist/cli.js");
const sample = join(repository, "packages/palimpsest/assets/sample-session.jsonl.gz");
const quickPolicies = "identity,faithful,thrifty,recency,api-default,token-threshold,oracle";

/** A part is { id, title, kind, shown, args } or, where it cannot be run, { id, title, kind, absent }. */
export function listParts({ sessions, isQuick }) {
  const replayOptions = isQuick ? ["--policies", quickPolicies, "--prices", "0.1,0.025"] : [];
  return [
    replay(
      "replay-sample",
      "The bundled session",
      [sample],
      ["packages/palimpsest/assets/sample-session.jsonl.gz"],
      replayOptions,
    ),
    sessions === null
      ? { id: "replay-sessions", title: "Recorded sessions", kind: "replay", absent: noSessions }
      : replay("replay-sessions", "Recorded sessions", ...chosen(sessions, isQuick), replayOptions),
    {
      id: "context",
      title: "Context over the requests of the bundled session",
      kind: "context",
      shown: "node bench/context-sizes.mjs",
      args: [join(repository, "bench/context-sizes.mjs")],
    },
    ...benches(sessions, isQuick),
  ];
}

const noSessions = "no folder with recorded sessions; give one with --sessions FOLDER";

function replay(id, title, files, shownFiles, options) {
  return {
    id,
    title,
    kind: "replay",
    shown: ["palimpsest replay", ...shownFiles, ...options, "--json"].join(" "),
    args: [main, "replay", ...files, ...options, "--json"],
  };
}

/** All sessions of the folder; where it must be quick, the three smallest. */
function chosen(folder, isQuick) {
  if (!isQuick) return [[folder], ["SESSIONS"]];
  const files = readdirSync(folder)
    .filter((name) => /\.jsonl?(\.gz)?$/.test(name))
    .map((name) => ({ path: join(folder, name), bytes: statSync(join(folder, name)).size }))
    .sort((one, other) => one.bytes - other.bytes || (one.path < other.path ? -1 : 1))
    .slice(0, 3)
    .map(({ path }) => path);
  return [files, ["(the three smallest of SESSIONS)"]];
}

function benches(sessions, isQuick) {
  const bench = (id, title, full, quick = full, folder = undefined) => {
    const options = isQuick ? quick : full;
    const words = (place) => [id, ...(place ? [place] : []), ...options, "--json"];
    return {
      id,
      title,
      kind: "bench",
      shown: `npm run bench -- ${words(folder && "SESSIONS").join(" ")}`,
      args: [join(repository, "bench/run.mjs"), ...words(folder)],
    };
  };
  return [
    bench("turn", "Overhead of a turn", [], ["--tokens", "40000", "--turns", "40"]),
    sessions === null
      ? {
          id: "tokens",
          title: "Token estimates",
          kind: "bench",
          absent: `${noSessions} (the usage of the bundled one is a formula's)`,
        }
      : bench("tokens", "Token estimates", [], [], sessions),
    bench("open-log", "Resume speed", ["--rounds", "3"], ["--mb", "20", "--rounds", "1", "--large-mb", "0"]),
    bench("forks", "Forks", [], ["--tokens", "40000", "--forks", "8"]),
    bench("keystroke", "From a key to the screen", [], ["--messages", "500", "--keys", "24"]),
    bench("search", "Search", ["--entries", "30000"], ["--entries", "2000", "--queries", "50"]),
    bench(
      "compaction",
      "Compaction",
      [],
      ["--tokens", "40000", "--runs", "3"],
      isQuick ? undefined : (sessions ?? undefined),
    ),
    bench(
      "scribe",
      "The scribe",
      [],
      ["--tokens", "40000", "--runs", "5"],
      isQuick ? undefined : (sessions ?? undefined),
    ),
  ];
}
