import { readAttachmentText } from "@palimpsest/core/internal";
import { isBlock, type Notice, type View } from "@palimpsest/core/spec";

const skillTool = "Skill";
/** How an invoked skill is brought back. */
export const skillSubtype = "skill";

/** The skills whose text stands in the view, as it was given: each once, the newest first. */
export function invokedSkills({ items }: Pick<View, "items">): readonly Notice[] {
  const calls = new Set<string>();
  const texts = new Map<string, Notice>();
  const keep = (text: string) => {
    const name = /<skill name="([^"]*)">/.exec(text)?.[1];
    if (name === undefined) return;
    texts.delete(name);
    texts.set(name, { subtype: skillSubtype, text });
  };
  for (const { block } of items) {
    if (isBlock(block, "tool_use") && block.name === skillTool) calls.add(block.id);
    else if (isBlock(block, "tool_result") && calls.has(block.tool_use_id) && !block.is_error)
      keep(textOf(block.content));
    else if (isBlock(block, "text")) {
      const attached = readAttachmentText(block.text);
      if (attached?.subtype === skillSubtype) keep(attached.text);
    }
  }
  return [...texts.values()].toReversed();
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.flatMap((block) => (block?.type === "text" ? String(block.text) : [])).join("\n");
}
