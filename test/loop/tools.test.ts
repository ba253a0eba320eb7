import { describe, expect, it } from "vitest";
import type { LoopEvent, Tool, ToolOutcome } from "../../packages/core/src/spec/index.ts";
import { parallelCalls } from "../../packages/palimpsest/src/loop/run-tools.ts";
import { createDispatcherTool } from "../../packages/palimpsest/src/tools/search/index.ts";
import { callTool, say } from "../../packages/testing/src/index.ts";
import { endOf } from "../support/agent.ts";
import {
  bodiesOf,
  echo,
  expectGoesOn,
  expectValid,
  messagesOf,
  providers,
  type Stage,
  setStage,
  storyOf,
} from "./stage.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

function createTool(name: string, run: Tool["run"], traits: Partial<Tool> = {}): Tool {
  return { name, description: `The tool ${name}.`, input_schema: { type: "object" }, run, ...traits };
}

const endsIn = (events: readonly LoopEvent[]) =>
  storyOf(events).flatMap((line) => (line.startsWith("tool-end ") ? line.slice(9) : []));

/** Results as the log has them, in its order. */
async function resultsOf({ session }: Stage): Promise<readonly string[]> {
  return (await messagesOf(session)).flatMap(({ content }) =>
    typeof content === "string"
      ? []
      : content.flatMap((block) =>
          block.type === "tool_result" && "content" in block ? JSON.stringify(block.content) : [],
        ),
  );
}

describe.each(providers)("calls of one answer of %s", (provider) => {
  it("run side by side where they change nothing, eight at a time, and are answered in their order", async () => {
    let active = 0;
    let peak = 0;
    let open: () => void = () => {};
    const isFull = new Promise<void>((resolve) => {
      open = resolve;
    });
    const look = createTool(
      "Look",
      async (input) => {
        active += 1;
        peak = Math.max(peak, active);
        if (active === parallelCalls) open();
        await isFull;
        // Later calls are faster.
        for (let left = 20 - Number((input as { at: number }).at); left > 0; left -= 1) await turn();
        active -= 1;
        return { content: `seen ${(input as { at: number }).at}` };
      },
      { isReadOnly: true },
    );
    const calls = Array.from({ length: 20 }, (_, at) => callTool("Look", { at }, `call_${at}`));
    const stage = await setStage({ provider, script: [calls, say("Done.")], tools: [look] });
    const events = await stage.run();
    expect(peak).toBe(8);
    expect(await resultsOf(stage)).toEqual(calls.map((_, at) => `"seen ${at}"`));
    const finished = endsIn(events);
    expect(new Set(finished)).toEqual(new Set(calls.map((_, at) => `Look: seen ${at}`)));
    expect(finished).not.toEqual(calls.map((_, at) => `Look: seen ${at}`));
    expectValid(stage);
    await expectGoesOn(stage);
  });

  it("run one after the other where they change something, and nothing runs beside them", async () => {
    const running = new Set<string>();
    const beside: string[] = [];
    const watched = (name: string, isReadOnly: boolean) =>
      createTool(
        name,
        async () => {
          running.add(name);
          for (let left = 3; left > 0; left -= 1) await turn();
          if (running.size > 1) beside.push([...running].sort().join(" "));
          running.delete(name);
          return { content: name };
        },
        { isReadOnly },
      );
    const tools = [watched("LookA", true), watched("LookB", true), watched("Change", false)];
    const calls = ["Change", "LookA", "LookB", "Change", "LookA", "Change"].map((name) => callTool(name));
    const stage = await setStage({ provider, script: [calls, say("Done.")], tools, mode: "bypass" });
    const events = await stage.run();
    expect(new Set(beside)).toEqual(new Set(["LookA LookB"]));
    expect(storyOf(events).filter((line) => line === "tool-start Change")).toHaveLength(3);
    expect(await resultsOf(stage)).toEqual(
      ["Change", "LookA", "LookB", "Change", "LookA", "Change"].map((name) => `"${name}"`),
    );
  });
});

