import { parseRulesHeader, readAttachmentText } from "@palimpsest/core/internal";
import { isBlock, type Notice, type View } from "@palimpsest/core/spec";

/** Of each of these the newest still holds. */
const lastingSubtypes: ReadonlySet<string> = new Set(["surroundings", "mode"]);

/** What the model was told in this view and must not lose: rules files as they were given, where it is, and its mode. */
export function lastingNotices({ items }: Pick<View, "items">): {
  readonly rules: readonly Notice[];
  readonly others: readonly Notice[];
} {
  const rules = new Map<string, Notice>();
  const others = new Map<string, Notice>();
  for (const { block } of items) {
    const notice = isBlock(block, "text") ? readAttachmentText(block.text) : undefined;
    if (!notice) continue;
    const { subtype, text } = notice;
    if (subtype === "rules") {
      const header = parseRulesHeader(text);
      const key = header?.path ?? text;
      rules.delete(key);
      if (header?.sha256 !== "") rules.set(key, { subtype, text });
    } else if (lastingSubtypes.has(subtype)) others.set(subtype, { subtype, text });
  }
  return { rules: [...rules.values()], others: [...others.values()] };
}
