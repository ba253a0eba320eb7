import { describe, expect, it } from "vitest";
import { callTool, type RecordedRequest, say } from "../../packages/testing/src/index.ts";
import { usePrograms } from "../mcp/support.ts";
import { endOf, entriesOf, type Provider } from "../support/agent.ts";
import {
  blocksOf,
  brokenPrefixes,
  cacheKinds,
  cacheReads,
  inTurn,
  kindsOf,
  lastResult,
  noticesOf,
  resultsOf,
  run,
  useProject,
} from "./agent-project.ts";

const sentTools = ({ whole }: RecordedRequest) =>
  (whole as unknown as { tools: readonly { name: string }[] }).tools.map(({ name }) => name);
const served = (names: readonly string[]) => names.filter((name) => name.startsWith("mcp__"));
const useTool = (name: string, input: object) => callTool("UseTool", { name, input });

/** Looks around until the model is told what it waits for, and then does the rest. */
function onceTold(words: string, next: ReturnType<typeof callTool>) {
  let isTold = false;
  return Array.from({ length: 300 }, () => (request: RecordedRequest) => {
    if (isTold) return say("Done.");
    isTold = blocksOf(request).some((block) => block.includes(words));
    return isTold ? next : callTool("Glob", { pattern: "*" });
  });
}

