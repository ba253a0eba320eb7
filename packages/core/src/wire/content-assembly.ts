import { isRecord, type JsonObject, parseJson } from "../json/json-values.ts";
import {
  type BlockDelta,
  type BrokenCall,
  type ContentBlock,
  fail,
  isBlock,
  type ModelEvent,
  ok,
  type Result,
} from "../spec/index.ts";

export type BlockEvent = Extract<ModelEvent, { readonly type: "block-start" | "block-delta" | "block-end" }>;

interface AssembledContent {
  readonly content: readonly ContentBlock[];
  readonly brokenCalls: readonly BrokenCall[];
}

/** Puts a response together while it comes. What does not fit is `malformed-response`: no block twice, none lost. */
interface ContentAssembly {
  /** Takes the next event and gives it back; a `block-end` with its block, whatever it came with. */
  add(event: BlockEvent): Result<BlockEvent>;
  /** The content of a whole response. Fails while a block is open. */
  end(stopReason: string | null): Result<AssembledContent>;
  /** The content so far: open blocks as far as they came, a call that is open among the broken ones. */
  partial(): AssembledContent;
}

interface BlockAssembly {
  block: ContentBlock;
  json: string;
  /** Its input comes in pieces. */
  isCall: boolean;
  state: "open" | "whole" | "broken";
}

/** Calls of our tools, of the server's and of other servers'. */
const callTypes = /^(?:\w+_)?tool_use$/;

/** The reasons of an answer that was cut: a call without a byte of input was not meant to have none. */
const cutReasons: ReadonlySet<string | null> = new Set(["max_tokens", "model_context_window_exceeded"]);

export function createContentAssembly(): ContentAssembly {
  const blocks: BlockAssembly[] = [];

  function start(index: number, block: ContentBlock): Result<BlockEvent> {
    if (!isRecord(block) || typeof block.type !== "string") return refuseMalformed("a block is none", index);
    if (index !== blocks.length) return refuseMalformed("a block begins out of order", index);
    blocks.push({ block, json: "", isCall: callTypes.test(block.type), state: "open" });
    return ok({ type: "block-start", index, block });
  }

  function grow(index: number, delta: BlockDelta): Result<BlockEvent> {
    const assembling = blocks[index];
    if (assembling === undefined) return refuseMalformed("a piece comes before its block", index);
    if (assembling.state !== "open")
      return refuseMalformed("a piece comes behind the end of its block", index);
    const block = isRecord(delta) ? mergeDelta(assembling.block, delta as BlockDelta) : undefined;
    if (block === undefined)
      return refuseMalformed(`a piece does not belong to ${assembling.block.type}`, index);
    assembling.block = block;
    if (delta.type === "input") {
      assembling.isCall = true;
      assembling.json += delta.json;
    }
    return ok({ type: "block-delta", index, delta });
  }

  function finish(index: number): Result<BlockEvent> {
    const assembling = blocks[index];
    if (assembling === undefined) return refuseMalformed("a block ends that never began", index);
    if (assembling.state !== "open") return refuseMalformed("a block ends twice", index);
    assembling.state = parseInput(assembling);
    const isWhole = assembling.state === "whole";
    return ok({ type: "block-end", index, ...(isWhole && { block: assembling.block }) });
  }

  return {
    add(event) {
      if (event.type === "block-start") return start(event.index, event.block);
      return event.type === "block-delta" ? grow(event.index, event.delta) : finish(event.index);
    },
    end(stopReason) {
      const open = blocks.findIndex(({ state }) => state === "open");
      if (open !== -1) return refuseMalformed("a block never ends", open);
      const last = blocks.at(-1);
      if (last?.block.type === "tool_use" && last.json === "" && cutReasons.has(stopReason)) {
        last.state = "broken";
      }
      return ok(collect(blocks));
    },
    partial() {
      const begun = blocks.filter(({ state, block }) => state !== "open" || !isBlank(block));
      return collect(begun.map((one) => (one.state === "open" ? { ...one, state: cutState(one) } : one)));
    },
  };
}

/** Reads the input of a call. The API takes back objects only: anything else is as broken as no JSON. */
function parseInput(assembling: BlockAssembly): "whole" | "broken" {
  if (!assembling.isCall) return "whole";
  const input = assembling.json === "" ? inputOf(assembling.block) : parseJson(assembling.json);
  if (!isRecord(input)) return "broken";
  assembling.block = { ...assembling.block, input };
  return "whole";
}

