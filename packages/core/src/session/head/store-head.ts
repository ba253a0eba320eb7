import { createHash } from "node:crypto";
import {
  type BlobRef,
  type EntryDraft,
  type FlagValues,
  type HeadPart,
  ok,
  type Result,
  type SessionHead,
  type SessionHeader,
  type Settings,
  type Store,
} from "../../spec/index.ts";
import type { RequestHead } from "./request-head.ts";
import type { LostValue } from "./session-head.ts";

/** A smaller value stands in the log itself: it cannot be lost without its line. */
export const inlineHeadBytes = 1024;

/** What shapes the prefix is stored byte for byte, so that resume and forks send the same. */
export async function createHeader(
  store: Store,
  session: string,
  cwd: string,
  head: RequestHead,
  given: {
    readonly flags: Partial<FlagValues>;
    readonly settings?: Settings;
    /** What the log of the session has already: values that stand in it are not stored anew. */
    readonly known?: SessionHeader;
  },
): Promise<Result<SessionHeader>> {
  const stored = await storeHead(store, session, head, { known: given.known });
  if (!stored.ok) return stored;
  const flags = await storeValue(store, session, given.flags);
  if (!flags.ok) return flags;
  const { settings = {} } = given;
  const kept = isEmpty(settings) ? {} : { settings };
  return ok({ id: session, project: "", cwd, ...stored.value, flags: flags.value, ...kept });
}

/**
 * The note that tells of another head than the session had so far; `null` where it is the same. What was lost and not
 * given anew is still what the log says it is: it may come back.
 */
export async function headChange(
  store: Store,
  session: string,
  header: SessionHeader | undefined,
  head: RequestHead,
  settings: Settings,
  lost: readonly LostValue[] = [],
): Promise<Result<EntryDraft | null>> {
  const given = lost.flatMap(({ part, isGiven }) => (isGiven ? part : []));
  const stored = await storeHead(store, session, head, { known: header, inLog: given });
  if (!stored.ok) return stored;
  const kept = lost.flatMap(({ part, isGiven }) => (isGiven ? [] : [[part, header?.[part]]]));
  const next: SessionHead = {
    ...stored.value,
    ...Object.fromEntries(kept.filter(([part]) => part !== "flags")),
  };
  const { model, system, tools, fields } = next;
  const hasSettings = JSON.stringify(header?.settings ?? {}) === JSON.stringify(settings);
  const isSameValue = (now: BlobRef | undefined, before: BlobRef | undefined) =>
    now?.blob === before?.blob && (now?.text === undefined || now.bytes < inlineHeadBytes || now === before);
  const isSame =
    hasSettings &&
    header?.model === model &&
    isSameValue(system, header?.system) &&
    isSameValue(tools, header?.tools) &&
    isSameValue(fields, header?.fields);
  const changed = hasSettings ? {} : { settings };
  return ok(isSame ? null : { kind: "note", note: { topic: "head", ...next, ...changed } });
}

interface StoreOptions {
  /** What the log has already. */
  readonly known?: SessionHeader | undefined;
  /** Parts that stand in the log itself where no blob can be made of them: something else is in its place. */
  readonly inLog?: readonly HeadPart[];
}

async function storeHead(
  store: Store,
  session: string,
  head: RequestHead,
  { known, inLog = [] }: StoreOptions,
): Promise<Result<SessionHead>> {
  const storePart = (part: "system" | "tools" | "fields", value: unknown) =>
    storeValue(store, session, value, { known: known?.[part], inLog: inLog.includes(part) });
  const system = await storePart("system", head.system);
  if (!system.ok) return system;
  const tools = await storePart("tools", head.traits);
  if (!tools.ok) return tools;
  const fields = await storePart("fields", head.fields);
  if (!fields.ok) return fields;
  return ok({ model: head.model, system: system.value, tools: tools.value, fields: fields.value });
}

async function storeValue(
  store: Store,
  session: string,
  value: unknown,
  { known, inLog = false }: { readonly known?: BlobRef | undefined; readonly inLog?: boolean } = {},
): Promise<Result<BlobRef>> {
  const text = JSON.stringify(value);
  const bytes = Buffer.from(text);
  const blob = createHash("sha256").update(bytes).digest("hex");
  if (known?.blob === blob && known.text !== undefined) return ok(known);
  const inline = { blob, bytes: bytes.length, lines: 1, text };
  if (bytes.length < inlineHeadBytes) return ok(inline);
  const put = await store.blobs.put(session, bytes);
  return put.ok || !inLog ? put : ok(inline);
}

function isEmpty(settings: Settings): boolean {
  return Object.keys(settings).length === 0;
}