describe.each<Provider>(["anthropic", "openai"])("MCP servers with %s", (provider) => {
  it("bring tools, and large results go to disk", async () => {
    const programs = await usePrograms();
    const script = inTurn(
      callTool("mcp__x__echo", { text: "hi" }),
      callTool("mcp__x__big", { chars: 450_000 }, "toolu_big"),
      callTool("Recall", { id: "toolu_big", limit: 100 }),
      say("Done."),
    );
    const project = await useProject({
      provider,
      script,
      settings: {
        mcp: { x: programs.settings() },
        permissions: { allow: ["mcp__x__big"] },
        sessionNotesEnabled: false,
      },
    });
    const events = await run(await project.open());
    const [echo, big, recalled] = resultsOf(events);
    expect(echo).toEqual({ tool: "mcp__x__echo", isError: false, text: "echo: hi" });
    expect(big?.text).toHaveLength(450_000);
    const seen = lastResult(project.emulator.requests.get(3) as RecordedRequest);
    expect(seen).toContain("<persisted-output");
    expect(seen.length).toBeLessThan(5_000);
    expect(recalled?.text).toContain("é".repeat(50));
    expect(brokenPrefixes(project.emulator)).toEqual([]);
  });

  it("may change their tools without a break of the cache; late ones are called through UseTool", async () => {
    const programs = await usePrograms();
    const project = await useProject({
      provider,
      settings: { mcp: { x: programs.settings() }, permissions: { allow: ["mcp__x__*"] } },
      script: inTurn(
        callTool("mcp__x__change", {}),
        ...onceTold("mcp__x__grown", useTool("mcp__x__grown", { many: 3 })),
      ),
    });
    const events = await run(await project.open());
    expect(endOf(events)).toMatchObject({ reason: "done", text: "Done." });
    const notice = noticesOf(events).find(({ subtype }) => subtype === "tools")?.text ?? "";
    expect(notice).toContain("are there now");
    expect(notice).toContain("mcp__x__big.");
    expect(resultsOf(events).at(-1)).toEqual({ tool: "UseTool", isError: false, text: "grown: 3" });
    expect(brokenPrefixes(project.emulator)).toEqual([]);
    expect(
      cacheReads(project.emulator)
        .slice(1)
        .filter((tokens) => tokens === 0),
    ).toEqual([]);
    if (provider === "anthropic") expect(new Set(cacheKinds(project.events))).toEqual(new Set(["hit"]));
  });

  it("are bound by rules also where UseTool stands in front of a tool", async () => {
    const programs = await usePrograms();
    const project = await useProject({
      provider,
      settings: { mcp: { x: programs.settings() }, permissions: { allow: ["UseTool"], deny: ["mcp__x__*"] } },
      script: inTurn(
        [callTool("mcp__x__echo", { text: "hi" }), useTool("mcp__x__echo", { text: "hi" })],
        say("Denied."),
      ),
    });
    const denied = "mcp__x__echo was not allowed to run: The rule mcp__x__* denies it.";
    expect(resultsOf(await run(await project.open())).map(({ text }) => text)).toEqual([denied, denied]);
  });

  it("that end in the middle of a call are reached again by the next one", async () => {
    const programs = await usePrograms();
    const project = await useProject({
      provider,
      settings: { mcp: { x: programs.settings() }, permissions: { allow: ["mcp__x__*"] } },
      script: inTurn(
        callTool("mcp__x__crash", {}),
        callTool("mcp__x__echo", { text: "again" }),
        say("Done."),
      ),
    });
    const [crash, echo] = resultsOf(await run(await project.open()));
    expect(crash).toMatchObject({ isError: true });
    expect(crash?.text).toContain("was lost during the call");
    expect(echo).toEqual({ tool: "mcp__x__echo", isError: false, text: "echo: again" });
    expect(programs.ids()).toHaveLength(2);
  });

  it("with too many tools have them found by ToolSearch", async () => {
    const programs = await usePrograms();
    const names = ["a", "b", "c", "d"];
    const project = await useProject({
      provider,
      settings: { mcp: Object.fromEntries(names.map((name) => [name, programs.settings()])) },
      script: inTurn(
        callTool("ToolSearch", { query: "select:mcp__c__echo" }),
        useTool("mcp__c__echo", { text: "found" }),
        say("Done."),
      ),
    });
    const events = await run(await project.open());
    expect(served(sentTools(project.emulator.requests.last as RecordedRequest))).toEqual([]);
    const told = noticesOf(events).filter(({ subtype }) => subtype === "tools");
    expect(told).toHaveLength(1);
    expect(told[0]?.text).toMatch(
      /^\d+ tools of MCP servers are not in your list.*mcp__a__big.*mcp__d__stop/,
    );
    const [found, echo] = resultsOf(events);
    expect(found?.text).toContain('"name":"mcp__c__echo"');
    expect(echo?.text).toBe("echo: found");
  });

  it("that are not there are named, and the agent works", async () => {
    const settings = { mcp: { gone: { command: "/nonexistent/server" } } };
    const project = await useProject({ provider, settings, script: inTurn(say("I work.")) });
    expect(endOf(await run(await project.open()))).toMatchObject({ reason: "done", text: "I work." });
    expect(project.warnings).toHaveLength(1);
    expect(project.warnings[0]).toMatch(/^MCP server “gone”: /);
  });

  it("are told of again once what was told has left the view (museum 38)", async () => {
    const programs = await usePrograms();
    const project = await useProject({
      provider,
      settings: { mcp: { x: programs.settings("instruct") }, permissions: { allow: ["mcp__x__*"] } },
      script: inTurn(
        callTool("mcp__x__change", {}),
        ...onceTold("mcp__x__grown", useTool("mcp__x__grown", { many: 3 })),
      ),
    });
    const session = await project.open();
    await run(session);
    const [surroundings] = (await entriesOf(session)).filter(({ kind }) => kind === "message");
    await session.rewind(surroundings?.id ?? "");
    project.emulator.setScript(inTurn(useTool("mcp__x__grown", { many: 4 }), say("Done.")));
    const events = await run(session);
    expect(kindsOf(events)).toEqual(["mcp-instructions", "tools"]);
    expect(noticesOf(events)[1]?.text).toContain("mcp__x__grown");
    expect(resultsOf(events)[0]?.text).toBe("grown: 4");
  });

  it("leave the prefix of a resumed session as it was, whatever they have by then", async () => {
    const programs = await usePrograms();
    const project = await useProject({
      provider,
      script: inTurn(
        say("One."),
        callTool("mcp__x__echo", { text: "hi" }),
        useTool("mcp__y__echo", { text: "new" }),
        say("Two."),
        say("Three."),
      ),
    });
    const first = await project.open({ settings: { mcp: { x: programs.settings() } } });
    await run(first);
    await first.close();

    const moved = { resume: true, settings: { mcp: { y: programs.settings() } } };
    const second = await project.open(moved);
    const events = await run(second);
    const [gone, late] = resultsOf(events);
    expect(gone).toEqual({
      tool: "mcp__x__echo",
      isError: true,
      text: "The call was not made: no MCP server here has mcp__x__echo. Do without it, or use another tool.",
    });
    expect(late?.text).toBe("echo: new");
    const told = noticesOf(events).find(({ subtype }) => subtype === "tools")?.text;
    expect(told).toMatch(/are there now[\s\S]*mcp__y__echo[\s\S]*are gone; do not call them: .*mcp__x__echo/);
    await second.close();

    const third = await project.open(moved);
    expect(kindsOf(await run(third))).toEqual([]);
    expect(brokenPrefixes(project.emulator)).toEqual([]);
    if (provider === "anthropic") expect(new Set(cacheKinds(project.events))).toEqual(new Set(["hit"]));
  });
});
