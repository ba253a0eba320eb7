import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Provider } from "../support/agent.ts";
import { spread } from "../support/amount.ts";
import { hostileChats } from "./hostile-chats.ts";
import { hostileMessages } from "./hostile-messages.ts";
import { liveOn } from "./live-on.ts";
import { randomAnswers } from "./random-answers.ts";
import { createUpstream, listen } from "./upstream.ts";
import type { HostileAnswer } from "./wire-answer.ts";

const upstream = createUpstream();
let server: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  server = await listen(upstream);
});
afterAll(() => server.close());

const tables: readonly (readonly [Provider, readonly HostileAnswer[]])[] = [
  ["anthropic", hostileMessages],
  ["openai", hostileChats],
];

it("has at least 150 hostile answers, each with a name of its own", () => {
  const names = tables.flatMap(([provider, answers]) => answers.map(({ name }) => `${provider} ${name}`));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(150);
});

describe.each(tables)("a session lives on after an answer of %s with", (provider, answers) => {
  it.each(spread(answers, 60))("$name", async (answer) => {
    const { log } = await liveOn({ upstream, provider, url: server.url }, [answer]);
    expect(log).toContain(answer.logged ?? "");
    expect(upstream.refused.slice(answer.refusals ?? 0)).toEqual([]);
  });
});

it("compacts by hand a short conversation whose long answer an earlier boundary had cut", async () => {
  for (const seed of [20262286, 20262726]) {
    const { log } = await liveOn(
      { upstream, provider: "anthropic", url: server.url },
      randomAnswers(false, 8, seed),
    );
    expect(log).toContain('"trigger":"reactive"');
    expect(log).toContain('"trigger":"manual"');
  }
});
