import type {
  CommandRecord,
  ErrorRecord,
  FileRecord,
  PlanRecord,
  TodoRecord,
  UserMessageRecord,
} from "../../spec/index.ts";
import { type IntentSnapshot, noIntents } from "../intents/intent-state.ts";
import { noOrders, type OrderSnapshot } from "../intents/standing-orders.ts";
import { type AnswerSnapshot, noAnswers } from "./answer-ledger.ts";
import { type NamedFilesSnapshot, noNamedFiles } from "./ledger-parts.ts";
import type { ToolCall } from "./tool-call.ts";

/** Everything the ledgers know at some entry. Plain data that never changes. */
export interface LedgerSnapshot {
  readonly userMessages: readonly UserMessageRecord[];
  readonly intents: IntentSnapshot;
  readonly orders: OrderSnapshot;
  readonly answers: AnswerSnapshot;
  readonly files: ReadonlyMap<string, FileRecord>;
  readonly named: NamedFilesSnapshot;
  readonly commands: readonly CommandRecord[];
  readonly olderCommands: number;
  readonly todos: readonly TodoRecord[];
  readonly todosRequest: string | undefined;
  readonly plan: PlanRecord | null;
  readonly planRequest: string | undefined;
  /** By tool and key. */
  readonly errors: ReadonlyMap<string, ErrorRecord>;
  readonly olderErrors: number;
  /** The calls that have no result yet, by tool use. */
  readonly calls: ReadonlyMap<string, ToolCall>;
}

export const emptyLedgers: LedgerSnapshot = {
  userMessages: [],
  intents: noIntents,
  orders: noOrders,
  answers: noAnswers,
  files: new Map(),
  named: noNamedFiles,
  commands: [],
  olderCommands: 0,
  todos: [],
  todosRequest: undefined,
  plan: null,
  planRequest: undefined,
  errors: new Map(),
  olderErrors: 0,
  calls: new Map(),
};
