import { askedModelAfter } from "@palimpsest/core/internal";
import {
  type Entry,
  isBlock,
  type Message,
  PalimpsestError,
  type Session,
  type Usage,
} from "@palimpsest/core/spec";
import { promptText } from "../../local/sessions/entry-text.ts";
import { formatCount } from "../../terminal/format-amount.ts";
import { type Cost, noCost } from "../state/chat-state.ts";
import type { TranscriptItem } from "../state/pager.ts";
import { addedUsage, type PartBody } from "../state/part.ts";
import { blocksOf, valueText } from "./read-transcript-items.ts";

/** So many of the newest parts are shown again; the transcript has all of them. */
const shownParts = 40;
/** More are held back, since a rewind may take the newest away. */
const heldParts = 2_000;

interface SessionPast {
  readonly parts: readonly PartBody[];
  readonly cost: Cost;
  /** Prompts that can be gone back to, oldest first. */
  readonly prompts: readonly PastPrompt[];
}

interface PastPrompt {
  readonly text: string;
  readonly at: string;
  /** The entry before it; absent where it is the first. */
  readonly before?: string;
}

type Dollars = (usage: Usage, answered: string | undefined, asked: string) => number;
type Dated<T> = T & { readonly seq: number };

/** The past of a session, from its log. */
export async function readPast(entries: AsyncIterable<Entry>, dollars: Dollars): Promise<SessionPast> {
  let parts: Dated<{ readonly body: PartBody }>[] = [];
  let prompts: Dated<{ readonly prompt: PastPrompt }>[] = [];
  const calls = new Map<string, { readonly tool: string; readonly input: unknown }>();
  const costs = createCosts(dollars);
  let before: string | undefined;
  let asked: string | undefined;
  let count = 0;
  for await (const entry of entries) {
    const { seq } = entry;
    asked = askedModelAfter(entry, asked);
    if (entry.kind === "decision" && entry.decision.type === "rewind") {
      const { toSeq } = entry.decision;
      parts = parts.filter((part) => part.seq <= toSeq);
      prompts = prompts.filter((prompt) => prompt.seq <= toSeq);
    }
    if (entry.kind === "note" && entry.note.topic === "fork") costs.takeFork(entry.note);
    if (entry.kind === "message") {
      costs.take(entry.message, asked);
      const text = isSaid(entry.message) ? promptText(entry.message) : undefined;
      if (text !== undefined && before !== undefined)
        prompts.push({ seq, prompt: { text, at: entry.at, before } });
      const found = partsOf(entry.message, calls);
      count += found.length;
      parts.push(...found.map((body) => ({ seq, body })));
      if (parts.length > 2 * heldParts) parts = parts.slice(-heldParts);
    }
    before = entry.id;
  }
  const shown = parts.slice(-shownParts).map(({ body }) => body);
  const hidden = count - shown.length;
  const note = `${formatCount(hidden)} earlier items are not shown; Ctrl+O shows them.`;
  return {
    parts: hidden > 0 ? [{ kind: "note", level: "info", text: note }, ...shown] : shown,
    cost: costs.cost(),
    prompts: prompts.map(({ prompt }) => prompt),
  };
}

function isSaid({ content }: Message): boolean {
  return typeof content === "string" || !content.some((block) => isBlock(block, "tool_result"));
}

function partsOf(
  message: Message,
  calls: Map<string, { readonly tool: string; readonly input: unknown }>,
): readonly PartBody[] {
  if (message.isMeta || message.isAborted || message.isSidechain) return [];
  if (message.type !== "user" && message.type !== "assistant") return [];
  const parts: PartBody[] = [];
  for (const block of blocksOf(message)) {
    if (isBlock(block, "text"))
      parts.push(
        message.type === "user"
          ? { kind: "prompt", text: valueText(block.text) }
          : { kind: "answer", text: valueText(block.text), isFirst: true },
      );
    if (isBlock(block, "tool_use")) calls.set(block.id, { tool: block.name, input: block.input });
    if (isBlock(block, "tool_result")) {
      const { tool = "?", input } = calls.get(block.tool_use_id) ?? {};
      calls.delete(block.tool_use_id);
      const output = valueText(block.content);
      const isError = block.is_error === true;
      parts.push({ kind: "tool", tool, input, output, isError, durationMs: 0, isExpanded: false });
    }
  }
  return parts;
}

/** Several entries of one response tell its usage more than once: the last word counts. */
function createCosts(dollars: Dollars) {
  const responses = new Map<
    string,
    { readonly usage: Usage; readonly model: string | undefined; readonly asked: string }
  >();
  let forkDollars = 0;
  let keepWarm: number | undefined;
  return {
    takeFork({
      dollars: spent = 0,
      forkKind,
    }: {
      readonly dollars?: number;
      readonly forkKind: string;
    }): void {
      forkDollars += spent;
      if (forkKind === "keep-warm") keepWarm = (keepWarm ?? 0) + spent;
    },
    take({ usage, responseId, model }: Message, asked = model ?? ""): void {
      if (usage) responses.set(responseId ?? `${responses.size}`, { usage, model, asked });
    },
    cost(): Cost {
      let cost: Cost = { ...noCost, dollars: forkDollars, ...(keepWarm !== undefined && { keepWarm }) };
      for (const { usage, model, asked } of responses.values()) {
        const prompt = usage.input + usage.cacheRead + usage.cacheCreation;
        cost = {
          ...cost,
          dollars: cost.dollars + dollars(usage, model, asked),
          requests: cost.requests + 1,
          usage: addedUsage(cost.usage, usage),
          ...(prompt > 0 && { cacheShare: usage.cacheRead / prompt }),
        };
      }
      return cost;
    },
  };
}

const pageChars = 200_000;

/** A thing of the transcript whole: what a tool gave is read back, however it is hidden now. */
export async function readOriginal(session: Session, { id, kind, text }: TranscriptItem): Promise<string> {
  if (kind !== "result") return text;
  try {
    const { text: whole } = await session.recall(id, { limit: pageChars });
    return whole;
  } catch (cause) {
    if (PalimpsestError.isInstance(cause)) return `${text}\n\n(${cause.message})`;
    throw cause;
  }
}
