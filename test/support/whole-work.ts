import { expect } from "vitest";
import type {
  Clock,
  ConsolidateLock,
  Consolidation,
  Entry,
  Mail,
  Mailbox,
} from "../../packages/core/src/spec/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import type { VirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../packages/testing/src/virtual-processes.ts";
import { messageDraft, sessionDraft } from "./entries.ts";
import { createVirtualStore } from "./virtual-store.ts";

const largeText = "a long result ".repeat(6_000);
const mailbox = "one";
const world = createVirtualProcesses();

/** What a process was told is safe, through every port of a store. */
export interface Told {
  readonly entries: string[];
  readonly versions: { readonly version: number; readonly text: string | null }[];
  readonly sent: string[];
  /** Mails that the log has and that never come again. */
  readonly settled: string[];
  blob?: string;
  /** How often the lock was given back in success. */
  completed: number;
  /** Refusals by their codes. */
  readonly refusals: string[];
}

/** One process: a log with a large value, a blob, a memory with compare-and-swap, mail into the log, the lock of dreams. */
export async function doWholeWork(disk: VirtualDisk, clock?: Clock): Promise<Told> {
  const processes = world.spawn();
  const store = createVirtualStore({ disk, processes, ...(clock && { clock }) });
  const [tree, box] = [store.tree("memory"), store.mailbox as Mailbox];
  const told: Told = { entries: [], versions: [], sent: [], settled: [], completed: 0, refusals: [] };
  const done = <T>(
    result: { readonly ok: true; readonly value: T } | { readonly ok: false; error: { code: string } },
  ) => {
    if (!result.ok) told.refusals.push(result.error.code);
    return result.ok ? { value: result.value } : undefined;
  };
  const author = "agent";
  const write = async (text: string | null, expectedVersion: number) => {
    const how = { author, expect: expectedVersion };
    const made = done(await (text === null ? tree.remove("a.md", how) : tree.write("a.md", text, how)));
    if (made) told.versions.push({ version: made.value.version, text });
  };
  const send = async (id: string) => {
    const mail: Mail = { id, from: "ses_a", to: mailbox, at: "2026-01-01T00:00:00.000Z", body: id };
    if (done(await box.send(mail))) told.sent.push(id);
  };
  const log = done(await store.logs.create(sessionDraft("one"), { durability: "fsync" }))?.value;
  const append = async (...texts: readonly string[]) => {
    const appended = log && done(await log.append(texts.map(messageDraft)));
    told.entries.push(...(appended?.value ?? []).map(({ entry }) => entry.id));
    return appended !== undefined;
  };
  await append("first");
  await append(largeText, "third");
  const blob = done(await store.blobs.put("one", Buffer.from(largeText), { durable: true }));
  if (blob) told.blob = blob.value.blob;
  await write("one", 0);
  await write("two", 1);
  await write(null, 2);
  await send("m1");
  await send("m2");
  const taken = done(await box.take(mailbox, 10))?.value ?? [];
  if (taken.length > 0 && (await append(...taken.map(({ id }) => `mail ${id}`)))) {
    const ids = taken.map(({ id }) => id);
    told.settled.push(...ids);
    done(await box.acknowledge(mailbox, ids));
  }
  const held: { readonly value: Consolidation } | undefined = done(
    await (store.consolidateLock as ConsolidateLock).acquire(),
  );
  if (held && done(await held.value.complete())) told.completed += 1;
  if (log) done(await log.close());
  processes.exit();
  return told;
}

const textOf = (entry: Entry) => (entry.kind === "message" ? String(entry.message.content) : "");

/** What the next process finds: everything the one before was told is safe, and no mail twice. */
export async function expectTold(disk: VirtualDisk, told: Told): Promise<void> {
  const processes = world.spawn();
  const store = createVirtualStore({ disk, processes });
  const entries: Entry[] = [];
  const opened = await store.logs.open("one", (entry) => entries.push(entry));
  if (!opened.ok) expect([opened.error.code, told.entries]).toEqual(["not-found", []]);
  const found = entries.filter(({ kind }) => kind === "message").map(({ id }) => id);
  expect(found.filter((id) => told.entries.includes(id))).toEqual(told.entries);
  expect(new Set(found).size).toBe(found.length);
  expect(entries.filter(({ seq }, at) => seq <= (entries[at - 1]?.seq ?? 0))).toEqual([]);
  if (told.blob !== undefined)
    expect(Buffer.from(must(await store.blobs.get("one", told.blob))).toString()).toBe(largeText);
  const tree = store.tree("memory");
  const history = must(await tree.history("a.md"));
  for (const { version, text } of told.versions) {
    if (text === null) expect(history[version - 1]?.removed).toBe(true);
    else expect(must(await tree.read("a.md", version)).text).toBe(text);
  }
  const box = store.mailbox as Mailbox;
  const coming = must(await box.take(mailbox, 10)).map(({ id }) => id);
  const received = entries.flatMap((entry) => /^mail (m\d)$/.exec(textOf(entry))?.[1] ?? []);
  expect([...received, ...coming]).toEqual(expect.arrayContaining(told.sent));
  expect(coming.toSorted()).toEqual(coming);
  expect(new Set(received).size).toBe(received.length);
  const lock = store.consolidateLock as ConsolidateLock;
  const time = must(await lock.lastConsolidatedMs());
  if (told.completed > 0) expect(time).not.toBeNull();
  must(await must(await lock.acquire()).abandon());
  processes.exit();
}
