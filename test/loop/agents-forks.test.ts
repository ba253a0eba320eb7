import { describe, expect, it } from "vitest";
import { forkMarker } from "../../packages/core/src/layers/7-agents/rules/index.ts";
import { pendingResultText } from "../../packages/core/src/session/open-fork.ts";
import { type AnswerBlock, callTool, type RecordedRequest, say } from "../../packages/testing/src/index.ts";
import { collect, endOf } from "../support/agent.ts";
import { openTree } from "./agents-support.ts";
import { bytesOf, lastOf, longTexts, readShare } from "./fork-support.ts";

const prefixTokens = 110_000;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const isFork = (request: RecordedRequest) => lastOf(request).includes(forkMarker);
const forks = (count: number, words = ""): readonly AnswerBlock[] =>
  Array.from({ length: count }, (_, index) =>
    callTool("Agent", {
      description: `side ${index}`,
      prompt: `Look at side ${index}.${words}`,
      agent: "fork",
    }),
  );

describe("ten forks from one answer, behind over 100,000 tokens", () => {
  it.each([
    ["short", ""],
    ["long", ` ${"Look at every door and window of it, and say which is open. ".repeat(20)}`],
  ])(
    "share one prefix, and nine of them read 99 percent of it from the cache (%s directives)",
    async (_, words) => {
      let [asked, answered, early] = [0, 0, 0];
      const { emulator, session, tree } = await openTree({
        script: async (request) => {
          if (isFork(request)) {
            asked += 1;
            // The others would have come by now if they did not wait for this answer.
            if (asked === 1) for (let turn = 0; turn < 200; turn += 1) await nextTurn();
            if (asked > 1 && answered === 0) early += 1;
            answered += 1;
          }
          if (isFork(request)) return say(`Seen: ${/side (\d)\.[^.]*$/.exec(lastOf(request))?.[1]}`);
          return request.ordinal === 1 ? forks(10, words) : say("All were looked at.");
        },
      });
      await session.add({ role: "user", content: longTexts(prefixTokens) });
      const events = await collect(session.run("Look at all sides."));
      expect(endOf(events)).toMatchObject({ reason: "done", text: "All were looked at." });
      const forked = emulator.requests.where(isFork);
      expect([forked.length, early]).toEqual([10, 0]);
      expect(Math.min(...forked.map(({ promptTokens = 0 }) => promptTokens))).toBeGreaterThan(100_000);
      expect(forked.map(readShare).filter((share) => share >= 0.99).length).toBeGreaterThanOrEqual(9);

      // All but the first read what only forks have, behind what the session itself had written.
      const own = emulator.requests.where((request) => !isFork(request))[0]?.promptTokens ?? 0;
      const readTokens = forked.map((request) => readShare(request) * (request.promptTokens ?? 0));
      expect(readTokens.filter((tokens) => tokens > own).length).toBeGreaterThanOrEqual(9);

      const without = (request: RecordedRequest) => {
        const { messages, ...head } = bytesOf(request);
        const last = messages.at(-1) as { readonly content: readonly { readonly type: string }[] };
        return { text: JSON.stringify([head, messages.slice(0, -1), last.content.slice(0, -1)]), last };
      };
      expect(new Set(forked.map((one) => without(one).text)).size).toBe(1);
      const { last } = without(forked[0] as RecordedRequest);
      expect(last.content.map(({ type }) => type)).toEqual([...Array(10).fill("tool_result"), "text"]);
      expect(last.content.slice(0, -1)).toEqual(
        Array(10).fill(expect.objectContaining({ content: pendingResultText })),
      );
      expect(tree.statuses().map(({ state }) => state)).toEqual(Array(10).fill("done"));
      expect(emulator.requests.where(({ status }) => status !== 200)).toEqual([]);
    },
  );
});
