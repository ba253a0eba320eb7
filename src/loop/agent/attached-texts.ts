import { readAttachmentText } from "../../context/projection/attachment-text.ts";
import { isBlock, type View } from "../../spec/index.ts";

/** What was attached of one kind and still stands before the model's eyes, the oldest first. */
export function attachedTexts({ items }: Pick<View, "items">, subtype: string): readonly string[] {
  return items.flatMap(({ block }) => {
    const attached = isBlock(block, "text") ? readAttachmentText(block.text) : undefined;
    return attached?.subtype === subtype ? [attached.text] : [];
  });
}
