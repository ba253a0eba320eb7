import { openMemory } from "../../packages/core/build/session/memory/open-memory.js";
import { createProjection } from "../../packages/core/build/view/projection/projection.js";
import { project } from "./open-store.mjs";
import { must } from "./outcome.mjs";
import { matterText } from "./texts.mjs";

/** Every log: nothing damaged, numbers that grow, and a view of it; every blob of it whole; no mail left behind. */
async function lookAtSession({ logs, blobs, mailbox }, session) {
  const projection = createProjection();
  const problems = [];
  let lastSeq = 0;
  const report = must(
    await logs.scan(session, (entry) => {
      if (entry.seq <= lastSeq) problems.push(`${session}: entry ${entry.seq} stands behind ${lastSeq}`);
      lastSeq = entry.seq;
      projection.add(entry);
    }),
  );
  if (report.corruptLines + report.fencedLines > 0)
    problems.push(`${session}: ${report.corruptLines} corrupt and ${report.fencedLines} fenced lines`);
  for (const sha256 of must(await blobs.list(session))) must(await blobs.get(session, sha256));
  const waiting = must(await mailbox.take(session, 10));
  if (waiting.length > 0) problems.push(`${session}: ${waiting.length} mails wait for nobody`);
  must(await mailbox.release(session));
  return { problems, entries: report.entries };
}

/** Every file of a tree: versions without a gap, each of which can be read. */
async function lookAtTree(tree, name) {
  const problems = [];
  let versions = 0;
  for (const { path } of must(await tree.list({ removed: true }))) {
    const history = must(await tree.history(path));
    for (const [at, { version, removed }] of history.entries()) {
      if (version !== at + 1) problems.push(`${name}/${path}: version ${version} in place of ${at + 1}`);
      if (!removed) must(await tree.read(path, version));
    }
    versions += history.length;
  }
  return { problems, versions };
}

/** A writer that was killed may have left the index behind; the next write brings it in step. */
async function lookAtIndex(store) {
  const memory = await openMemory({ store, project, maskSecrets: false, search: false });
  await memory.write("look.md", matterText("look", "Somebody has looked at everything."));
  const isBehind = await memory.reindex();
  await memory.close();
  return { problems: isBehind ? ["the index of memory is behind after a write"] : [], versions: 0 };
}

/** Looks at everything that is in a store while nobody writes to it. */
export async function lookOver(store) {
  const listed = must(await store.logs.list());
  const sessions = [];
  for (const { session } of listed) sessions.push(await lookAtSession(store, session));
  const trees = [await lookAtIndex(store)];
  for (const name of ["memory", "dreams"]) trees.push(await lookAtTree(store.tree(name), name));
  return {
    problems: [...sessions, ...trees].flatMap(({ problems }) => problems),
    sessions: sessions.length,
    entries: sessions.reduce((sum, { entries }) => sum + entries, 0),
    versions: trees.reduce((sum, { versions }) => sum + versions, 0),
  };
}
