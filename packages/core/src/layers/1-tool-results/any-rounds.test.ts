import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amount } from "../../../../../test/support/amount.ts";
import {
  type Answer,
  addRound,
  offloads,
  openToolSession,
  type ToolSession,
} from "../../../../../test/support/tool-rounds.ts";
import { createVirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import type { ModelRequest, Tool, ToolResultBlock } from "../../spec/index.ts";
import { limitsOf } from "./settings.ts";

const tools: readonly Tool[] = [
  { name: "Bash", input_schema: {} },
  { name: "Read", input_schema: {}, maxResultChars: Number.POSITIVE_INFINITY },
  { name: "mcp__pages", input_schema: {}, _meta: { "anthropic/maxResultSizeChars": 90_000 } },
];
const limits = limitsOf({ settings: {}, tools });

const answer = fc.record({
  tool: fc.constantFrom(...tools.map(({ name }) => name)),
  size: fc.constantFrom(0, 1, 1_999, 40_000, 49_999, 50_000, 50_001, 60_000, 90_001, 210_000),
  unit: fc.constantFrom("x", "line\n", "漢", "🙂"),
  isBlocks: fc.boolean(),
});
const round = fc.record({
  answers: fc.array(answer, { minLength: 1, maxLength: 7 }),
  isDiskFull: fc.boolean(),
  resumes: fc.boolean(),
});

const textOf = ({ content = "" }: ToolResultBlock) =>
  typeof content === "string"
    ? content
    : content.map((block) => ("text" in block ? block.text : "")).join("");

/** The results of each message, as they are sent. */
const resultsOf = (request: ModelRequest) =>
  request.messages.map(({ content }) =>
    content.filter((block): block is ToolResultBlock => block.type === "tool_result"),
  );

describe("after any rounds", () => {
  it("every result is within its limits, frozen, and recalled whole", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 4 }), async (rounds) => {
        const disk = createVirtualDisk();
        let opened: ToolSession = await openToolSession({ tools, model: "claude-sonnet-4-5[1m]" }, disk);
        await opened.session.add({ role: "user", content: "Go." });
        await opened.session.prepare();
        const originals = new Map<string, { readonly tool: string; readonly text: string }>();
        const sent = new Map<string, string>();
        let isFull = false;
        disk.failWhen(
          ({ name, path }) => isFull && name === "append" && path.includes("/blobs/"),
          "disk-full",
        );
        for (const [number, { answers, isDiskFull, resumes }] of rounds.entries()) {
          const given = answers.map(({ tool, size, unit, isBlocks }, index): Answer => {
            const id = `t${number}_${index}`;
            const text = unit.repeat(size).slice(0, size).toWellFormed();
            originals.set(id, { tool, text });
            return { id, tool, content: isBlocks ? [{ type: "text", text }] : text };
          });
          await addRound(opened.session, given);
          isFull = isDiskFull;
          const { request } = await opened.session.prepare();
          isFull = false;
          for (const results of resultsOf(request)) {
            let total = 0;
            for (const block of results) {
              const id = block.tool_use_id;
              const text = textOf(block);
              const { tool = "" } = originals.get(id) ?? {};
              total += text.length;
              expect(text.isWellFormed()).toBe(true);
              expect(text).not.toBe("");
              expect(text.length).toBeLessThanOrEqual(limits.maxCharsOf(tool));
              expect(text).toBe(sent.get(id) ?? text);
              sent.set(id, text);
            }
            expect(total).toBeLessThanOrEqual(limits.roundMaxChars);
          }
          if (resumes) opened = await opened.resume();
        }
        for (const [id, { text }] of originals) {
          const { text: recalled } = await opened.session.recall(id, { limit: 1e9 });
          expect(recalled.includes(text) || recalled.includes(JSON.stringify(text))).toBe(true);
        }
        expect(await offloads(opened.session)).toHaveLength(rounds.length);
        await opened.session.close();
      }),
      { numRuns: amount({ quick: 20, slow: 60 }) },
    );
  });
});
