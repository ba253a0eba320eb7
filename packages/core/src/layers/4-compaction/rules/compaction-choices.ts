import type { Facts } from "../../../spec/index.ts";

/** Who writes summaries, and what they are asked, where that was set. */
export interface CompactionChoices {
  readonly model?: string;
  readonly prompt?: string;
}

/** Total: what is no text is passed over. */
export function compactionChoicesOf({ settings }: Pick<Facts, "settings">): CompactionChoices {
  const { model, prompt } = (settings.compaction ?? {}) as Readonly<Record<string, unknown>>;
  return { ...(isText(model) && { model }), ...(isText(prompt) && { prompt }) };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
