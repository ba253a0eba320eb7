import { createHash } from "node:crypto";
import {
  type BlobStore,
  type FileTree,
  fail,
  type LeaseStore,
  type LogStore,
  ok,
  type Store,
} from "@palimpsest/core/spec";

const absent = async () => fail("not-found", "A replay has neither logs of its own nor files.");

const logs: LogStore = {
  create: absent,
  open: absent,
  scan: absent,
  read: absent,
  list: absent,
  remove: absent,
};
const leases: LeaseStore = { acquire: absent, holder: absent, forget: absent };
const tree: FileTree = { read: absent, write: absent, remove: absent, list: absent, history: absent };

/** The storage ports of a replay: blobs in memory, and nothing else. */
export function createMemoryStore(): Store {
  return { logs, leases, blobs: createMemoryBlobs(), tree: () => tree };
}

function createMemoryBlobs(): BlobStore {
  const known = new Map<string, Uint8Array>();
  return {
    async put(_session, bytes) {
      const blob = createHash("sha256").update(bytes).digest("hex");
      known.set(blob, bytes);
      const lines = Buffer.from(bytes).toString("utf8").split("\n").length;
      return ok({ blob, bytes: bytes.length, lines });
    },
    async get(_session, sha256) {
      const bytes = known.get(sha256);
      return bytes ? ok(bytes) : fail("not-found", `There is no blob ${sha256}.`, { path: sha256 });
    },
    list: async () => ok([...known.keys()]),
    name: async (_session, _sha256, name) => ok(name),
    async removeAll() {
      known.clear();
      return ok();
    },
  };
}
