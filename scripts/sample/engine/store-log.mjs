import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const sessionId = "sample-session";

/**
 * Writes the drafts through the project's own store, with a clock and names of its own, and gives the log back as
 * one self-contained text: what the store keeps in blobs stands in its line again.
 */
export async function storeLog(repository, header, drafts) {
  const { createFileStore, createNodeDisk, encodeEntry, inlineLargeValues, storeLargeValues, version } =
    await loadBuilt(repository);
  const home = mkdtempSync(join(tmpdir(), "palimpsest-sample-log-"));
  let nowMs = Date.parse(drafts[0].at);
  const { blobs, logs } = createFileStore({
    home,
    project: header.project,
    disk: createNodeDisk(),
    clock: standingClock(() => nowMs),
    ids: countingIds(),
    processes: oneProcess,
    writer: { pid: 1, host: "sample", version },
  });
  try {
    const writer = must(await logs.create({ kind: "session", session: { id: sessionId, ...header } }));
    for (const draft of drafts) {
      nowMs = Date.parse(draft.at);
      const stored = must(await storeLargeValues(draft, sessionId, blobs, { durable: false }));
      must(await writer.append([stored]));
    }
    must(await writer.close());
    const entries = [];
    const report = must(await logs.scan(sessionId, (entry) => entries.push(entry)));
    if (report.damages.length > 0) throw new Error(`The store reports damage: ${report.damages[0].reason}`);
    const lines = [];
    for (const entry of entries)
      lines.push(encodeEntry(must(await inlineLargeValues(entry, sessionId, blobs))));
    return Buffer.concat(lines);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The same bytes for the same text: no time, no file name, and always the same word for the system. */
export function compress(bytes) {
  const compressed = gzipSync(bytes, { level: 9 });
  compressed.fill(0, 4, 8);
  compressed[9] = 255;
  return compressed;
}

async function loadBuilt(repository) {
  const load = (path) =>
    import(join(repository, "packages/core/build", path)).catch((cause) => {
      throw new Error(`packages/core/build/${path} cannot be loaded: run "npm run build" first.`, { cause });
    });
  const modules = ["stores/files/index.js", "log/codec.js", "log/large-values.js", "version.js"];
  return Object.assign({}, ...(await Promise.all(modules.map(load))));
}

function must(result) {
  if (!result.ok) throw result.error;
  return result.value;
}

function standingClock(now) {
  return {
    now,
    monotonic: () => 0,
    sleep: (_ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) resolve();
        else signal?.addEventListener("abort", () => resolve(), { once: true });
      }),
  };
}

function countingIds() {
  const counts = new Map();
  return {
    next(prefix) {
      const count = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, count);
      return `${prefix}_sample_${String(count).padStart(5, "0")}`;
    },
  };
}

const self = { pid: 1, startTime: "sample", bootId: "sample", host: "sample", pidNamespace: "sample" };
const oneProcess = { self: async () => self, look: async () => ({ state: "alive", startTime: "sample" }) };
