import type { IntentState, Ledgers, Message } from "../../packages/core/src/spec/index.ts";
import { createLedgers } from "../../packages/core/src/view/ledgers/index.ts";
import { answered, called, failed, said, toEntries } from "./ledger-entries.ts";

/** A conversation in one language, as people label them. */
export interface LabelledDialogue {
  readonly id: string;
  readonly turns: readonly DialogueTurn[];
  readonly labels: {
    readonly requests: readonly { readonly turn: number; readonly state: LabelledState }[];
    readonly orders: readonly OrderLabel[];
    /** Held for orders by one labeller alone, or ended for one alone: they count for nothing. */
    readonly disputed?: readonly Pick<OrderLabel, "turn" | "text">[];
  };
}

/**
 * An agent's turn is its calls, as `Edit a.ts` or `Bash npm test (exit 1)`, and what it said behind them; `interrupted`
 * where the user broke it off.
 */
type DialogueTurn =
  | { readonly user: string }
  | { readonly agent: string; readonly calls?: readonly string[]; readonly interrupted?: boolean };

type LabelledState = "open" | "done" | "cancelled" | "replaced";

interface OrderLabel {
  readonly turn: number;
  /** A sentence of the user's, word for word. */
  readonly text: string;
  /** The turn in which the user revokes it. */
  readonly revokedAt: number | null;
}

export interface Verdict {
  readonly dialogue: string;
  readonly turn: number;
  readonly expected: string;
  readonly judged: string;
}

export interface JudgedDialogue {
  readonly requests: readonly Verdict[];
  /** `in force`, `revoked`, or `not heard`. */
  readonly orders: readonly Verdict[];
  /** Sentences held for orders that nobody has labelled as one. */
  readonly falseOrders: readonly {
    readonly dialogue: string;
    readonly turn: number;
    readonly text: string;
  }[];
}

const labelOf: Readonly<Record<IntentState, LabelledState>> = {
  open: "open",
  done: "done",
  cancelled: "cancelled",
  superseded: "replaced",
};

/** What the ledgers make of a conversation, beside what people say of it. */
export function judgeDialogue({ id, turns, labels }: LabelledDialogue): JudgedDialogue {
  const { messages, positionOf } = toMessages(turns);
  const ledgers = ledgersOf(messages);
  const known = [...labels.orders, ...(labels.disputed ?? [])];
  const entryOf = (turn: number) => `e${(positionOf.get(turn) ?? -1) + 1}`;
  return {
    requests: labels.requests.map(({ turn, state }) => {
      const record = ledgers.intents.find(({ entry }) => entry === entryOf(turn));
      return { dialogue: id, turn, expected: state, judged: record ? labelOf[record.state] : "not there" };
    }),
    orders: labels.orders.map(({ turn, text, revokedAt }) => ({
      dialogue: id,
      turn,
      expected: revokedAt === null ? "in force" : "revoked",
      judged: judgeOrder(ledgers, entryOf(turn), text),
    })),
    falseOrders: turns.flatMap((_turn, turn) =>
      ledgers.orders
        .filter(({ entry }) => entry === entryOf(turn))
        .filter((order) => !known.some((label) => label.turn === turn && areSame(order.text, label.text)))
        .map(({ text }) => ({ dialogue: id, turn, text })),
    ),
  };
}

function ledgersOf(messages: readonly Message[]): Ledgers {
  const writer = createLedgers();
  for (const entry of toEntries(messages)) writer.add(entry);
  return writer.ledgers();
}

const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim();

function areSame(one: string, other: string): boolean {
  return plain(one).includes(plain(other)) || plain(other).includes(plain(one));
}

function judgeOrder({ orders }: Ledgers, entry: string, text: string): string {
  const heard = orders.filter((order) => order.entry === entry && areSame(order.text, text));
  if (heard.length === 0) return "not heard";
  return heard.every(({ revokedBy }) => revokedBy === undefined) ? "in force" : "revoked";
}

/** Messages as a harness writes them, and where each turn of a user stands among them. */
function toMessages(turns: readonly DialogueTurn[]) {
  const messages: Message[] = [];
  const positionOf = new Map<number, number>();
  for (const [turn, one] of turns.entries()) {
    if ("user" in one) {
      positionOf.set(turn, messages.length);
      messages.push(said(one.user));
      continue;
    }
    for (const [at, call] of (one.calls ?? []).entries()) {
      const id = `t${turn}-${at}`;
      const [tool = "Bash", ...rest] = call.replace(exitCode, "").split(" ");
      const code = exitCode.exec(call)?.[1];
      messages.push(called(id, tool, inputOf(tool, rest.join(" "))));
      messages.push(code === undefined || code === "0" ? answered(id) : failed(id, `Exit code ${code}`));
    }
    const stopReason = one.interrupted ? undefined : "end_turn";
    if (one.agent.trim() !== "" || stopReason !== undefined)
      messages.push({ type: "assistant", content: one.agent, ...(stopReason && { stopReason }) });
    if (one.interrupted) messages.push(said("[Request interrupted by user]"));
  }
  return { messages, positionOf };
}

const exitCode = / \(exit (\d+)\)$/;

function inputOf(tool: string, argument: string) {
  return tool === "Bash" ? { command: argument } : { file_path: argument, pattern: argument };
}
