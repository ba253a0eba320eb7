import type {
  CommandRecord,
  ErrorRecord,
  FileRecord,
  PlanRecord,
  TodoRecord,
  UserMessageRecord,
} from "../../spec/index.ts";
import type { ToolCall } from "./tool-call.ts";

/** Everything the ledgers know at some entry. Plain data that never changes. */
export interface LedgerSnapshot {
  readonly userMessages: readonly UserMessageRecord[];
  readonly files: ReadonlyMap<string, FileRecord>;
  readonly commands: readonly CommandRecord[];
  readonly olderCommands: number;
  readonly todos: readonly TodoRecord[];
  readonly plan: PlanRecord | null;
  /** By tool and key. */
  readonly errors: ReadonlyMap<string, ErrorRecord>;
  readonly olderErrors: number;
  /** The calls that have no result yet, by tool use. */
  readonly calls: ReadonlyMap<string, ToolCall>;
}

export const emptyLedgers: LedgerSnapshot = {
  userMessages: [],
  files: new Map(),
  commands: [],
  olderCommands: 0,
  todos: [],
  plan: null,
  errors: new Map(),
  olderErrors: 0,
  calls: new Map(),
};
