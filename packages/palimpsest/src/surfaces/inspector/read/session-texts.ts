import { betweenBlocks, messageItems, validEntry } from "@palimpsest/core/internal";
import { type BlobRef, type Entry, fail, ok, type Result } from "@palimpsest/core/spec";
import type { ItemText } from "../inspected.ts";
import { readSystem, readTools } from "./head-items.ts";
import { blockText, type ItemLocation, type RegisteredItem } from "./item-register.ts";

/** Reads an entry again by its sequence number, large values written out. */
export type ReadEntry = (seq: number) => Promise<Result<Entry>>;

/** The most characters of what a fold or a summary stands for. */
const maxCoveredChars = 1_000_000;

/** The texts of some items, in the order in which they were asked for. Only what is asked for is read. */
export async function readTexts(
  numbers: readonly number[],
  itemAt: (number: number) => RegisteredItem | undefined,
  readEntry: ReadEntry,
): Promise<Result<readonly ItemText[]>> {
  const entries = new Map<number, Promise<Result<Entry>>>();

  async function textAt({ seq, part, index, lastIndex }: ItemLocation): Promise<string> {
    const reading = entries.get(seq) ?? readEntry(seq);
    entries.set(seq, reading);
    const read = await reading;
    if (!read.ok) return `[it cannot be read: ${read.error.message}]`;
    if (part === "message") return messageText(read.value, index, lastIndex);
    return headText(read.value, part, index) ?? "";
  }

  async function shownText({ text, place }: RegisteredItem): Promise<string> {
    return text ?? (place ? textAt(place) : "");
  }

  async function coveredText(covers: readonly number[]): Promise<string> {
    const parts: string[] = [];
    let chars = 0;
    for (const [at, number] of covers.entries()) {
      const covered = itemAt(number);
      if (!covered) continue;
      const text = `── ${covered.item.role}: ${covered.item.kind}\n${await originalText(covered)}`;
      chars += text.length;
      if (chars > maxCoveredChars) {
        parts.push(`── ${covers.length - at} more; open them one by one`);
        break;
      }
      parts.push(text);
    }
    return parts.join("\n\n");
  }

  async function originalText(registered: RegisteredItem): Promise<string> {
    const { item, place } = registered;
    if (item.covers) return coveredText(item.covers);
    return place ? textAt(place) : shownText(registered);
  }

  const texts: ItemText[] = [];
  for (const number of numbers) {
    const registered = itemAt(number);
    if (!registered) return noItem(number);
    const shown = await shownText(registered);
    texts.push(registered.item.hasOriginal ? { shown, original: await originalText(registered) } : { shown });
  }
  return ok(texts);
}

function noItem(number: number): Result<never> {
  return fail("not-found", `There is no item ${number} in this session.`, {
    fix: "Ask for numbers of items that the session has.",
  });
}

function messageText(given: Entry, index: number, lastIndex = index): string {
  const entry = validEntry(given);
  if (entry.kind !== "message") return "";
  const items = messageItems(entry.message, { entry: entry.id, seq: entry.seq });
  return items
    .slice(index, lastIndex + 1)
    .map(({ block }) => blockText(block))
    .join(betweenBlocks);
}

function headText(entry: Entry, part: "system" | "tools", index: number): string | undefined {
  const ref = headRef(entry, part);
  if (part === "system") return readSystem(ref)[index]?.text;
  const tool = readTools(ref)[index];
  return tool && JSON.stringify(tool, null, 2);
}

function headRef(entry: Entry, part: "system" | "tools"): BlobRef | undefined {
  if (entry.kind === "session") return entry.session[part];
  return entry.kind === "note" && entry.note.topic === "head" ? entry.note[part] : undefined;
}
