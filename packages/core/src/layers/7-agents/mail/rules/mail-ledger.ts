import {
  type Entry,
  fail,
  isBlock,
  type Mail,
  ok,
  type Result,
  type StructuredMessage,
} from "../../../../spec/index.ts";
import { type MessageMark, readMailLine, readSentLine } from "./check-message.ts";
import { type Exchanges, nextExchanges, noExchanges } from "./exchanges.ts";

export const mailSubtype = "mail";
export const sendToolName = "SendMessage";

/** Messages between agents in a log: the record by which none is taken in twice. */
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
    exchanges = afterMessage(exchanges, "received", line.from, line.mark);
  }

  function addSent(text: string): void {
    const line = readSentLine(text);
    if (line) exchanges = afterMessage(exchanges, "sent", line.to, line.mark);
  }

  return {
    add(entry) {
      if (entry.kind !== "message") return;
      const { type, subtype, content } = entry.message;
      if (type === "attachment")
        return subtype === mailSubtype ? addReceived(joinedTexts(content)) : undefined;
      if (typeof content === "string") return;
      for (const block of content) {
        if (isBlock(block, "tool_use") && block.name === sendToolName) calls.add(block.id);
        if (isBlock(block, "tool_result") && calls.delete(block.tool_use_id) && !block.is_error)
          addSent(joinedTexts(block.content));
      }
    },
    addReceived,
    addSent,
    hasReceived: (id) => received.has(id),
    exchanges: () => exchanges,
  };
}

/** A message refused at its time is refused again, and changes nothing. */
function afterMessage(
  exchanges: Exchanges,
  direction: "sent" | "received",
  peer: string,
  mark: MessageMark | undefined,
): Exchanges {
  if (!mark) return exchanges;
  const next = nextExchanges(exchanges, { direction, peer, message: mark as StructuredMessage });
  return next.ok ? next.value : exchanges;
}

function joinedTexts(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block) => (isBlock(block, "text") ? block.text : "")).join("\n");
}

export interface RetentionLimits {
  readonly maxWaiting: number;
  readonly maxAgeMs: number;
  readonly maxMailBytes: number;
}

/** Whether a mailbox takes one more mail. A full one refuses: what was accepted is not pushed out. */
export function decideAdmission(
  { waiting, bytes, to }: { readonly waiting: number; readonly bytes: number; readonly to: string },
  limits: RetentionLimits,
): Result<void> {
  if (bytes > limits.maxMailBytes)
    return fail(
      "too-large",
      `The mail has ${bytes} bytes, over the ${limits.maxMailBytes} that one may have.`,
      {
        path: to,
        fix: "Write it into a file, and send where it is.",
        facts: { bytes, maxMailBytes: limits.maxMailBytes },
      },
    );
  if (waiting < limits.maxWaiting) return ok();
  return fail("too-large", `The mailbox of ${to} is full: ${waiting} mails wait in it.`, {
    path: to,
    fix: "Send it again once the receiver has read some of them.",
    retryable: true,
    facts: { waiting, maxWaiting: limits.maxWaiting },
  });
}

/** Whether a mail has waited too long. One from the future has a clock that cannot be believed, and is kept. */
export function isExpired(
  at: string,
  nowMs: number,
  { maxAgeMs }: Pick<RetentionLimits, "maxAgeMs">,
): boolean {
  const sentMs = Date.parse(at);
  return Number.isFinite(sentMs) && nowMs - sentMs > maxAgeMs;
}

/** New mails among those that were taken, and known ones. */
interface SettledMail {
  /** In order per sender; senders in the order of their first mail. */
  readonly fresh: readonly Mail[];
  /** Ids that the receiver has: they are only to be acknowledged. */
  readonly known: readonly string[];
}

/** Leaves out what was received before, also twice at once, and puts each sender's mails in order. */
export function settleMail(mails: readonly Mail[], isKnown: (id: string) => boolean): SettledMail {
  const bySender = new Map<string, Mail[]>();
  const seen = new Set<string>();
  const known = new Set<string>();
  for (const mail of mails) {
    if (isKnown(mail.id)) known.add(mail.id);
    if (isKnown(mail.id) || seen.has(mail.id)) continue;
    seen.add(mail.id);
    const lane = bySender.get(mail.from) ?? [];
    lane.push(mail);
    bySender.set(mail.from, lane);
  }
  const fresh = [...bySender.values()].flatMap((lane) =>
    lane.toSorted((one, other) => (one.seq ?? 0) - (other.seq ?? 0)),
  );
  return { fresh, known: [...known] };
}
