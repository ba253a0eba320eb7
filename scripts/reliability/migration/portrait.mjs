import { must } from "../outcome.mjs";

async function sessionOf({ logs, blobs }, session) {
  const entries = [];
  const { corruptLines, fencedLines, tornBytes } = must(
    await logs.scan(session, (entry) => entries.push(entry)),
  );
  const results = {};
  for (const sha256 of must(await blobs.list(session)))
    results[sha256] = must(await blobs.get(session, sha256)).length;
  return { session, entries, results, damaged: corruptLines + fencedLines + tornBytes };
}

async function treeOf(tree) {
  const files = [];
  for (const { path, removed } of must(await tree.list({ removed: true }))) {
    const history = must(await tree.history(path));
    const texts = [];
    for (const { version, removed } of history)
      texts.push(removed ? null : must(await tree.read(path, version)).text);
    files.push({ path, removed, history, texts, text: removed ? null : must(await tree.read(path)).text });
  }
  return files.sort((one, other) => (one.path < other.path ? -1 : 1));
}

async function waitingIn(mailbox, to) {
  const waiting = must(await mailbox.take(to, 1_000));
  must(await mailbox.release(to));
  return waiting.sort((one, other) => (one.from < other.from ? -1 : one.from > other.from ? 1 : 0));
}

/** A project as whoever works with it sees it, in whatever store: by its ports, not by its bytes. */
export async function portraitOf(store) {
  const sessions = [];
  for (const session of must(await store.archive.sessions())) {
    const opened = await store.logs.scan(session, () => undefined);
    if (opened.ok) sessions.push(await sessionOf(store, session));
    else sessions.push({ session, refused: opened.error.code });
  }
  sessions.sort((one, other) => (one.session < other.session ? -1 : 1));
  return {
    sessions,
    memory: await treeOf(store.tree("memory")),
    dreams: await treeOf(store.tree("dreams")),
    mails: await waitingIn(store.mailbox, "ses_0"),
    lastMs: must(await store.consolidateLock.lastConsolidatedMs()),
  };
}
