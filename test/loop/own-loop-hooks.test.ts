import { describe, expect, it } from "vitest";
import type { Event, HookFunctions, Session } from "../../packages/core/src/spec/index.ts";
import { openSession, type SessionOptions } from "../../packages/palimpsest/src/loop/open-session.ts";
import { createVirtualDisk, say } from "../../packages/testing/src/index.ts";
import { endOf } from "../support/agent.ts";
import { createVirtualStore } from "../support/virtual-store.ts";
import { setStage } from "./stage.ts";

const cwd = "/project";
const context = { session: "one", cwd, mode: "default" };

/** Hooks that write down what they are told. */
function listening(answer: object = {}) {
  const told: unknown[] = [];
  const hooks: HookFunctions = {
    SessionStart: [
      (input) => {
        told.push(input);
        return answer;
      },
    ],
    SessionEnd: [
      (input) => {
        told.push(input);
        return undefined;
      },
    ],
  };
  return { told, hooks };
}

const open = (options: SessionOptions = {}): Promise<Session> =>
  openSession({ store: createVirtualStore(), id: "one", cwd, home: "/nowhere", layers: [], ...options });

async function textsOf(session: Session): Promise<readonly unknown[]> {
  const { request } = await session.prepare();
  return request.messages.flatMap(({ content }) =>
    content.map((block) => ("text" in block ? block.text : block)),
  );
}

describe("hooks of a session that a program runs by itself", () => {
  it("hear of its beginning once, before its first message, and of its end", async () => {
    const { told, hooks } = listening();
    const session = await open({ hooks });
    expect(told).toEqual([]);
    await Promise.all([
      session.add({ role: "user", content: "One." }),
      session.add({ role: "user", content: "Two." }),
    ]);
    expect(await textsOf(session)).toEqual(["One.", "Two."]);
    expect(told).toEqual([{ source: "startup", ...context }]);
    await session.close();
    expect(told).toEqual([
      { source: "startup", ...context },
      { reason: "closed", ...context },
    ]);
  });

  it("hear that it is resumed, also where it only asks for a request", async () => {
    const { told, hooks } = listening();
    const disk = createVirtualDisk();
    const first = await open({ store: createVirtualStore({ disk }) });
    await first.add({ role: "user", content: "One." });
    await first.close();
    const session = await open({ store: createVirtualStore({ disk }), hooks, resume: true });
    await session.prepare();
    expect(told).toEqual([{ source: "resume", ...context }]);
    await session.close();
  });

  it("hear nothing of one that nobody used, or only reads", async () => {
    const { told, hooks } = listening();
    const disk = createVirtualDisk();
    await (await open({ store: createVirtualStore({ disk }), hooks })).close();
    const reader = await open({ store: createVirtualStore({ disk }), hooks, readOnly: true });
    reader.usage();
    await reader.close();
    expect(told).toEqual([]);
  });

  it("tell the model something before the first word, and the person by an event", async () => {
    const { hooks } = listening({ context: "It is raining.", message: "Good morning." });
    const events: Event[] = [];
    const session = await open({ hooks, onEvent: (event) => void events.push(event) });
    await session.add({ role: "user", content: "One." });
    const [context, prompt] = await textsOf(session);
    expect([String(context).includes("It is raining."), prompt]).toEqual([true, "One."]);
    expect(events.filter(({ type }) => type === "hook-message")).toMatchObject([
      { hook: "SessionStart", level: "info", text: "Good morning." },
    ]);
    await session.close();
  });

  it("keep it from beginning, and are asked again", async () => {
    const { told, hooks } = listening({ stop: "Not today." });
    const session = await open({ hooks });
    for (const _ of [1, 2])
      await expect(session.add({ role: "user", content: "One." })).rejects.toMatchObject({
        code: "denied",
        message: "A SessionStart hook does not let session one begin: Not today.",
      });
    expect(told).toHaveLength(2);
    await session.close();
    expect(told).toHaveLength(2);
  });

  it("may use the session themselves", async () => {
    let session: Session | undefined;
    const hooks: HookFunctions = {
      SessionStart: [
        async () => {
          await session?.add({ role: "user", content: "From a hook." });
          return undefined;
        },
      ],
    };
    session = await open({ hooks });
    await session.add({ role: "user", content: "One." });
    expect(await textsOf(session)).toEqual(["From a hook.", "One."]);
    await session.close();
  });

  it("are not told twice where a run follows, or came before", async () => {
    const { told, hooks } = listening();
    const stage = await setStage({ hooks, cwd, script: [say("Hello."), say("Hello.")] });
    await stage.session.add({ role: "user", content: "One." });
    expect(endOf(await stage.run())).toMatchObject({ reason: "done" });
    await stage.session.add({ role: "user", content: "Two." });
    expect(told).toEqual([{ source: "startup", ...context }]);
    await stage.session.close();
    expect(told).toHaveLength(2);
  });

  it("run as settings have them", async () => {
    const events: Event[] = [];
    const session = await open({
      cwd: process.cwd(),
      settings: {
        hooks: { SessionStart: [{ hooks: [{ command: ["echo", '{"context":"from settings"}'] }] }] },
      },
      onEvent: (event) => void events.push(event),
    });
    await session.add({ role: "user", content: "One." });
    expect(String((await textsOf(session))[0])).toContain("from settings");
    await session.close();
  });
});
