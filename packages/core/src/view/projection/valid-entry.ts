import { isObject, isRecord, type JsonObject } from "../../json/json-values.ts";
import type { CompactDecision, ContentBlock, Decision, Entry, Message, Usage } from "../../spec/index.ts";

/** Entries that were found sound. Whoever may still change one must ask `checkEntry`. */
const found = new WeakSet<Entry>();

/** `checkEntry`, once an entry: state, projection and taint all ask about the one that has come. */
export function validEntry(entry: Entry): Entry {
  if (found.has(entry)) return entry;
  const sound = checkEntry(entry);
  found.add(sound);
  return sound;
}

/**
 * An entry as the projection can take it. The projection is total: whatever stands in a log, every other entry counts.
 * An invalid entry becomes a note. The very same entry where all is well.
 */
export function checkEntry(entry: Entry): Entry {
  if (entry.kind === "message") {
    const message = validMessage(entry.message);
    return message === entry.message ? entry : { ...entry, message };
  }
  if (entry.kind !== "decision") return entry;
  if (!isSoundDecision(entry.decision)) return unknownDecision(entry);
  if (entry.decision.type !== "compact") return entry;
  const decision = validCompaction(entry.decision);
  return decision === entry.decision ? entry : { ...entry, decision };
}

function validCompaction(decision: CompactDecision): CompactDecision {
  const summary = decision.summary && validMessage(decision.summary);
  const attachments = decision.attachments.map(validMessage);
  const kept = isKept(decision.kept) ? decision.kept : undefined;
  const isSame =
    summary === decision.summary &&
    kept === decision.kept &&
    attachments.every((attachment, index) => attachment === decision.attachments[index]);
  if (isSame) return decision;
  const { summary: _summary, kept: _kept, ...rest } = decision;
  return { ...rest, ...(summary && { summary }), ...(kept && { kept }), attachments };
}

function isKept(kept: unknown): boolean {
  if (!isObject(kept)) return false;
  const { headSeq, tailSeq, from } = kept;
  return (
    Number.isFinite(headSeq) && Number.isFinite(tailSeq) && (from === undefined || isBlockLocation(from))
  );
}

function isBlockLocation(value: unknown): boolean {
  const { entry, block } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof entry === "string" && Number.isFinite(block);
}

function unknownDecision(entry: Entry & { readonly kind: "decision" }): Entry {
  const { v, seq, epoch, id, at, decision } = entry;
  return {
    v,
    seq,
    epoch,
    id,
    at,
    kind: "note",
    note: { topic: "foreign", type: "decision", line: decision },
  };
}

const lists: Readonly<Record<Decision["type"], readonly string[]>> = {
  offload: ["results"],
  clear: ["parts"],
  "cache-edit": ["parts"],
  snip: ["entries"],
  fold: [],
  compact: ["attachments"],
  repair: ["steps"],
  "strip-thinking": [],
  restore: [],
  rewind: [],
};

const texts: Partial<Record<Decision["type"], readonly string[]>> = {
  snip: ["marker"],
  fold: ["from", "to", "summary"],
  "strip-thinking": ["upTo"],
  restore: ["decision"],
  rewind: ["to"],
};

const stepPlaces: ReadonlySet<string> = new Set(["to-text", "drop-block", "replace-block"]);
const stepTexts: ReadonlySet<string> = new Set(["synthetic-result", "begin-with-user"]);

/**
 * Whether the projection can take a decision. What a log or a layer calls a decision and is none, or is of a kind that
 * this version does not know, changes nothing.
 */
function isSoundDecision(value: unknown): value is Decision {
  if (!isRecord(value) || typeof value.type !== "string" || !Object.hasOwn(lists, value.type)) return false;
  const type = value.type as Decision["type"];
  const { basis, frees } = value;
  if (!Number.isFinite(basis) || !Number.isFinite(frees)) return false;
  if (!lists[type].every((name) => isListOfObjects(value[name]) || (type === "snip" && isTexts(value[name]))))
    return false;
  if (!(texts[type] ?? []).every((name) => typeof value[name] === "string")) return false;
  if (type === "repair") return (value.steps as readonly JsonObject[]).every(isSoundStep);
  if (type === "offload" && value.blocks !== undefined && !areSoundBlocks(value.blocks)) return false;
  if (type === "offload" || type === "clear") return partsOf(value).every(isSoundPart);
  if (type === "cache-edit" && value.behind !== undefined) return isSoundEdit(value);
  if (type === "rewind") return Number.isFinite(value.toSeq);
  return type !== "restore" || Number.isFinite(value.decisionSeq);
}

/** Without a place an edit puts nothing into the view, and may say what it likes. */
function isSoundEdit({ behind, edit }: JsonObject): boolean {
  if (!isRecord(behind) || typeof behind.entry !== "string" || !Number.isFinite(behind.block)) return false;
  if (!isRecord(edit) || edit.type !== "cache_edits" || !isListOfObjects(edit.edits)) return false;
  return (edit.edits as readonly JsonObject[]).every((one) => typeof one.cache_reference === "string");
}