const cutState = ({ isCall }: BlockAssembly) => (isCall ? "broken" : "whole");

/** Nothing has come of it yet: the API would refuse it as it is. */
const isBlank = (block: ContentBlock) =>
  (isBlock(block, "text") && block.text === "") || (isBlock(block, "thinking") && block.thinking === "");

function collect(blocks: readonly BlockAssembly[]): AssembledContent {
  return {
    content: blocks.filter(({ state }) => state === "whole").map(({ block }) => block),
    brokenCalls: blocks.filter(({ state }) => state === "broken").map(toBrokenCall),
  };
}

function inputOf(block: ContentBlock): unknown {
  return "input" in block ? block.input : {};
}

function toBrokenCall({ block, json }: BlockAssembly): BrokenCall {
  const { id, name } = block as { readonly id?: unknown; readonly name?: unknown };
  return { toolUseId: toText(id), name: toText(name), json };
}

const toText = (value: unknown) => (typeof value === "string" ? value : "");

function refuseMalformed(what: string, index: number): Result<never> {
  return fail("malformed-response", `The response cannot be put together: ${what} (block ${index}).`, {
    retryable: true,
    fix: "Try again; if it stays, check proxies between you and the model's server.",
    facts: { block: index },
  });
}

/** Which block of the known ones a piece belongs to; a block without a name here takes any. */
const owners: Readonly<Record<string, readonly BlockDelta["type"][]>> = {
  text: ["text", "other"],
  thinking: ["thinking", "signature", "other"],
  tool_use: ["input", "other"],
  redacted_thinking: [],
  image: [],
  document: [],
  tool_result: [],
};

/**
 * The block with one more piece, as the API itself would put it together; undefined where the piece cannot belong to the
 * block. Pieces of an input are not merged here: they are JSON only when all of them are there.
 */
function mergeDelta(block: ContentBlock, delta: BlockDelta): ContentBlock | undefined {
  const takes = Object.hasOwn(owners, block.type) ? owners[block.type] : undefined;
  if (takes !== undefined && !takes.includes(delta.type)) return undefined;
  switch (delta.type) {
    case "text":
      return appendToField(block, "text", delta.text);
    case "thinking":
      return appendToField(block, "thinking", delta.thinking);
    case "signature":
      return appendToField(block, "signature", delta.signature);
    case "input":
      return typeof delta.json === "string" ? block : undefined;
    case "other":
      return isRecord(delta.delta) ? mergeOther(block, delta.delta) : undefined;
    default:
      return undefined;
  }
}

function appendToField(block: ContentBlock, field: string, piece: unknown): ContentBlock | undefined {
  const before = (block as JsonObject)[field] ?? "";
  if (typeof before !== "string" || typeof piece !== "string") return undefined;
  return { ...block, [field]: before + piece };
}

/**
 * A citation goes behind those before it, and a compaction comes whole. What has no name yet is joined field by field:
 * texts and lists grow, anything else takes the place of what was there.
 */
function mergeOther(block: ContentBlock, { type, ...pieces }: JsonObject): ContentBlock {
  const before = block as JsonObject;
  if (type === "citations_delta") {
    const citations = Array.isArray(before.citations) ? before.citations : [];
    return { ...block, citations: [...citations, pieces.citation] };
  }
  if (type === "compaction_delta") return { ...block, ...pieces };
  const grown = Object.entries(pieces).map(([field, piece]) => {
    const there = Object.hasOwn(before, field) ? before[field] : undefined;
    if (typeof there === "string" && typeof piece === "string") return [field, there + piece] as const;
    if (Array.isArray(there) && Array.isArray(piece)) return [field, [...there, ...piece]] as const;
    return [field, piece] as const;
  });
  return { ...block, ...Object.fromEntries(grown) };
}

interface AssembledResponse extends AssembledContent {
  /** The response came to its end. */
  readonly isWhole: boolean;
}

/**
 * The content of a response's events, whether it came whole or was cut. Of a cut one there is the text so far; a call
 * that was cut is named among the broken ones. Pure.
 */
export function assembleContent(events: Iterable<ModelEvent>): Result<AssembledResponse> {
  const assembly = createContentAssembly();
  for (const event of events) {
    if (event.type === "response-start") continue;
    if (event.type === "response-end") {
      const ended = assembly.end(event.stopReason);
      return ended.ok ? ok({ ...ended.value, isWhole: true }) : ended;
    }
    const added = assembly.add(event);
    if (!added.ok) return added;
  }
  return ok({ ...assembly.partial(), isWhole: false });
}
