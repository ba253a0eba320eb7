import { describe, expect, it } from "vitest";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import type { CacheJudgement, Event } from "../../packages/core/src/spec/index.ts";
import { callTool, createSeededRandom, createVirtualClock, say } from "../../packages/testing/src/index.ts";
import { emulate, readTool } from "../support/emulator.ts";
import { ask } from "../support/talk.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const tools = ["Read", "Bash", "Grep", "Edit"].map((name) => ({ ...readTool, name }));
const system = `You are careful. ${"Rules are rules. ".repeat(1500)}`;

describe("a long session with the usual layers, through the official SDK at the emulator", () => {
  it.each([1, 2, 3])(
    "sends no invalid request, clears in batches, and knows the cache at each (seed %d)",
    async (seed) => {
      const random = createSeededRandom(seed);
      const clock = createVirtualClock();
      const { emulator, client } = await emulate({
        clock,
        keepRequests: 200,
        script: () =>
          random.below(8) === 0
            ? say("Well then.")
            : callTool(tools[random.below(tools.length)]?.name ?? "Read", {
                file_path: `${random.below(20)}.ts`,
              }),
      });
      const events: Event[] = [];
      const session = await openSession({
        store: createVirtualStore({ clock }),
        clock,
        id: "one",
        model: "claude-opus-4-6",
        system,
        tools,
        onEvent: (event) => events.push(event),
      });
      await session.add({ role: "user", content: "Begin." });
      const wrong: unknown[] = [];
      for (let request = 0; request < 100; request += 1) {
        const { report, response } = await ask(session, client);
        const end = events.findLast(({ type }) => type === "request-end");
        const judged: CacheJudgement | undefined = end?.type === "request-end" ? end.cache : undefined;
        const first = (emulator.requests.last?.hitBlock ?? -2) + 1;
        if (report.cache?.firstBlock !== first || judged?.firstBlock !== first)
          wrong.push({ request, announced: report.cache, judged, first });
        const calls = response.content.flatMap((block) => (block.type === "tool_use" ? block.id : []));
        await clock.advance(random.below(20) === 0 ? 400_000 : 20_000);
        const size = () => (random.below(6) === 0 ? 60_000 : 6_000 + random.below(20_000));
        const content = calls.map((id) => ({
          type: "tool_result",
          tool_use_id: id,
          content: `${id} `.repeat(5_000).slice(0, size()),
        }));
        await session.add({ role: "user", content: content.length > 0 ? content : "Go on." });
      }
      expect(wrong).toEqual([]);
      expect(emulator.requests.where(({ violations }) => violations.length > 0)).toEqual([]);
      const breaks = events.flatMap((event) => (event.type === "cache-break" ? event : []));
      expect(breaks.filter(({ expected }) => !expected)).toEqual([]);
      const clears = events.flatMap((event) => (event.type === "results-clear" ? event.strategy : []));
      expect(clears).toContain("cold");
      expect(clears.filter((strategy) => strategy === "economic").length).toBeLessThan(10);
      expect(events.some(({ type }) => type === "result-offload")).toBe(true);
      await session.close();
    },
  );
});
