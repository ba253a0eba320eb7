import { readAttachmentText } from "@palimpsest/core/internal";
import { isBlock, type View } from "@palimpsest/core/spec";

/** What was attached of one kind and still stands before the model's eyes, the oldest first. */
export function attachedTexts({ items }: Pick<View, "items">, subtype: string): readonly string[] {
  return items.flatMap(({ block }) => {
    const attached = isBlock(block, "text") ? readAttachmentText(block.text) : undefined;
    return attached?.subtype === subtype ? [attached.text] : [];
  });
}
