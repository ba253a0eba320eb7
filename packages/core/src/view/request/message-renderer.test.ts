import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addTo } from "../../../../../test/support/check-projection.ts";
import { createHistory, operation } from "../../../../../test/support/histories.ts";
import type { RequestMessage } from "../../spec/index.ts";
import { createProjection } from "../projection/projection.ts";
import { createMessageRenderer, renderMessages } from "./message-renderer.ts";

describe("message renderer", () => {
  it("renders what rendering everything renders, after any operation", () => {
    const operations = fc.array(operation, { minLength: 1, maxLength: 60, size: "max" });
    fc.assert(
      fc.property(operations, (all) => {
        const history = createHistory();
        const projection = createProjection();
        const renderer = createMessageRenderer();
        for (const one of all) {
          const entry = history.write(one);
          if (entry) addTo(projection, entry, history.entries);
          const { items } = projection.projected;
          expect(renderer.render(items, projection.takeChanged())).toEqual(renderMessages(items));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("gives the very same message where its blocks are the very same", () => {
    const operations = fc.array(operation, { minLength: 1, maxLength: 60, size: "max" });
    fc.assert(
      fc.property(operations, (all) => {
        const history = createHistory();
        const projection = createProjection();
        const renderer = createMessageRenderer();
        let before: readonly RequestMessage[] = [];
        for (const one of all) {
          const entry = history.write(one);
          if (entry) addTo(projection, entry, history.entries);
          const now = [...renderer.render(projection.projected.items, projection.takeChanged())];
          for (const [index, message] of now.entries()) {
            const former = before[index];
            const isSame =
              former?.role === message.role &&
              former.content.length === message.content.length &&
              former.content.every((block, at) => block === message.content[at]);
            expect(former === message).toBe(isSame);
          }
          before = now;
        }
      }),
      { numRuns: 200 },
    );
  });

  it("does the same work for every turn of a long session", () => {
    const history = createHistory();
    const projection = createProjection();
    const renderer = createMessageRenderer();
    const perTurn = new Set<string>();
    for (let turn = 0; turn < 10_000; turn += 1) {
      const before = {
        items: projection.work.items,
        chars: projection.work.chars,
        rendered: renderer.renderedItems,
      };
      for (const op of [
        { op: "user", text: "alpha" },
        { op: "assistant", text: "beta", calls: 0, sameResponse: false, thinking: true },
      ] as const) {
        const entry = history.write(op);
        if (entry) projection.add(entry);
        renderer.render(projection.projected.items, projection.takeChanged());
      }
      const { items, chars } = projection.work;
      if (turn > 0)
        perTurn.add(
          `${items - before.items} items, ${chars - before.chars} characters, ${renderer.renderedItems - before.rendered} rendered`,
        );
    }
    expect(perTurn.size).toBe(1);
  });
});
