import {
  type CompactDecision,
  type ContentBlock,
  type Decision,
  type Entry,
  isBlock,
  type Message,
  type MessageEntry,
  type RepairDecision,
  type TaintSource,
} from "../../spec/index.ts";
import { blocksOf, isLocalCommandOutput, isOwnText } from "../ledgers/ledger-parts.ts";
import { isInSegment } from "../projection/item-list.ts";
import { roleOf } from "../projection/message-items.ts";
import { validEntry } from "../projection/valid-entry.ts";
import {
  type ResultFlaw,
  readTrustedCall,
  resultFlaw,
  stampedPaths,
  type TrustedCall,
} from "./call-trust.ts";
import { type Taint, type TrustLocations, untainted } from "./locations.ts";
import { type Carriers, carriersOf, changedCarriers, keptCarriers, noticeFlaw } from "./notice-flaw.ts";

/** The state of the taint, from the log. */
export interface TaintState {
  readonly carriers: Carriers | undefined;
  /** Calls whose results are not there yet, by id. */
  readonly calls: ReadonlyMap<string, TrustedCall>;
  /** Whether the session notes were made while untrusted content was in view. */
  readonly areNotesTainted: boolean;
  /** Whether untrusted content ever was in view: plans and to-dos may have been made of it. */
  readonly wasTainted: boolean;
}

export const emptyTaint: TaintState = {
  carriers: undefined,
  calls: new Map(),
  areNotesTainted: false,
  wasTainted: false,
};

/**
 * The state behind the next live entry. Taint follows presence: what is cleared or snipped no longer counts, but what the
 * model said meanwhile, and summaries and notes made meanwhile, do. Undo and rewind are not seen here: who reads the log
 * hands over live entries only, and none of dead decisions. Total.
 */
export function nextTaint(state: TaintState, given: Entry, locations: TrustLocations): TaintState {
  const entry = validEntry(given);
  switch (entry.kind) {
    case "message":
      return withMessage(state, entry, locations);
    case "decision":
      return withDecision(state, entry.decision, entry, locations);
    case "note":
      if (entry.note?.topic !== "notes") return state;
      return { ...state, areNotesTainted: state.carriers !== undefined };
    default:
      return state;
  }
}

/** The taint of a write now. Answers are named only where nothing else is left in view. */
export function toTaint({ carriers }: TaintState): Taint {
  if (carriers === undefined) return untainted;
  const all = [...carriersOf(carriers)].map(({ source }) => source).reverse();
  const roots = all.filter(({ kind }) => kind !== "answer");
  return { trust: "untrusted", because: roots.length > 0 ? roots : all };
}

type Location = Pick<Entry, "id" | "seq">;

function withMessage(state: TaintState, entry: MessageEntry, locations: TrustLocations): TaintState {
  const { message } = entry;
  if (roleOf(message) === null) return state;
  if (message.type === "assistant") return withAnswer(state, message, entry);
  if (message.type === "attachment") return withNotice(state, message, entry, locations);
  return blocksOf(message).reduce((before, block) => withUserBlock(before, block, entry, locations), state);
}

function withAnswer(state: TaintState, message: Message, location: Location): TaintState {
  let next = state;
  for (const block of blocksOf(message)) {
    if (isBlock(block, "tool_use")) {
      next = { ...next, calls: new Map(next.calls).set(block.id, readTrustedCall(block)) };
    } else if (isForeignBlock(block)) next = add(next, { kind: "tool", name: block.type }, location);
  }
  return next.carriers === undefined ? next : add(next, { kind: "answer" }, location);
}

const modelBlocks: ReadonlySet<string> = new Set([
  "text",
  "thinking",
  "redacted_thinking",
  "tool_use",
  "server_tool_use",
]);

/** Whether a provider's own tools have put a block into an answer: results of searches, of code, of servers. */
export function isForeignBlock({ type }: ContentBlock): boolean {
  return !modelBlocks.has(type);
}

function withNotice(
  state: TaintState,
  message: Message,
  location: Location,
  locations: TrustLocations,
): TaintState {
  const blocks = blocksOf(message);
  const text = typeof message.content === "string" ? message.content : undefined;
  const [only] = blocks;
  const whole = text ?? (blocks.length === 1 && only && isBlock(only, "text") ? only.text : undefined);
  const flaw = noticeFlaw(message.subtype ?? "unknown", whole, state.wasTainted, locations);
  return flaw === null ? state : add(state, flaw, location);
}

