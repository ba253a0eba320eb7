import type { BackgroundWork, WorkKind, WorkOrder } from "@palimpsest/core/spec";

/** Whether somebody stands ready for work of this kind. Where that cannot be told, nobody does. */
export async function hasWorker(work: BackgroundWork, kind: WorkKind): Promise<boolean> {
  const workers = await work.workers(kind);
  return workers.ok && workers.value > 0;
}

/** Whether somebody else does the work: it is queued, and a worker for it is there. What goes wrong leaves it here. */
export async function handOver(work: BackgroundWork, order: WorkOrder): Promise<boolean> {
  return (await hasWorker(work, order.kind)) && (await work.enqueue(order)).ok;
}
