import type { WorkOrder } from "../../../spec/index.ts";

/** What a worker does, for a person to read. */
export type WorkerEvent =
  | { readonly type: "work-start"; readonly id: string; readonly order: WorkOrder; readonly attempt: number }
  | {
      readonly type: "work-end";
      readonly id: string;
      readonly order: WorkOrder;
      /** `again`: it is put back, and nobody's fault. `failed`: it is tried again later, if there are attempts left. */
      readonly outcome: "done" | "again" | "stopped" | "failed";
      readonly message: string;
    }
  /** The worker waits for the server, and goes on when it is back. */
  | { readonly type: "server-away"; readonly message: string }
  | { readonly type: "server-back" };
