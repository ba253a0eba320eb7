import { describe, expect, it } from "vitest";
import type { Event, Usage } from "../../packages/core/src/spec/index.ts";
import { assistant, usageOf, user, withoutControl } from "../support/session-messages.ts";
import { beginSession, entriesOf, resumeSession } from "../support/virtual-session.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const long = "All work and no play. ".repeat(9_000);

describe("a usage that cannot be", () => {
  it.each<[string, Usage, string, number]>([
    ["too many tokens for a small prompt", usageOf(1e12, 1), "Hello.", 20],
    ["too many tokens for a small answer", usageOf(20, 1e12), "Hello.", 20],
    ["one token for 200 kB", usageOf(1, 1), long, 66_000],
  ])("%s is logged as it came, told, and not counted by", async (_name, usage, prompt, tokens) => {
    const store = createVirtualStore();
    const events: Event[] = [];
    const session = await beginSession({ store, onEvent: (event) => events.push(event) });
    await session.add(user(prompt));
    await session.prepare();
    await session.add({ ...assistant("Well."), usage });
    const { count, thresholds } = session.usage();
    expect([count.source, Math.abs(count.tokens - tokens) < tokens / 4 + 20]).toEqual(["plain", true]);
    expect(events.filter(({ type }) => type === "usage-ignored")).toMatchObject([
      { message: expect.stringMatching(/^\d+ tokens are reported for an? (prompt|answer) of about \d+\.$/) },
    ]);
    expect((await entriesOf(session)).at(-1)).toMatchObject({
      message: { usage: usageOf(0, 0), reportedUsage: usage },
    });
    await session.close();
    const again = await resumeSession({ store });
    expect(again.usage()).toMatchObject({ count, thresholds });
    await again.close();
  });
});

it("a usage that just might be, and fills the window with a small prompt, ends no session", async () => {
  const store = createVirtualStore();
  const session = await beginSession({ store });
  await session.add(user("Hello."));
  await session.prepare();
  await session.add({ ...assistant("Well."), usage: usageOf(199_000, 3) });
  await session.add(user("Go on."));
  expect((await session.prepare()).request.messages.length).toBe(3);
  await session.close();
  const again = await resumeSession({ store });
  expect((await again.prepare()).request.messages.length).toBe(3);
  await again.close();
});

it("an answer that says nothing is taken, and the next request is valid", async () => {
  const session = await beginSession();
  await session.add(user("Hello."));
  await session.add({ ...assistant([]), usage: usageOf(12, 3) });
  await session.add({ ...assistant(" "), usage: usageOf(14, 3) });
  await session.add(user("Well?"));
  const { request } = await session.prepare();
  expect(withoutControl(request)).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "Hello." },
        { type: "text", text: "Well?" },
      ],
    },
  ]);
  await session.close();
});
