// Makes packages/palimpsest/assets/sample-session.jsonl.gz and docs/sample-session.md: plays a written session against a copy of
// this repository as it was in 0.1.0, with every tool call really run.
//   git worktree add ../palimpsest-0.1.0 v0.1.0 && (cd ../palimpsest-0.1.0 && npm install)
//   npm run sample -- --repository ../palimpsest-0.1.0 [--out FOLDER] [--keep]
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { countLog } from "./engine/count-log.mjs";
import { describeSample } from "./engine/describe-sample.mjs";
import { findLeaks } from "./engine/find-leaks.mjs";
import { createPace } from "./engine/pace.mjs";
import { createPromptCache } from "./engine/prompt-cache.mjs";
import { createRecorder } from "./engine/recorder.mjs";
import { compress, storeLog } from "./engine/store-log.mjs";
import { createWorkspace, shownRoot } from "./engine/workspace.mjs";
import { playScenario } from "./scenario/index.mjs";
import { createFileTools } from "./tools/file-tools.mjs";
import { createSearchTools } from "./tools/search-tools.mjs";
import { createShellTool } from "./tools/shell-tool.mjs";
import { createTodoTool } from "./tools/todo-tool.mjs";

const own = fileURLToPath(new URL("../..", import.meta.url));
const { values } = parseArgs({
  options: {
    /** A checkout of v0.1.0 with what it needs installed: its files are what the session is about. */
    repository: { type: "string", default: "." },
    /** Where packages/ and docs/ are written; this repository when absent. */
    out: { type: "string" },
    /** Leave the working copy for a look. */
    keep: { type: "boolean", default: false },
    /** Stop after this chapter, and write nothing. */
    until: { type: "string" },
  },
});
const repository = resolve(values.repository);
if (!existsSync(join(repository, "src/log/codec.ts"))) {
  throw new Error(`${repository} is no checkout of v0.1.0: name one with --repository.`);
}
const out = resolve(values.out ?? own);

const model = "claude-opus-4-5";
const title = "Facts about session logs: counts, idle gaps, an index and a timeline";
const startedAtMs = Date.parse("2026-03-02T13:08:12.000Z");

function createClock() {
  let nowMs = startedAtMs;
  return {
    nowMs: () => nowMs,
    advance(ms) {
      nowMs += ms;
    },
  };
}

const clock = createClock();
const workspace = createWorkspace(repository, startedAtMs);
try {
  const recorder = createRecorder({
    model,
    clock,
    pace: createPace(20_260_302),
    cache: createPromptCache(),
    workspace,
    tools: {
      ...createFileTools(workspace),
      ...createSearchTools(workspace),
      ...createShellTool(workspace, clock),
      ...createTodoTool(),
    },
  });
  playScenario(recorder, workspace, values.until, (chapter) => console.log(`  ${chapter}`));
  if (values.until === undefined) await writeSample(recorder.drafts);
  else console.log(`${recorder.drafts.length} messages; nothing written.`);
} finally {
  if (values.keep) console.log(`The working copy is ${workspace.root}`);
  else workspace.remove();
}

async function writeSample(messages) {
  const [first] = messages;
  const drafts = [{ kind: "note", at: first.at, note: { topic: "title", title } }, ...messages];
  const header = { project: "palimpsest-sample", cwd: shownRoot, model };
  const bytes = await storeLog(own, header, drafts);
  const leaks = findLeaks(bytes.toString("utf8"), workspace.forbidden);
  if (leaks.length > 0) throw new Error(`The log names this machine: ${leaks.join("\n")}`);
  const compressed = compress(bytes);
  const counts = countLog(bytes, compressed.length);
  mkdirSync(join(out, "packages/palimpsest/assets"), { recursive: true });
  mkdirSync(join(out, "docs"), { recursive: true });
  writeFileSync(join(out, "packages/palimpsest/assets/sample-session.jsonl.gz"), compressed);
  writeFileSync(join(out, "docs/sample-session.md"), describeSample(counts));
  console.log(counts);
}
