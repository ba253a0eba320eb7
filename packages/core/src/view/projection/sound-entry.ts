import type { CompactDecision, Decision, Entry } from "../../spec/index.ts";
import { blockFault, soundMessage } from "./sound-message.ts";

/** Entries that were found sound. Whoever may still change one must ask `checkEntry`. */
const found = new WeakSet<Entry>();

/** `checkEntry`, once an entry: state, projection and taint all ask about the one that has come. */
export function soundEntry(entry: Entry): Entry {
  if (found.has(entry)) return entry;
  const sound = checkEntry(entry);
  found.add(sound);
  return sound;
}

/**
 * An entry as the projection can take it. The projection is total: whatever stands in a log, every other entry counts.
 * What cannot be taken becomes a note. The very same entry where all is well.
 */
export function checkEntry(entry: Entry): Entry {
  if (entry.kind === "message") {
    const message = soundMessage(entry.message);
    return message === entry.message ? entry : { ...entry, message };
  }
  if (entry.kind !== "decision") return entry;
  if (!isSoundDecision(entry.decision)) return unknown(entry);
  if (entry.decision.type !== "compact") return entry;
  const decision = soundCompaction(entry.decision);
  return decision === entry.decision ? entry : { ...entry, decision };
}

function soundCompaction(decision: CompactDecision): CompactDecision {
  const summary = decision.summary && soundMessage(decision.summary);
  const attachments = decision.attachments.map(soundMessage);
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
  if (typeof kept !== "object" || kept === null) return false;
  const { headSeq, tailSeq, from } = kept as Readonly<Record<string, unknown>>;
  return Number.isFinite(headSeq) && Number.isFinite(tailSeq) && (from === undefined || isPlace(from));
}

function isPlace(value: unknown): boolean {
  const { entry, block } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof entry === "string" && Number.isFinite(block);
}

function unknown(entry: Entry & { readonly kind: "decision" }): Entry {
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

type Fields = Readonly<Record<string, unknown>>;

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
  if (!isFields(value) || typeof value.type !== "string" || !Object.hasOwn(lists, value.type)) return false;
  const type = value.type as Decision["type"];
  const { basis, frees } = value;
  if (!Number.isFinite(basis) || !Number.isFinite(frees)) return false;
  if (!lists[type].every((name) => isListOfObjects(value[name]) || (type === "snip" && isTexts(value[name]))))
    return false;
  if (!(texts[type] ?? []).every((name) => typeof value[name] === "string")) return false;
  if (type === "repair") return (value.steps as readonly Fields[]).every(isSoundStep);
  if (type === "offload" && value.blocks !== undefined && !areSoundBlocks(value.blocks)) return false;
  if (type === "offload" || type === "clear") return partsOf(value).every(isSoundPart);
  if (type === "cache-edit" && value.behind !== undefined) return isSoundEdit(value);
  if (type === "rewind") return Number.isFinite(value.toSeq);
  return type !== "restore" || Number.isFinite(value.decisionSeq);
}

/** Without a place an edit puts nothing into the view, and may say what it likes. */
function isSoundEdit({ behind, edit }: Fields): boolean {
  if (!isFields(behind) || typeof behind.entry !== "string" || !Number.isFinite(behind.block)) return false;
  if (!isFields(edit) || edit.type !== "cache_edits" || !isListOfObjects(edit.edits)) return false;
  return (edit.edits as readonly Fields[]).every((one) => typeof one.cache_reference === "string");
}

const partsOf = (value: Fields) => (value.results ?? value.parts) as readonly Fields[];

function isSoundPart({ toolUseId, preview, label }: Fields): boolean {
  return typeof toolUseId === "string" && (preview === null || typeof (preview ?? label) === "string");
}

function areSoundBlocks(blocks: unknown): boolean {
  if (!isListOfObjects(blocks)) return false;
  return (blocks as readonly Fields[]).every(
    ({ entry, block, preview, lastBlock }) =>
      typeof entry === "string" &&
      Number.isFinite(block) &&
      typeof preview === "string" &&
      (lastBlock === undefined || Number.isFinite(lastBlock)),
  );
}

function isSoundStep(step: Fields): boolean {
  const { repair, place, places, text, block } = step;
  if (typeof repair !== "string") return false;
  if (repair === "replace-block" && blockFault(block) !== null) return false;
  if (repair === "to-text" && typeof text !== "string") return false;
  if (stepPlaces.has(repair)) return isFields(place);
  if (stepTexts.has(repair)) return typeof text === "string";
  return repair === "order" && isListOfObjects(places);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every(isFields);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
