import { expect } from "vitest";
import type { Durability, Entry } from "../../packages/core/src/spec/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import type { VirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../packages/testing/src/virtual-processes.ts";
import { messageDraft, sessionDraft } from "./entries.ts";
import { createVirtualStore } from "./virtual-store.ts";

/** What one process was told is safe, up to where the disk stopped it. */
export interface Acknowledged {
  readonly ids: string[];
  created: boolean;
}

/** What the work writes: the batches of each writer, one after the other. */
export type Plan = readonly (readonly (readonly string[])[])[];

export const usualPlan: Plan = [[["one"], ["two", "three"]], [["four"]]];

/** Creates a log, writes to it, closes it, opens it again and writes more; stops at the first refusal. */
export async function work(
  disk: VirtualDisk,
  durability: Durability,
  acknowledged: Acknowledged,
  plan: Plan = usualPlan,
): Promise<void> {
  const { logs } = createVirtualStore({ disk });
  for (const batches of plan) {
    const opened = acknowledged.created
      ? await logs.open("one", () => undefined, { durability })
      : await logs.create(sessionDraft("one"), { durability });
    if (!opened.ok) return;
    acknowledged.created = true;
    for (const texts of batches) {
      const appended = await opened.value.append(texts.map(messageDraft));
      if (!appended.ok) return;
      acknowledged.ids.push(...appended.value.map(({ entry }) => entry.id));
    }
    if (!(await opened.value.close()).ok) return;
  }
}

/** All entries the next process finds, after the whole machine or only the process went down. */
export async function survivors(disk: VirtualDisk): Promise<readonly Entry[] | null> {
  const entries: Entry[] = [];
  const processes = createVirtualProcesses({ bootId: "next boot" });
  const { logs } = createVirtualStore({ disk, processes });
  const opened = await logs.open("one", (entry) => entries.push(entry));
  if (!opened.ok) {
    expect(opened.error.code).toBe("not-found");
    return null;
  }
  const added = must(await opened.value.append([messageDraft("after the crash")]));
  must(await opened.value.close());
  const again: Entry[] = [];
  must(await logs.scan("one", (entry) => again.push(entry)));
  expect(again.at(-1)).toEqual(added[0]?.entry);
  return entries;
}

const messageIds = (entries: readonly Entry[]) =>
  entries.filter(({ kind }) => kind === "message").map(({ id }) => id);

export function expectAcknowledged(found: readonly Entry[] | null, acknowledged: Acknowledged): void {
  if (found === null) expect(acknowledged).toEqual({ ids: [], created: false });
  else expect(messageIds(found).slice(0, acknowledged.ids.length)).toEqual(acknowledged.ids);
}
