import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lengthOf } from "../../../../../test/support/accounting-items.ts";
import { createHistory, operation } from "../../../../../test/support/histories.ts";
import { type ContentBlock, type Entry, isBlock, type ViewItem } from "../../spec/index.ts";
import { toItem, withBlock } from "../projection/message-items.ts";
import { createProjection } from "../projection/projection.ts";
import { account } from "./account.ts";
import type { AccountingInput, MessageTraits } from "./accounting.ts";
import { createRunningAccounting } from "./running-accounting.ts";

const thresholds = { window: 1_000, base: 800 };
const text = fc.constantFrom("alpha", "beta gamma", "boom", '<attachment type="x">\n', "<bash-stdout>");
const image = { type: "image", source: { type: "file", file_id: "f" } } as const;
const id = fc.constantFrom("t1", "t2", "t3", "t4");
const path = fc.constantFrom("/a", "/b");

const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  text.map((words) => ({ type: "text", text: words })),
  text.map((thinking) => ({ type: "thinking", thinking })),
  fc.constant(image),
  fc.record({
    type: fc.constant("tool_result"),
    tool_use_id: id,
    content: fc.oneof(text, fc.constant([image])),
  }),
);

const traits: fc.Arbitrary<MessageTraits | undefined> = fc.constantFrom<(MessageTraits | undefined)[]>(
  undefined,
  { type: "user" },
  { type: "user", isMeta: true },
  { type: "attachment", subtype: "file" },
  { type: "attachment" },
);

/** Items in any order, calls with ids of their own, and whose messages the entries `e0` to `e3` are. */
const view = fc
  .record({
    blocks: fc.array(fc.record({ block, entry: fc.nat(5), isDecided: fc.boolean() }), { maxLength: 20 }),
    calls: fc.uniqueArray(fc.record({ id, name: fc.constantFrom("Read", "Bash"), path, place: fc.nat(20) }), {
      selector: (call) => call.id,
    }),
    messages: fc.array(traits, { minLength: 4, maxLength: 4 }),
  })
  .map(({ blocks, calls, messages }) => {
    const items = blocks.map(({ block: one, entry, isDecided }, index): ViewItem => {
      const role = one.type === "thinking" ? "assistant" : "user";
      const decision = `e${isDecided ? entry : 9}`;
      return toItem(one, role, index, { entry: `e${entry}`, seq: 1, ...(isDecided && { decision }) });
    });
    for (const { id: use, name, path: file_path, place } of calls) {
      const call = { type: "tool_use", id: use, name, input: { file_path } };
      items.splice(place, 0, toItem(call, "assistant", 0, { entry: "e9", seq: 1 }));
    }
    const input: AccountingInput = {
      estimate: (one) => {
        if (isBlock(one, "text") && one.text === "boom") throw new Error("boom");
        return lengthOf(one);
      },
      messageOf: (entry) => messages[Number(entry.slice(1))],
      thresholds,
      system: [{ type: "text", text: "system" }],
    };
    return { items, question: input };
  });

describe("createRunningAccounting", () => {
  it("gives what accounting all at once gives, after every item", () => {
    fc.assert(
      fc.property(view, ({ items, question }) => {
        const running = createRunningAccounting(question);
        expect(running.accounting()).toEqual(account([], question));
        for (const [index, item] of items.entries()) {
          running.add(item);
          expect(running.accounting()).toEqual(account(items.slice(0, index + 1), question));
        }
      }),
    );
  });

  it("gives the same when items go, come back, and are replaced", () => {
    const steps = fc.array(fc.tuple(fc.nat(30), fc.constantFrom("remove", "add", "replace")), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(view, steps, ({ items, question }, changes) => {
        const running = createRunningAccounting(question);
        const all = [...items];
        const present = new Set(items);
        for (const item of items) running.add(item);
        for (const [pick, change] of changes) {
          const at = pick % Math.max(1, all.length);
          const item = all[at];
          if (!item) continue;
          if (change === "add") {
            running.add(item);
            present.add(item);
            continue;
          }
          running.remove(item);
          present.delete(item);
          if (change === "remove" || item.block.type !== "tool_result") continue;
          const cleared = withBlock(item, { ...item.block, content: "cleared" }, "d1");
          running.add(cleared);
          present.add(cleared);
          all[at] = cleared;
        }
        expect(running.accounting()).toEqual(
          account(
            all.filter((item) => present.has(item)),
            question,
          ),
        );
      }),
    );
  });

  it("follows a session's view through all its decisions", () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
        const history = createHistory();
        const byId = new Map<string, Entry>();
        const input: AccountingInput = {
          estimate: lengthOf,
          messageOf: (entry) => {
            const found = byId.get(entry);
            return found?.kind === "message" ? found.message : undefined;
          },
          thresholds,
        };
        const running = createRunningAccounting(input);
        const projection = createProjection();
        let shown: ReadonlySet<ViewItem> = new Set();
        for (const next of operations) {
          const entry = history.write(next);
          if (!entry) continue;
          byId.set(entry.id, entry);
          const behind = projection.add(entry);
          if (behind !== null) projection.rebuild(history.entries.filter(({ seq }) => seq > behind));
          const now = new Set(projection.projected.items);
          for (const item of shown) if (!now.has(item)) running.remove(item);
          for (const item of now) running.add(item);
          shown = now;
        }
        expect(running.accounting()).toEqual(account([...shown], input));
      }),
      { numRuns: 30 },
    );
  });

  it("asks for an item's tokens once", () => {
    let asked = 0;
    const estimate = () => {
      asked += 1;
      return 1;
    };
    const running = createRunningAccounting({ estimate, messageOf: () => undefined, thresholds });
    const items = Array.from({ length: 100 }, (_, index) =>
      toItem({ type: "text", text: "x" }, "user", index, { entry: "e1", seq: 1 }),
    );
    for (const item of [...items, ...items]) running.add(item);
    for (const item of items) running.remove(item);
    expect([asked, running.accounting().total]).toEqual([100, 0]);
  });
});
