import { type ContentBlock, isBlock } from "../spec/index.ts";

/** A block without anybody's cache markers, inside a result too; the very same one where there are none. */
export function withoutMarkers(block: ContentBlock): ContentBlock {
  const bare = withoutMarker(block) as ContentBlock;
  if (!isBlock(bare, "tool_result") || !Array.isArray(bare.content)) return bare;
  const content = bare.content.map(withoutMarker) as readonly ContentBlock[];
  const isSame = content.every((inner, index) => inner === bare.content?.[index]);
  return isSame ? bare : { ...bare, content };
}

/** The same for anything that may have a marker: a tool, a text of the system prompt. */
export function withoutMarker<Value extends object>(value: Value): Value {
  if (!("cache_control" in value)) return value;
  const { cache_control: _marker, ...bare } = value;
  return bare as Value;
}
