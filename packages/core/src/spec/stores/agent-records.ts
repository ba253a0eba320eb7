import type { AgentRegistration } from "../agent-message.ts";
import type { Result } from "../result.ts";

/** An agent that other processes may write to. */
export type AgentRecord = Pick<AgentRegistration, "id" | "name" | "socket">;

/** Who runs in a project, in any process of any machine that shares the store. A name belongs to one live process. */
export interface AgentRecords {
  /** `exists` while a live process has the name. Gives how to give it back; that never throws. */
  add(record: AgentRecord): Promise<Result<() => Promise<void>>>;
  /**
   * Those whose processes are not known to be dead, sorted by name. A `socket` is told only where this machine can open
   * it: whoever is elsewhere is written to by the mailbox.
   */
  list(): Promise<Result<readonly AgentRecord[]>>;
}