const cyclic: Record<string, unknown> = { type: "text", text: "round" };
cyclic.self = cyclic;

const garbage: readonly (readonly [string, unknown])[] = [
  ["nothing", undefined],
  ["null", null],
  ["a number", 5],
  ["an empty object", {}],
  ["a number as content", { content: 5 }],
  ["a list of nothing", { content: [null] }],
  ["a block without its text", { content: [{ type: "text" }] }],
  ["a block without a type", { content: [{ text: "hello" }] }],
  ["a block that goes in circles", { content: [cyclic] }],
  ["a BigInt", { content: [{ type: "text", text: "x", size: 1n }] }],
  ["files that are none", { content: "fine", files: "a.txt" }],
  ["a file that is none", { content: "fine", files: [null] }],
];

describe.each(providers)("a tool in a run with %s", (provider) => {
  const outcomeOf = async (tool: Tool, input: unknown = {}) => {
    const call = callTool(tool.name, input, "call_1");
    const stage = await setStage({ provider, script: [call, say("Done.")], tools: [tool], mode: "bypass" });
    const events = await stage.run();
    expect(endOf(events)).toMatchObject({ reason: "done", requests: 2 });
    expectValid(stage);
    await expectGoesOn(stage);
    return endsIn(events);
  };

  it("that nobody knows is answered with those there are", async () => {
    const stage = await setStage({ provider, script: [callTool("Fly"), say("Done.")], tools: [echo] });
    expect(endsIn(await stage.run())).toEqual(["Fly failed: There is no tool “Fly”. There are: Echo."]);
    expectValid(stage);
    await expectGoesOn(stage);
  });

  it("with a wrong input is told what is wrong, and does not run", async () => {
    const [line] = await outcomeOf(echo, { words: 5 });
    expect(line).toMatch(/^Echo failed: The input of Echo is not right\. .*fits its schema\.$/s);
  });

  it("that fails is answered with what it said", async () => {
    const failing = createTool("Fail", async () => {
      throw new Error("no such thing");
    });
    expect(await outcomeOf(failing)).toEqual(["Fail failed: Fail failed: no such thing"]);
  });

  it("that fails before it begins, or with no error at all, is answered too", async () => {
    const failing = createTool("Fail", () => {
      throw "just words";
    });
    expect(await outcomeOf(failing)).toEqual(["Fail failed: Fail failed: just words"]);
  });

  it("that cannot say what it touches is not run", async () => {
    let ran = 0;
    const unclear = createTool(
      "Unclear",
      async () => {
        ran += 1;
        return { content: "ran" };
      },
      {
        subjectsOf: () => {
          throw new Error("cannot tell");
        },
      },
    );
    expect(await outcomeOf(unclear)).toEqual(["Unclear failed: Unclear failed: cannot tell"]);
    expect(ran).toBe(0);
  });

  it.each(garbage)("that gives %s is answered with that", async (_what, given) => {
    const tool = createTool("Odd", async () => given as ToolOutcome);
    expect(await outcomeOf(tool)).toEqual(["Odd failed: Odd gave back something that is no result."]);
  });

  it.each([
    ["an empty text", ""],
    ["spaces", " \n "],
    ["no blocks", []],
    [
      "blank blocks",
      [
        { type: "text", text: "" },
        { type: "text", text: " " },
      ],
    ],
  ] as const)("that gives %s is answered with words", async (_what, content) => {
    const tool = createTool("Quiet", async () => ({ content }));
    expect(await outcomeOf(tool)).toEqual(["Quiet: (The tool gave no output.)"]);
  });

  it("that gives a blank block among others is answered validly", async () => {
    const content = [
      { type: "text", text: "" },
      { type: "text", text: "Something." },
    ];
    const [line] = await outcomeOf(createTool("Mixed", async () => ({ content })));
    expect(line).toContain("Something.");
  });

  it("that fails in its own words keeps them", async () => {
    const tool = createTool("Fail", async () => ({ content: "Use another file.", isError: true }));
    expect(await outcomeOf(tool)).toEqual(["Fail failed: Use another file."]);
  });

  it("changes the mode from there on, for later runs too; an option of a run holds for that run only", async () => {
    const modes: string[] = [];
    const look = createTool(
      "Look",
      async (_input, { mode }) => {
        modes.push(mode);
        return { content: mode };
      },
      { isReadOnly: true },
    );
    const leave = createTool("Leave", async () => ({ content: "left", mode: "ask" }), { isReadOnly: true });
    const round = (...names: string[]) => [...names.map((name) => callTool(name)), say("Done.")];
    const stage = await setStage({
      provider,
      script: [...round("Look"), ...round("Look"), ...round("Look", "Leave", "Look"), ...round("Look")],
      tools: [look, leave],
      mode: "default",
    });
    await stage.run("One.", { mode: "plan" });
    await stage.run("Two.");
    await stage.run("Three.");
    await stage.run("Four.");
    expect(modes).toEqual(["plan", "default", "default", "ask", "ask"]);
  });
});

