import { describe, expect, it } from "vitest";
import type { CacheJudgement, Event } from "../../packages/core/src/spec/index.ts";
import { say } from "../../packages/testing/src/index.ts";
import { collect, modelAt, openAgent } from "../support/agent.ts";
import { emulate } from "../support/emulator.ts";

describe("the prefix guard beside a cache that works by itself", () => {
  it("judges what extends the request before as a hit, and something else as none", async () => {
    const answers = Array.from({ length: 8 }, (_, at) => say(`Answer ${at}. ${"word ".repeat(300)}`));
    const { emulator } = await emulate({ script: answers });
    const judged: (CacheJudgement["kind"] | undefined)[] = [];
    const session = await openAgent({
      model: modelAt(emulator, "openai"),
      system: "Be brief. ".repeat(400),
      onEvent: (event: Event) => {
        if (event.type === "request-end") judged.push(event.cache?.kind);
      },
    });
    let third = "";
    for (let turn = 0; turn < 7; turn += 1) {
      const events = await collect(session.run(`Question ${turn}: ${"why ".repeat(200)}`));
      if (turn === 3)
        third = events.flatMap((event) => (event.type === "run-start" ? event.entry : []))[0] ?? "";
    }
    expect(judged).toEqual(["expected-break", "expected-break", "hit", "hit", "hit", "hit", "hit"]);
    const reads = emulator.requests.where(({ endpoint }) => endpoint === "chat_completions");
    expect(reads.slice(1).every(({ usage }) => (usage?.cache_read_input_tokens ?? 0) > 0)).toBe(true);
    await session.rewind(third);
    await collect(session.run("Something else."));
    expect(judged.at(-1)).not.toBe("unexpected-break");
  });
});