const partsOf = (value: JsonObject) => (value.results ?? value.parts) as readonly JsonObject[];

function isSoundPart({ toolUseId, preview, label }: JsonObject): boolean {
  return typeof toolUseId === "string" && (preview === null || typeof (preview ?? label) === "string");
}

function areSoundBlocks(blocks: unknown): boolean {
  if (!isListOfObjects(blocks)) return false;
  return (blocks as readonly JsonObject[]).every(
    ({ entry, block, preview, lastBlock }) =>
      typeof entry === "string" &&
      Number.isFinite(block) &&
      typeof preview === "string" &&
      (lastBlock === undefined || Number.isFinite(lastBlock)),
  );
}

function isSoundStep(step: JsonObject): boolean {
  const { repair, place, places, text, block } = step;
  if (typeof repair !== "string") return false;
  if (repair === "replace-block" && blockFault(block) !== null) return false;
  if (repair === "to-text" && typeof text !== "string") return false;
  if (stepPlaces.has(repair)) return isRecord(place);
  if (stepTexts.has(repair)) return typeof text === "string";
  return repair === "order" && isListOfObjects(places);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every(isRecord);
}

interface Check {
  readonly expected: string;
  is(value: unknown): boolean;
}

const text: Check = { expected: "a string", is: (value) => typeof value === "string" };
const optionalText: Check = { ...text, is: (value) => value === undefined || typeof value === "string" };
const anything: Check = { expected: "a value", is: (value) => value !== undefined };
const source: Check = { expected: "an object", is: isSource };
const resultContent: Check = { expected: "a string or blocks", is: isResultContent };

/** The fields that make a block what it says it is. Blocks of unknown types have none. */
const requirements: ReadonlyMap<string, readonly (readonly [string, Check])[]> = new Map(
  Object.entries<Readonly<Record<string, Check>>>({
    text: { text },
    thinking: { thinking: text, signature: optionalText },
    redacted_thinking: { data: text },
    tool_use: { id: text, name: text, input: anything },
    tool_result: { tool_use_id: text, content: resultContent },
    image: { source },
    document: { source },
  }).map(([type, checks]) => [type, Object.entries(checks)]),
);

/** The reason why a value is no block. */
interface BlockFault {
  /** The field; absent where the whole value is none. */
  readonly field?: string;
  readonly expected: string;
}

/** `null` where the value is a block. */
export function blockFault(block: unknown): BlockFault | null {
  if (!isRecord(block)) return { expected: "a block" };
  if (typeof block.type !== "string") return { field: "type", expected: "a string" };
  const wrong = requirements.get(block.type)?.find(([name, { is }]) => !is(block[name]));
  return wrong ? { field: wrong[0], expected: wrong[1].expected } : null;
}

function isResultContent(content: unknown): boolean {
  if (content === undefined || typeof content === "string") return true;
  return Array.isArray(content) && content.every((inner) => blockFault(inner) === null);
}

function isSource(source: unknown): boolean {
  if (!isRecord(source)) return false;
  return source.type === "base64" ? typeof source.data === "string" : typeof source.type === "string";
}

/**
 * A message as the projection can take it, whatever a log holds: what is no block is sent as text that shows it, and
 * usage that is none does not count. The very same message where all is well.
 */
export function validMessage(message: Message): Message {
  const content = validContent(message.content);
  const usage = isUsage(message.usage) ? message.usage : undefined;
  const model = typeof message.model === "string" ? message.model : undefined;
  const responseId = typeof message.responseId === "string" ? message.responseId : undefined;
  const subtype = typeof message.subtype === "string" ? message.subtype : undefined;
  const isSound =
    content === message.content &&
    usage === message.usage &&
    model === message.model &&
    responseId === message.responseId &&
    subtype === message.subtype;
  return isSound ? message : { ...message, content, usage, model, responseId, subtype };
}

function validContent(content: unknown): Message["content"] {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return [invalidBlockText(content)];
  if (content.every((block) => blockFault(block) === null)) return content;
  return content.map((block) =>
    blockFault(block) === null ? (block as ContentBlock) : invalidBlockText(block),
  );
}

/** The text that stands for what is no block, and shows it. */
export function invalidBlockText(value: unknown): ContentBlock {
  return { type: "text", text: `[Content that cannot be sent: ${JSON.stringify(value) ?? "nothing"}]` };
}

/** No request has had so many tokens: earlier versions wrote down whatever a server reported. */
const maxTokens = 1_000_000_000;

/** Four counts that can be counts of tokens. */
function isUsage(usage: unknown): usage is Usage {
  if (!isRecord(usage)) return false;
  const { input, output, cacheRead, cacheCreation } = usage;
  return [input, output, cacheRead, cacheCreation].every(
    (value) => isTokenCount(value) && value <= maxTokens,
  );
}

export function isTokenCount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

/** Whether a decision only records that results are sent whole: every item stays the very same. */
export function isFreezeOnly(decision: Decision): boolean {
  if (decision.type !== "offload" || (decision.blocks?.length ?? 0) > 0) return false;
  return decision.results.every(({ preview, mediaLabel }) => preview === null && mediaLabel === undefined);
}
