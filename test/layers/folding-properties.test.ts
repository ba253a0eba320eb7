import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFoldingLayer } from "../../packages/core/src/layers/4-compaction/folding/index.ts";
import { planSnip } from "../../packages/core/src/layers/4-compaction/rules/decide-snip.ts";
import { isBlock, type View, type ViewItem } from "../../packages/core/src/spec/index.ts";
import { createLedgers } from "../../packages/core/src/view/ledgers/index.ts";
import { project } from "../../packages/core/src/view/projection/project.ts";
import { renderMessages } from "../../packages/core/src/view/request/message-renderer.ts";
import { repairSteps } from "../../packages/core/src/view/request/repair.ts";
import { createValidator } from "../../packages/core/src/view/request/validator.ts";
import { createMeasure, measureItems } from "../../packages/core/src/view/tokens/measure.ts";
import { createHistory, type HistoryWriter, operation } from "../support/histories.ts";
import { createTestLog, factsOf, testIo } from "./compaction-support.ts";

const measure = createMeasure();
const limits = { images: { maxBytes: 1000, maxSidePixels: 8_000, maxCount: 100 }, maxBreakpoints: 4 };
const signal = new AbortController().signal;

/** Brings a history to a valid request, as the engine does. */
function repair({ entries, append }: HistoryWriter): readonly ViewItem[] {
  const steps = repairSteps(project(entries).items, 0, limits);
  const head = { layer: "engine", reason: "", frees: 0, basis: entries.length } as const;
  if (steps.length > 0) append({ kind: "decision", decision: { ...head, type: "repair", steps } });
  return project(entries).items;
}

function viewOf({ entries }: HistoryWriter): View {
  const { items, head } = project(entries);
  const ledgers = createLedgers();
  for (const entry of entries) if (entry.kind === "message") ledgers.add(entry);
  const boundary = entries.findLast(
    (entry) => entry.kind === "decision" && entry.decision.type === "compact",
  );
  const view = createTestLog().view(1_000 + measureItems(items, measure));
  return { ...view, items, head, ledgers: ledgers.ledgers(), ...(boundary && { boundarySeq: boundary.seq }) };
}

/** Any history, then rounds that are large enough to be worth it. */
function historyOf(
  operations: readonly Parameters<HistoryWriter["write"]>[0][],
  rounds: number,
  bulk: number,
) {
  const history = createHistory();
  for (const one of operations) history.write(one);
  for (let at = 0; at < rounds; at += 1) {
    const ids = Array.from({ length: 1 + (at % 2) }, (_, index) => `round_${at}_${index}`);
    const uses = ids.map((id) => ({
      type: "tool_use",
      id,
      name: "Read",
      input: { file_path: `/src/${id}` },
    }));
    const content = [{ type: "text", text: `alpha ${at}` }, ...uses];
    history.append({ kind: "message", message: { type: "assistant", content } });
    for (const id of ids) {
      const result = { type: "tool_result", tool_use_id: id, content: "beta ".repeat(bulk) };
      history.append({ kind: "message", message: { type: "user", content: [result] } });
    }
  }
  repair(history);
  return history;
}

/** Ids of calls that stand without their result, or the other way round. */
function loose(items: readonly ViewItem[]): readonly string[] {
  const calls = items.flatMap(({ block }) => (isBlock(block, "tool_use") ? block.id : []));
  const results = items.flatMap(({ block }) => (isBlock(block, "tool_result") ? block.tool_use_id : []));
  return [...calls.filter((id) => !results.includes(id)), ...results.filter((id) => !calls.includes(id))];
}

function expectSound(history: HistoryWriter, before: readonly ViewItem[]): void {
  const after = project(history.entries).items;
  const former = new Set(loose(before));
  expect(loose(after).filter((id) => !former.has(id))).toEqual([]);
  const messages = renderMessages(repair(history));
  if (messages.length > 0) expect(createValidator(limits).validate({ messages })).toEqual([]);
}

const operations = fc.array(operation, { maxLength: 30 });

describe("a fold of any history", () => {
  it("leaves a valid request, splits no pair, and frees what it says", async () => {
    let committed = 0;
    await fc.assert(
      fc.asyncProperty(
        operations,
        fc.integer({ min: 2, max: 8 }),
        fc.nat(300),
        async (given, rounds, bulk) => {
          const history = historyOf(given, rounds, bulk);
          const view = viewOf(history);
          const folding = {
            minSpanTokens: 60,
            spanTokens: 200,
            summaryTokens: 30,
            keepTokens: 0,
            keepRounds: 1,
          };
          const window = Math.max(2_000, Math.floor(view.count.tokens * 1.1));
          const facts = factsOf({ window, settings: { folding }, switches: { folding: true } });
          const layer = createFoldingLayer();
          const verdict = layer.decide(view, { kind: "before-request", trigger: "auto" }, facts);
          if (verdict.verdict === "skip") return;
          const { io } = testIo();
          const tokensOf = (block: ViewItem["block"]) => measure([block]);
          const applied = await layer.apply(verdict.command, { ...io, tokensOf }, signal);
          if (!applied.ok) throw applied.error;
          const last = view.ledgers.userMessages.at(-1)?.entry;
          const hadLast = view.items.some(({ entry }) => entry === last);
          const words = (items: readonly ViewItem[]) =>
            items.flatMap(({ role, entry, block, decision }) =>
              role === "user" && !isBlock(block, "tool_result") && entry === decision ? entry : [],
            );
          let tokens = measureItems(view.items, measure);
          for (const draft of applied.value) {
            if (draft.kind !== "decision") throw new Error("a fold is a decision");
            history.append(draft);
            const now = measureItems(project(history.entries).items, measure);
            expect(tokens - now).toBe(draft.decision.frees);
            expect(now).toBeLessThan(tokens);
            tokens = now;
            committed += 1;
          }
          const after = project(history.entries).items;
          expect(after.some(({ entry }) => entry === last)).toBe(hadLast);
          expect(after.at(-1)).toEqual(view.items.at(-1));
          expect(words(after)).toEqual(expect.arrayContaining([...words(view.items)]));
          expectSound(history, view.items);
        },
      ),
    );
    expect(committed).toBeGreaterThan(50);
  });
});

describe("a snip of any history", () => {
  it("leaves a valid request, splits no pair, and takes only what is named", () => {
    let snipped = 0;
    fc.assert(
      fc.property(
        operations,
        fc.integer({ min: 3, max: 9 }),
        fc.nat(300),
        fc.option(fc.array(fc.nat(200), { maxLength: 5 }), { nil: undefined }),
        (given, rounds, bulk, picks) => {
          const history = historyOf(given, rounds, bulk);
          const view = viewOf(history);
          const ids = picks?.map(
            (pick) => view.items[pick % Math.max(1, view.items.length)]?.entry ?? "none",
          );
          const { decision, refused, rounds: gone } = planSnip(view, measure, ids);
          for (const { id } of refused) expect(ids).toContain(id);
          if (!decision) return;
          snipped += gone;
          const before = measureItems(view.items, measure);
          history.append({ kind: "decision", decision });
          const after = project(history.entries).items;
          expect(before - measureItems(after, measure)).toBe(decision.frees);
          for (const { id } of refused) expect(decision.entries).not.toContain(id);
          expect(after.at(-1)).toEqual(view.items.at(-1));
          expectSound(history, view.items);
        },
      ),
    );
    expect(snipped).toBeGreaterThan(20);
  });
});
