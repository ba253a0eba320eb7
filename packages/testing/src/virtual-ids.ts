import { type Ids, PalimpsestError } from "@palimpsest/core/spec";

const safePart = /^[A-Za-z0-9-]+$/;

/**
 * Ids that count: `message_000001`, `message_000002`. Processes that share a disk need different labels, else their
 * ids are equal: `createVirtualIds("b")` gives `message_b000001`.
 */
export function createVirtualIds(label = ""): Ids {
  const counts = new Map<string, number>();
  return {
    next(prefix) {
      if (!safePart.test(prefix) || (label !== "" && !safePart.test(label))) {
        throw new PalimpsestError("invalid-input", `“${prefix}” and “${label}” do not make a safe id.`);
      }
      const count = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, count);
      return `${prefix}_${label}${String(count).padStart(6, "0")}`;
    },
  };
}
