import { checkText } from "./check-text.ts";
import { isRecord } from "./is-record.ts";
import type { Report } from "./report.ts";

/** The system prompt: a string, or text blocks with something in them. */
export function checkSystem(system: unknown, report: Report): void {
  if (system === undefined || typeof system === "string") return;
  if (!Array.isArray(system)) {
    report("system", "system", "Input should be a valid list");
    return;
  }
  for (const [index, block] of system.entries()) {
    const path = `system.${index}`;
    if (!isRecord(block)) report("system", path, "Input should be a valid dictionary");
    else if (block.type !== "text") report("system", `${path}.type`, "Input should be 'text'");
    else checkText(block, path, report);
  }
}
