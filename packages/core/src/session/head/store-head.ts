import { createHash } from "node:crypto";
import {
  type BlobRef,
  type EntryDraft,
  type FileStamp,
  type FlagValues,
  type HeadPart,
  isBlock,
  type Message,
  ok,
  type Result,
  type SessionHead,
  type SessionHeader,
  type Settings,
  type Store,
  type TextBlock,
  type ToolDefinition,
  type ViewItem,
} from "../../spec/index.ts";
import { clearedText } from "../../view/clearing/clear-label.ts";
import { headFeatures, mostHeadTokens } from "../../view/tokens/index.ts";
import type { StateHead } from "../session-state.ts";
import type { RequestHead } from "./request-head.ts";
import type { LostValue } from "./session-head.ts";

/** A smaller value stands in the log itself: it cannot be lost without its line. */
export const inlineHeadBytes = 1024;

/** Everything in the prefix is stored byte for byte, so that resume and forks send the same. */
export async function createHeader(
  store: Store,
  session: string,
  cwd: string,
  head: RequestHead,
  given: {
    readonly flags: Partial<FlagValues>;
    readonly settings?: Settings;
    /** The session's header in the log: values that stand in it are not stored anew. */
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
  /** The header in the log. */
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

/** The blocks before the messages of every request, as digests and counts see them. */
export function stateHead(system: readonly TextBlock[], tools: readonly ToolDefinition[]): StateHead {
  const features = headFeatures(system, tools);
  const mostTokens = mostHeadTokens(features, tools.length);
  return { bytes: JSON.stringify([system, tools]), features, mostTokens };
}

/**
 * The newest stamp of a file among the results that stand in the view as they were given, and the files that a
 * compaction brought back: what was cleared or compacted away is no longer before the model's eyes.
 */
export function fileStampIn(
  items: readonly ViewItem[],
  messageOf: (entry: string) => Message | undefined,
  path: string,
): FileStamp | undefined {
  for (let position = items.length - 1; position >= 0; position -= 1) {
    const item = items[position] as ViewItem;
    const toolUseId = shownBy(item);
    if (toolUseId === undefined) continue;
    const found = messageOf(item.entry)?.files?.findLast(
      (stamp) => stamp.path === path && stamp.toolUseId === toolUseId,
    );
    if (!found) continue;
    const { toolUseId: _id, ...stamp } = found;
    return stamp;
  }
  return undefined;
}

/** The call whose result shows files; empty for what a compaction brought back, and nothing for all else. */
function shownBy({ block, entry, decision }: ViewItem): string | undefined {
  if (decision !== undefined && decision === entry) return "";
  if (!isBlock(block, "tool_result") || isCleared(block.content)) return undefined;
  return block.tool_use_id;
}

function isCleared(content: unknown): boolean {
  return typeof content === "string" && content.startsWith(clearedText);
}
