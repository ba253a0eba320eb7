import { expect } from "vitest";
import type { RepairDecision, RepairStep } from "../../packages/core/src/spec/index.ts";
import { project } from "../../packages/core/src/view/projection/project.ts";
import { renderMessages } from "../../packages/core/src/view/request/message-renderer.ts";
import { repairSteps } from "../../packages/core/src/view/request/repair.ts";
import { validate } from "../../packages/core/src/view/request/validator.ts";
import { createHistory, type HistoryWriter, type Operation } from "./histories.ts";

const limits = { images: { maxBytes: 1000, maxSidePixels: 8_000, maxCount: 100 }, maxBreakpoints: 4 };

const decisionOf = (steps: readonly RepairStep[], basis: number): RepairDecision => ({
  type: "repair",
  layer: "engine",
  reason: "a valid request needs it",
  frees: 0,
  basis,
  steps,
});

/** Repairs a log as the engine does before a request: the request is valid, and nothing is left to repair. */
function expectRepaired(history: HistoryWriter): void {
  const { items } = project(history.entries);
  const steps = repairSteps(items, 0, limits);
  if (steps.length > 0)
    history.append({ kind: "decision", decision: decisionOf(steps, history.entries.length) });
  const after = project(history.entries);
  const found = {
    violations: validate({ messages: renderMessages(after.items) }, limits),
    again: repairSteps(after.items, 0, limits),
  };
  expect(found).toEqual({ violations: [], again: [] });
}

/** A request is made at the end, and after every operation whose number is 0. */
export function checkRepair(operations: readonly (readonly [Operation, number])[]): void {
  const history = createHistory();
  for (const [operation, chance] of operations) {
    history.write(operation);
    if (chance === 0) expectRepaired(history);
  }
  expectRepaired(history);
}

/** Of a history only some entries are left, as after damage or an interrupt. */
export function checkRepairOfPart(operations: readonly Operation[], kept: readonly boolean[]): void {
  const whole = createHistory();
  for (const operation of operations) whole.write(operation);
  const part = createHistory();
  for (const [index, entry] of whole.entries.entries()) {
    if (kept[index % Math.max(1, kept.length)] ?? true) part.take(entry);
  }
  expectRepaired(part);
}
