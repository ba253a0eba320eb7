import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amount } from "../../../../../test/support/amount.ts";
import { addTo } from "../../../../../test/support/check-projection.ts";
import { createHistory, operation } from "../../../../../test/support/histories.ts";
import type { ContentBlock } from "../../spec/index.ts";
import { createProjection } from "../projection/projection.ts";
import { createMessageRenderer } from "./message-renderer.ts";
import { createRepairer, repairSteps } from "./repair.ts";
import { createValidator } from "./validator.ts";

const images = { maxBytes: 10, maxSidePixels: 100, maxCount: 2 };
const limits = { images, maxBreakpoints: 4 };
const image: ContentBlock = { type: "image", source: { type: "base64", media_type: "image/png", data: "A" } };

/** Makes requests of a log, as the engine drives it. */
function createRequests() {
  const history = createHistory();
  const projection = createProjection();
  const renderer = createMessageRenderer();
  const validator = createValidator(limits);
  const repairer = createRepairer(limits);
  let validItems = 0;

  function prepare() {
    const { items } = projection.projected;
    const changedFrom = projection.takeChanged();
    const messages = [...renderer.render(items, changedFrom)];
    const steps = repairer.steps(items, Math.min(validItems, changedFrom));
    validItems = items.length;
    return { steps, violations: validator.validate({ messages }) };
  }

  return {
    history,
    projection,
    prepare,
    work: () => ({
      rendered: renderer.renderedItems,
      checked: validator.checkedMessages,
      looked: repairer.lookedBlocks,
    }),
    take: (entry: ReturnType<typeof history.write>) => {
      if (entry) addTo(projection, entry, history.entries);
    },
  };
}

/** A round of one call; its result has an image where asked. */
function addRound({ history, take }: ReturnType<typeof createRequests>, id: string, hasImage = false): void {
  const use = { type: "tool_use", id, name: "Read", input: { path: id } } as const;
  const content = [{ type: "text", text: "much" }, ...(hasImage ? [image] : [])] as const;
  take(history.append({ kind: "message", message: { type: "assistant", content: [use], responseId: id } }));
  const result = { type: "tool_result", tool_use_id: id, content } as const;
  take(history.append({ kind: "message", message: { type: "user", content: [result] } }));
}

function clear({ history, take }: ReturnType<typeof createRequests>, ids: readonly string[]): void {
  const parts = ids.map((toolUseId) => ({ toolUseId, part: "result" as const, label: "cleared" }));
  const head = { layer: "test", reason: "asked to", frees: 1, basis: history.entries.length } as const;
  take(history.append({ kind: "decision", decision: { ...head, type: "clear", parts } }));
}

describe("replaced blocks", () => {
  it("costs what was replaced, however much stands behind it", () => {
    const requests = createRequests();
    requests.take(requests.history.write({ op: "user", text: "alpha" }));
    for (let round = 0; round < 500; round += 1) addRound(requests, `t${round}`);
    requests.prepare();
    const before = requests.work();
    clear(requests, ["t0", "t7", "t250"]);
    expect(requests.prepare()).toEqual({ steps: [], violations: [] });
    const after = requests.work();
    expect(after).toEqual({
      rendered: before.rendered + 3,
      checked: before.checked + 3,
      looked: before.looked + 3,
    });
  });

  it("counts the images that come back when a clearing is undone", () => {
    const requests = createRequests();
    requests.take(requests.history.write({ op: "user", text: "alpha" }));
    for (const id of ["t0", "t1"]) addRound(requests, id, true);
    clear(requests, ["t0", "t1"]);
    const { id: decision = "", seq: decisionSeq = 0 } = requests.history.entries.at(-1) ?? {};
    for (const id of ["t2", "t3"]) addRound(requests, id, true);
    expect(requests.prepare()).toEqual({ steps: [], violations: [] });
    const head = { layer: "test", reason: "asked to", frees: 0, basis: decisionSeq } as const;
    const restore = { ...head, type: "restore", decision, decisionSeq } as const;
    requests.take(requests.history.append({ kind: "decision", decision: restore }));
    const { steps } = requests.prepare();
    expect(steps).toEqual(repairSteps(requests.projection.projected.items, 0, limits));
    expect(steps.map(({ repair }) => repair)).toEqual(["replace-block", "replace-block", "replace-block"]);
  });

  it("needs the repairs that looking at everything finds, after any operation", () => {
    const operations = fc.array(fc.tuple(operation, fc.nat({ max: 2 })), {
      minLength: 1,
      maxLength: 50,
      size: "max",
    });
    fc.assert(
      fc.property(operations, (all) => {
        const history = createHistory();
        const projection = createProjection();
        const repairer = createRepairer(limits);
        let validItems = 0;
        for (const [one, wait] of all) {
          const entry = history.write(one);
          if (entry) addTo(projection, entry, history.entries);
          validItems = Math.min(validItems, projection.takeChanged());
          if (wait > 0) continue;
          const { items } = projection.projected;
          const steps = repairer.steps(items, validItems);
          expect(steps).toEqual(repairSteps(items, 0, limits));
          if (steps.length > 0) {
            const head = { layer: "engine", reason: "needed", frees: 0, basis: entry?.seq ?? 0 } as const;
            const decision = { ...head, type: "repair", steps } as const;
            addTo(projection, history.append({ kind: "decision", decision }), history.entries);
          }
          validItems = projection.projected.items.length;
          projection.takeChanged();
        }
      }),
      { numRuns: amount({ quick: 200, slow: 500 }) },
    );
  });
});