describe.each(providers)("permission in a run with %s", (provider) => {
  let ran = 0;
  const change = createTool("Change", async () => {
    ran += 1;
    return { content: "changed" };
  });
  const script = () => [callTool("Change", {}, "call_1"), callTool("Change", {}, "call_2"), say("Done.")];

  it("is asked for, and given for one call", async () => {
    ran = 0;
    const stage = await setStage({ provider, script: script(), tools: [change] });
    const questions: unknown[] = [];
    const events = await stage.run("Begin.", {
      onPermission: async (question) => {
        questions.push(question);
        return { behavior: "allow" };
      },
    });
    expect(storyOf(events).filter((line) => line.startsWith("permission-ask"))).toHaveLength(2);
    expect(questions[0]).toEqual({
      toolUseId: "call_1",
      tool: "Change",
      input: {},
      subjects: [],
      reason: "Change may change something.",
    });
    expect(ran).toBe(2);
  });

  it("is given for good by a rule", async () => {
    ran = 0;
    const stage = await setStage({ provider, script: [...script(), ...script()], tools: [change] });
    let asked = 0;
    const onPermission = async () => {
      asked += 1;
      return { behavior: "allow", rules: { allow: ["Change"] } } as const;
    };
    await stage.run("Begin.", { onPermission });
    await stage.run("Again.");
    expect([asked, ran]).toEqual([1, 4]);
  });

  it.each([
    [{ behavior: "deny", reason: "Not that file." }, "Not that file."],
    [{ behavior: "deny" }, "The user has refused it."],
    [undefined, "The user has refused it."],
    [{ behavior: "perhaps" }, "The user has refused it."],
  ])("is refused by %j", async (answer, reason) => {
    ran = 0;
    const stage = await setStage({ provider, script: script(), tools: [change] });
    const events = await stage.run("Begin.", { onPermission: async () => answer as never });
    expect(endsIn(events)).toEqual(
      Array.from({ length: 2 }, () => `Change failed: Change was not allowed to run: ${reason}`),
    );
    expect(endOf(events).reason).toBe("done");
    expect(ran).toBe(0);
    expectValid(stage);
    await expectGoesOn(stage);
  });

  it("is refused where there is nobody to ask, or nobody can be asked", async () => {
    ran = 0;
    const stage = await setStage({ provider, script: [...script(), ...script()], tools: [change] });
    expect(endsIn(await stage.run())[0]).toBe(
      "Change failed: Change was not allowed to run: Change may change something. There is nobody to ask: it needs a rule that allows it.",
    );
    const onPermission = () => Promise.reject(new Error("the window is gone"));
    expect(endsIn(await stage.run("Again.", { onPermission }))[0]).toBe(
      "Change failed: Change was not allowed to run: The user could not be asked: the window is gone",
    );
    expect(ran).toBe(0);
  });

  it("takes no rules that nobody can read, and goes on", async () => {
    ran = 0;
    const stage = await setStage({ provider, script: script(), tools: [change] });
    const events = await stage.run("Begin.", {
      onPermission: async () => ({ behavior: "allow", rules: { allow: ["Change(("] } }),
    });
    expect(
      storyOf(events).filter((line) => line.startsWith("warning: The rules of the answer were not added:")),
    ).toHaveLength(2);
    expect(ran).toBe(2);
  });

  it("that a rule refuses nobody gives", async () => {
    ran = 0;
    const stage = await setStage({
      provider,
      script: script(),
      tools: [change],
      permissions: { deny: ["Change"] },
      hooks: { PreToolUse: [() => ({ permission: "allow" })] },
    });
    const events = await stage.run("Begin.", { onPermission: async () => ({ behavior: "allow" }) });
    expect(endsIn(events)[0]).toBe(
      "Change failed: Change was not allowed to run: The rule Change denies it.",
    );
    expect(ran).toBe(0);
  });

  it("is asked for one call at a time, and one answer settles what waits", async () => {
    let asking = 0;
    let asked = 0;
    const peek = createTool("Peek", async () => ({ content: "seen" }), {
      isReadOnly: true,
      subjectsOf: () => [{ kind: "path", value: "/etc/hostname", access: "read" }],
    });
    const calls = [callTool("Peek"), callTool("Peek"), callTool("Peek")];
    const stage = await setStage({ provider, script: [calls, calls, say("Done.")], tools: [peek] });
    const events = await stage.run("Begin.", {
      onPermission: async () => {
        asking += 1;
        asked += 1;
        expect(asking).toBe(1);
        await turn();
        asking -= 1;
        return asked < 4 ? { behavior: "allow" } : { behavior: "allow", rules: { allow: ["Peek"] } };
      },
    });
    expect(endsIn(events)).toEqual(Array.from({ length: 6 }, () => "Peek: seen"));
    expect(asked).toBe(4);
  });
});

