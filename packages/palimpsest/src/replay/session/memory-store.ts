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

const absentFailure = async () => fail("not-found", "A replay has neither logs of its own nor files.");

const logs: LogStore = {
  create: absentFailure,
  open: absentFailure,
  scan: absentFailure,
  read: absentFailure,
  list: absentFailure,
  remove: absentFailure,
};
const leases: LeaseStore = { acquire: absentFailure, holder: absentFailure, forget: absentFailure };
const tree: FileTree = {
  read: absentFailure,
  write: absentFailure,
  remove: absentFailure,
  list: absentFailure,
  history: absentFailure,
};

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
