import { isObject, type JsonObject } from "../log/import/json-value.ts";
import type { BlockDelta, ContentBlock } from "../spec/index.ts";

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
export function mergeDelta(block: ContentBlock, delta: BlockDelta): ContentBlock | undefined {
  const takes = Object.hasOwn(owners, block.type) ? owners[block.type] : undefined;
  if (takes !== undefined && !takes.includes(delta.type)) return undefined;
  switch (delta.type) {
    case "text":
      return joined(block, "text", delta.text);
    case "thinking":
      return joined(block, "thinking", delta.thinking);
    case "signature":
      return joined(block, "signature", delta.signature);
    case "input":
      return typeof delta.json === "string" ? block : undefined;
    case "other":
      return isObject(delta.delta) ? mergeOther(block, delta.delta) : undefined;
    default:
      return undefined;
  }
}

function joined(block: ContentBlock, field: string, piece: unknown): ContentBlock | undefined {
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
