import { type Entry, isBlock, type StructuredMessage } from "../../../../spec/index.ts";
import { type Exchanges, nextExchanges, noExchanges } from "./exchanges.ts";
import { type MessageMark, readMailLine, readSentLine } from "./mail-lines.ts";

export const mailSubtype = "mail";
export const sendToolName = "SendMessage";

/** What a log says of messages between agents: it is the record by which none is taken in twice. */
export interface MailLedger {
  /** Entries of the log, in order. */
  add(entry: Entry): void;
  /** Whether a mail is in the log, rewound or compacted as it may be. */
  hasReceived(id: string): boolean;
  /** A mail as it was attached. */
  addReceived(text: string): void;
  /** A result of SendMessage. */
  addSent(text: string): void;
  exchanges(): Exchanges;
}

export function createMailLedger(): MailLedger {
  const received = new Set<string>();
  const calls = new Set<string>();
  let exchanges = noExchanges;

  function addReceived(text: string): void {
    const line = readMailLine(text);
    if (!line || received.has(line.id)) return;
    received.add(line.id);
    exchanges = after(exchanges, "received", line.from, line.mark);
  }

  function addSent(text: string): void {
    const line = readSentLine(text);
    if (line) exchanges = after(exchanges, "sent", line.to, line.mark);
  }

  return {
    add(entry) {
      if (entry.kind !== "message") return;
      const { type, subtype, content } = entry.message;
      if (type === "attachment") return subtype === mailSubtype ? addReceived(textOf(content)) : undefined;
      if (typeof content === "string") return;
      for (const block of content) {
        if (isBlock(block, "tool_use") && block.name === sendToolName) calls.add(block.id);
        if (isBlock(block, "tool_result") && calls.delete(block.tool_use_id) && !block.is_error)
          addSent(textOf(block.content));
      }
    },
    addReceived,
    addSent,
    hasReceived: (id) => received.has(id),
    exchanges: () => exchanges,
  };
}

/** What was refused at its time is refused again, and changes nothing. */
function after(
  exchanges: Exchanges,
  direction: "sent" | "received",
  peer: string,
  mark: MessageMark | undefined,
): Exchanges {
  if (!mark) return exchanges;
  const next = nextExchanges(exchanges, { direction, peer, message: mark as StructuredMessage });
  return next.ok ? next.value : exchanges;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block) => (isBlock(block, "text") ? block.text : "")).join("\n");
}