describe.each(providers)("a call through the dispatcher in a run with %s", (provider) => {
  const erase = createTool("mcp__files__erase", async () => ({ content: "erased" }));
  const list = createTool("mcp__files__list", async () => ({ content: "a, b" }), { isReadOnly: true });
  const inner = new Map([erase, list].map((tool) => [tool.name, tool]));
  const dispatcher = createDispatcherTool({
    find: (name) => inner.get(name),
    names: () => [...inner.keys()],
  });
  const use = (name: string, id: string) => callTool("UseTool", { name, input: {} }, id);
  const script = () => [
    [use("mcp__files__erase", "call_1"), use("mcp__files__list", "call_2"), use("mcp__files__fly", "call_3")],
    say("Done."),
  ];

  it("is judged by the name of the tool inside, by rules and hooks alike", async () => {
    const seen: string[] = [];
    const stage = await setStage({
      provider,
      script: script(),
      tools: [dispatcher],
      permissions: { deny: ["mcp__files__erase"], allow: ["UseTool"] },
      hooks: {
        PreToolUse: [
          ({ tool }) => {
            seen.push(tool);
            return undefined;
          },
        ],
      },
    });
    const events = await stage.run();
    expect(endsIn(events).map((line) => line.split(". ")[0])).toEqual([
      "UseTool failed: mcp__files__erase was not allowed to run: The rule mcp__files__erase denies it.",
      "UseTool: a, b",
      "UseTool failed: There is no tool mcp__files__fly to be called this way",
    ]);
    expect(seen).toEqual(["mcp__files__erase", "mcp__files__list", "UseTool"]);
    expectValid(stage);
    await expectGoesOn(stage);
  });

  it("asks in the name of the tool inside, and a rule for the dispatcher allows nothing", async () => {
    const stage = await setStage({
      provider,
      script: script(),
      tools: [dispatcher],
      permissions: { allow: ["UseTool"] },
    });
    const asked: string[] = [];
    await stage.run("Begin.", {
      onPermission: async ({ tool }) => {
        asked.push(tool);
        return { behavior: "deny" };
      },
    });
    expect(asked).toEqual(["mcp__files__erase"]);
    expect(bodiesOf(stage)[1]).toContain("The user has refused it.");
  });
});
