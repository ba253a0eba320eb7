import type { BackgroundWork, WorkOrder } from "../../spec/index.ts";

/** Whether somebody else does the work: it is queued, and a worker for it is there. What goes wrong leaves it here. */
export async function handOver(work: BackgroundWork | undefined, order: WorkOrder): Promise<boolean> {
  if (!work) return false;
  const workers = await work.workers(order.kind);
  if (!workers.ok || workers.value === 0) return false;
  return (await work.enqueue(order)).ok;
}
