import {
  createScribeDreamer,
  type Dreamer,
  type DreamWork,
} from "../../packages/core/src/session/dream/dreamer.ts";
import {
  type Dreams,
  type OpenDreamsOptions,
  openDreams,
} from "../../packages/core/src/session/dream/open-dreams.ts";
import type { SecretMask } from "../../packages/core/src/session/secrets/index.ts";
import {
  type ConsolidateLock,
  type EventBody,
  type FileTree,
  ok,
  type Store,
} from "../../packages/core/src/spec/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { createVirtualClock, createVirtualIds } from "../../packages/testing/src/virtual-clock.ts";
import { createVirtualDisk, type VirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../packages/testing/src/virtual-processes.ts";
import { createVirtualStore } from "./virtual-store.ts";

/** A reference, which needs neither reason nor use; other fields of the front matter by `more`. */
export const topic = (body: string, more: Readonly<Record<string, string>> = {}) => {
  const fields = {
    name: "Topic",
    description: "when it comes up",
    type: "reference",
    author: "agent",
    trust: "trusted",
    ...more,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
  return `---\n${lines.join("")}---\n\n${body}\n`;
};

/** Finds keys such as `key-123`, without loading anything. */
export const plainMask: SecretMask["mask"] = async (text) => {
  const found = [...new Set(text.match(/key-\d+/g) ?? [])];
  const secrets = found.map((one) => ({ kind: "key", mask: `[${one.length}]`, occurrences: 1 }));
  return ok({ text: text.replaceAll(/key-\d+/g, "[masked]"), secrets });
};

/** One who leaves the folder as the function says. */
export function dreamer(
  change: (files: Map<string, string>) => void,
  more: Partial<DreamWork> = {},
): Dreamer {
  return {
    by: "model",
    async dream({ snapshot }) {
      const after = new Map(snapshot.map(({ path, text }) => [path, text]));
      change(after);
      return ok({ after, reasonOf: () => ({ reason: "in order" }), ...more });
    },
  };
}

export const scribe = createScribeDreamer({ numbers: { maxRemovedPercent: 30, nearPercent: 80 } });

export async function textsOf(memory: FileTree): Promise<Readonly<Record<string, string>>> {
  const read = must(await memory.list()).map(async ({ path }) => [path, must(await memory.read(path)).text]);
  return Object.fromEntries(await Promise.all(read));
}

const world = createVirtualProcesses();

export interface DreamProcess {
  readonly store: Store;
  readonly memory: FileTree;
  readonly lock: ConsolidateLock;
  readonly dreams: Dreams;
  readonly events: EventBody[];
  exit(): void;
}

/** A process over a disk, an hour after the one before it. */
export function openDreamProcess(disk: VirtualDisk, more: Partial<OpenDreamsOptions> = {}): DreamProcess {
  const processes = world.spawn();
  const clock = createVirtualClock({ startMs: Date.UTC(2026, 0, 5) + processes.identity.pid * 3_600_000 });
  const store = createVirtualStore({ disk, clock, processes });
  const ids = createVirtualIds();
  const space = processes.identity.pid;
  const own = { next: (prefix: string) => `${ids.next(prefix)}-${space}` };
  const dreams = openDreams({ store, clock, ids: own, mask: plainMask, ...more }) as Dreams;
  const lock = store.consolidateLock as ConsolidateLock;
  return { store, memory: store.tree("memory"), lock, dreams, events: [], exit: () => processes.exit() };
}

/** A memory folder with these files, put in order once before. */
export async function dreamDisk(files: Readonly<Record<string, string>>): Promise<VirtualDisk> {
  const disk = createVirtualDisk();
  const { memory, lock, exit } = openDreamProcess(disk);
  for (const [path, text] of Object.entries(files)) must(await memory.write(path, text, { author: "agent" }));
  must(await must(await lock.acquire()).complete());
  exit();
  return disk;
}
