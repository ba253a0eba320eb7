import { formatBytes, formatNumber } from "../../cli/format-amount.ts";

/** Longer texts are marked: the prompt stays readable, and a key costs the same whatever was pasted. */
const maxShownChars = 800;
const maxShownLines = 12;

/** What stands in the prompt for a text that was pasted, and the texts that marks stand for. */
export function markPaste(
  pastes: readonly string[],
  text: string,
): { readonly mark: string; readonly pastes: readonly string[] } {
  const lines = text.split("\n").length;
  if (text.length <= maxShownChars && lines <= maxShownLines) return { mark: text, pastes };
  const size = formatBytes(Buffer.byteLength(text));
  const mark = `[pasted ${pastes.length + 1}: ${formatNumber(lines, "line")}, ${size}]`;
  return { mark, pastes: [...pastes, text] };
}

/** The prompt with every text in the place of its mark. */
export function expandPastes(prompt: string, pastes: readonly string[]): string {
  return prompt.replace(
    /\[pasted (\d+): [\d,]+ lines?, [\d.]+ [kMGTP]?B\]/g,
    (mark, number: string) => pastes[Number(number) - 1] ?? mark,
  );
}
