// What the calls behind the boundaries of recorded sessions need of what came before them.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { importTranscript } from "../packages/core/build/log/import/index.js";
import { extractAtoms } from "../packages/palimpsest/build/replay/grounding/extract-atoms.js";
import { recordedBlocks } from "../packages/palimpsest/build/replay/grounding/recorded-blocks.js";
import { normalize, withoutDuplicates } from "../packages/palimpsest/build/replay/index.js";
import { signedText } from "./signed-text.mjs";

const nextCalls = 40;
const fileTools = new Set(["Read", "Edit", "Write", "MultiEdit", "NotebookEdit"]);

/** The sessions of a folder, each once, with their entries. */
export async function readRecorded(folder) {
  const entriesOf = new Map();
  const read = [];
  for (const file of readdirSync(folder).sort()) {
    if (!/\.jsonl(\.gz)?$/.test(file)) continue;
    const bytes = readFileSync(join(folder, file));
    const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
    const entries = [];
    const imported = await importTranscript(chunks(signedText(text)), { file }, (entry) =>
      entries.push(entry),
    );
    if (!imported.ok) continue;
    const session = normalize(entries, file);
    entriesOf.set(session, entries);
    read.push(session);
  }
  const { sessions } = withoutDuplicates(read);
  return sessions.map((session) => ({ session, entries: entriesOf.get(session) }));
}

async function* chunks(text) {
  yield Buffer.from(text);
}

/**
 * Of each boundary by its number, from 1 on: the file names that the next calls use and that were seen before, and the
 * `edit_old` and `num` atoms that they need and that were not seen since, with the blocks they stood in.
 */
export function boundaryNeeds(session) {
  const summaries = new Set(
    session.requests.flatMap((one) =>
      one.before.filter(({ kind }) => kind === "boundary").map(({ id }) => id),
    ),
  );
  const said = recordedBlocks(session).filter(({ key }) => !summaries.has(key.replace(/:\d+$/, "")));
  return (segment) => {
    const uses = session.requests
      .filter((request) => request.segment === segment)
      .flatMap(({ index, response }) =>
        response.content.flatMap((block) => (block.type === "tool_use" ? [{ index, use: block }] : [])),
      )
      .slice(0, nextCalls);
    if (uses.length === 0) return undefined;
    const before = said.filter((block) => block.segment < segment);
    const seen = before.map(({ text }) => text).join("\n");
    const names = [...namesIn(uses, session.cwd)].filter((name) => seen.includes(name));
    const atoms = atomsOf(uses).flatMap(({ atom, index }) => {
      const after = said.filter((block) => block.segment === segment && block.request <= index);
      if (after.some(({ text }) => text.includes(atom.text))) return [];
      const sources = before.filter(({ text }) => text.includes(atom.text));
      return sources.length === 0 || session.cwd?.includes(atom.text) ? [] : [{ ...atom, sources }];
    });
    return { names, atoms };
  };
}

/** Whether a text has the name of a file, without its folders. */
export function hasName(text, path) {
  return text.includes(path.slice(path.lastIndexOf("/") + 1));
}

/** Files that calls name: what file tools open, and paths in what other tools are given. */
function namesIn(uses, cwd = "") {
  const names = new Set();
  const add = (path) => names.add(path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path);
  for (const { use } of uses) {
    if (fileTools.has(use.name)) {
      if (typeof use.input?.file_path === "string") add(use.input.file_path);
    } else {
      for (const text of [use.input?.command, use.input?.path].filter((one) => typeof one === "string"))
        for (const [path] of text.matchAll(/[\w.@~+-]*(?:\/[\w.@+-]+)+\.[A-Za-z]\w{0,7}\b/g)) add(path);
    }
  }
  return names;
}

function atomsOf(uses) {
  return uses.flatMap(({ use, index }) =>
    extractAtoms(use)
      .filter(({ type }) => type === "edit_old" || type === "num")
      .map((atom) => ({ atom, index })),
  );
}