function withUserBlock(
  state: TaintState,
  block: ContentBlock,
  entry: MessageEntry,
  locations: TrustLocations,
): TaintState {
  const { message } = entry;
  if (isBlock(block, "tool_result")) {
    const id = block.tool_use_id;
    const flaw = resultFlaw(state.calls.get(id), stampedPaths(message.files, id), locations);
    const calls = new Map(state.calls);
    calls.delete(id);
    return flaw === null ? { ...state, calls } : add({ ...state, calls }, flaw, entry, id);
  }
  const flaw = userBlockFlaw(block, message);
  return flaw === null ? state : add(state, flaw, entry);
}

/** The flaw in a block of a user's message that is no result. */
export function userBlockFlaw(
  block: ContentBlock,
  message: Pick<Message, "isMeta" | "isCompactSummary">,
): ResultFlaw | null {
  if (message.isCompactSummary) return { kind: "summary" };
  if (message.isMeta) return { kind: "program" };
  if (!isBlock(block, "text")) return { kind: "media", name: block.type };
  if (isLocalCommandOutput(block.text)) return { kind: "shell" };
  return isOwnText(block.text) ? null : { kind: "program" };
}

function withDecision(
  state: TaintState,
  decision: Decision,
  location: Location,
  locations: TrustLocations,
): TaintState {
  switch (decision.type) {
    case "compact":
      return afterCompaction(state, decision, location, locations);
    case "fold":
      return state.carriers === undefined ? state : add(state, { kind: "summary" }, location);
    case "snip": {
      const gone = new Set(decision.entries);
      return keepCarriers(state, ({ source }) => !gone.has(source.entry));
    }
    case "clear": {
      const gone = new Set<string>();
      for (const { toolUseId, part } of decision.parts) if (part === "result") gone.add(toolUseId);
      return keepCarriers(
        state,
        ({ source, seq }) =>
          seq > decision.basis || source.toolUseId === undefined || !gone.has(source.toolUseId),
      );
    }
    case "repair":
      return withoutCalls(state, decision);
    default:
      return state;
  }
}

/** The covered part decides the summary's trust, also where it was made of the notes. */
function afterCompaction(
  state: TaintState,
  { basis, kept, summary, attachments }: CompactDecision,
  location: Location,
  locations: TrustLocations,
): TaintState {
  const wasTainted = state.areNotesTainted || [...carriersOf(state.carriers)].some(({ seq }) => seq <= basis);
  const isKept = (seq: number) => isInSegment(kept, seq);
  let next = keepCarriers(state, ({ seq }) => seq > basis || isKept(seq));
  if (wasTainted && summary !== undefined) next = add(next, { kind: "summary" }, location);
  for (const message of attachments) {
    const text = typeof message.content === "string" ? message.content : undefined;
    const flaw = noticeFlaw(message.subtype ?? "unknown", text, state.wasTainted, locations);
    if (flaw !== null) next = add(next, flaw, location);
  }
  return next;
}

function add(state: TaintState, flaw: ResultFlaw, { id, seq }: Location, toolUseId?: string): TaintState {
  const { kind, name } = flaw;
  const source: { -readonly [Name in keyof TaintSource]: TaintSource[Name] } = { kind, entry: id };
  if (name !== undefined) source.name = name;
  if (toolUseId !== undefined) source.toolUseId = toolUseId;
  return { ...state, wasTainted: true, carriers: { source, seq, before: state.carriers } };
}

function keepCarriers(state: TaintState, keep: (carrier: Carriers) => boolean): TaintState {
  return { ...state, carriers: keptCarriers(state.carriers, keep) };
}

/** A result that is sent as text can no longer be cleared. */
function withoutCalls(state: TaintState, { steps }: RepairDecision): TaintState {
  const asText = new Set(steps.flatMap((step) => (step.repair === "to-text" ? step.place.entry : [])));
  if (asText.size === 0) return state;
  const carriers = changedCarriers(state.carriers, ({ source }) => {
    const { toolUseId: _cleared, ...rest } = source;
    return asText.has(source.entry) ? rest : source;
  });
  return { ...state, carriers };
}
