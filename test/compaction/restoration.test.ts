import { describe, expect, it } from "vitest";
import { type Answer, callTool, type Reply, say } from "../../packages/testing/src/index.ts";
import { inTurn, resultsOf, run, textOf, useProject } from "../loop/agent-project.ts";
import { endOf } from "../support/agent.ts";
import { asksForSummary, summarised } from "./compacting-agent.ts";

const files = {
  ".git/HEAD": "",
  "AGENTS.md": "Project: use tabs.\n",
  "deep/PALIMPSEST.md": "Deep: use spaces.\n",
  "deep/a.txt": "the text of a\n",
  "b.txt": "the text of b\n",
  "secret.txt": "nobody may read this\n",
  ".palimpsest/skills/paint/SKILL.md":
    "---\nname: paint\ndescription: How to paint.\n---\nUse a small brush.\n",
};

/** Says so much that a summary of it is shorter. */
const atLength = (text: string) => say(`${text} ${"And this is why, in many words. ".repeat(600)}`);

const quiet = { sessionNotesEnabled: false };

/** A script for the agent, in turn; requests for summaries are answered aside. */
function withSummaries(...replies: readonly (Reply | readonly ReturnType<typeof callTool>[])[]) {
  const main = inTurn(...(replies as readonly Reply[]));
  return (request: Parameters<typeof asksForSummary>[0], state: never): Reply | Promise<Reply> =>
    asksForSummary(request)
      ? summarised("6. The work so far.")
      : (main as (request: never, state: never) => Promise<Answer>)(request as never, state);
}

const textsIn = (request: { readonly whole?: unknown } | undefined) => {
  const { messages } = (request?.whole ?? { messages: [] }) as {
    readonly messages: readonly { readonly content: unknown }[];
  };
  return messages.flatMap(({ content }) =>
    typeof content === "string"
      ? content
      : (content as readonly { readonly text?: string }[]).map(({ text = "" }) => text),
  );
};

const attachmentsIn = (texts: readonly string[]) =>
  texts.flatMap((text) => /^<attachment type="([\w.-]+)">/.exec(text)?.[1] ?? []);

describe("what a compaction brings back", () => {
  it("is files as they are now, tasks, to-dos, the skill, rules in their words, each once and in order", async () => {
    const project = await useProject({
      files,
      settings: { ...quiet, permissions: { deny: ["Read(secret.txt)"] } },
    });
    project.emulator.setScript(
      withSummaries(
        callTool("Read", { file_path: "deep/a.txt" }),
        callTool("Read", { file_path: "b.txt" }),
        callTool("Skill", { skill: "paint" }),
        callTool("TodoWrite", {
          todos: [
            { content: "Paint the door", status: "in_progress" },
            { content: "Buy paint", status: "completed" },
          ],
        }),
        callTool("Bash", { command: "sleep 600", run_in_background: true, description: "waits" }),
        atLength("Read."),
        say("I go on."),
      ) as never,
    );
    const session = await project.open();
    const first = await run(session, "Read them, and never use a large brush.");
    expect(endOf(first)).toMatchObject({ reason: "done" });
    await project.write("b.txt", "b has changed\n");
    const report = await session.compact();
    expect(report.strategy).toBe("prefix");
    await run(session, "Go on.");
    const texts = textsIn(project.emulator.requests.last);
    const all = texts.join("\n");
    expect(all).toContain("6. The work so far.");
    expect(all).toContain("Read them, and never use a large brush.");
    expect(all).toContain("b has changed");
    expect(all).toContain("the text of a");
    expect(all).toContain("[>] Paint the door");
    expect(all).toContain("Use a small brush.");
    expect(all).toContain("Project: use tabs.");
    expect(all).toContain("Deep: use spaces.");
    expect(all).toMatch(/background task task_\S+ \(waits\) is running/);
    const kinds = attachmentsIn(texts);
    expect(kinds.filter((kind) => kind === "rules")).toHaveLength(2);
    expect(kinds.filter((kind) => kind === "skills")).toEqual([]);
    expect(kinds.slice(0, 8)).toEqual([
      "file",
      "file",
      "task",
      "todos",
      "skill",
      "surroundings",
      "rules",
      "rules",
    ]);
  });

  it("counts as read where it is whole, and is refused where it has changed since", async () => {
    const edit = (from: string, to: string) =>
      callTool("Edit", { file_path: "b.txt", old_string: from, new_string: to });
    const project = await useProject({ files, settings: quiet });
    project.emulator.setScript(
      withSummaries(
        callTool("Read", { file_path: "b.txt" }),
        atLength("Read."),
        edit("text", "word"),
        say("Edited."),
        edit("word", "text"),
        say("Refused."),
      ) as never,
    );
    const session = await project.open();
    await run(session, "Read it.");
    await session.compact();
    expect(resultsOf(await run(session, "Edit it."))).toMatchObject([{ tool: "Edit", isError: false }]);
    await session.compact();
    await project.write("b.txt", "the word of c\n");
    const [refused] = resultsOf(await run(session, "Edit it."));
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining("has changed since it was read"),
    });
    expect(textOf(refused?.text)).toContain("b.txt");
  });

  it("leaves out what is gone and what may not be read, and says so", async () => {
    const project = await useProject({ files, settings: quiet });
    project.emulator.setScript(
      withSummaries(
        callTool("Read", { file_path: "b.txt" }),
        callTool("Read", { file_path: "secret.txt" }),
        atLength("Read."),
        say("I go on."),
      ) as never,
    );
    const session = await project.open();
    await run(session, "Read them.");
    await session.close();
    const { rm } = await import("node:fs/promises");
    await rm(project.path("b.txt"));
    const again = await project.open({ resume: true, permissions: { deny: ["Read(secret.txt)"] } });
    await again.compact();
    const skipped = project.events.flatMap((event) => (event.type === "file-skipped" ? [event.path] : []));
    expect(skipped.toSorted()).toEqual(["b.txt", "secret.txt"]);
    await run(again, "Go on.");
    expect(textsIn(project.emulator.requests.last).join("\n")).not.toContain("nobody may read this");
  });
});

describe("hooks", () => {
  const hook = (name: string, script: string) => ({
    files: { ...files, "hook.sh": script },
    settings: { ...quiet, hooks: { [name]: [{ hooks: [{ command: ["sh", "hook.sh"] }] }] } },
  });

  async function compacted(options: ReturnType<typeof hook>) {
    const project = await useProject(options);
    project.emulator.setScript(withSummaries(atLength("Yes."), say("I go on.")) as never);
    const session = await project.open();
    await run(session, "Say something.");
    await session.compact();
    await run(session, "Go on.");
    return { project, asked: [...project.emulator.requests].filter(asksForSummary) };
  }

  it("of PreCompact add instructions behind the user's", async () => {
    const { asked } = await compacted(hook("PreCompact", 'echo \'{"context":"Name every colour."}\'\n'));
    expect(JSON.stringify(asked[0]?.whole)).toContain("Name every colour.");
  });

  it("of SessionStart hear of the compaction once, and what they say stands behind the boundary", async () => {
    const { project } = await compacted(
      hook("SessionStart", 'cat >> told.jsonl; echo \'{"context":"It is raining."}\'\n'),
    );
    const told = (await project.read("told.jsonl"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).source);
    expect(told).toEqual(["startup", "compact"]);
    expect(
      textsIn(project.emulator.requests.last).filter((text) => text.includes("It is raining.")),
    ).toHaveLength(1);
  });

  it("of PostCompact are told the summary", async () => {
    const { project } = await compacted(hook("PostCompact", "cat >> told.jsonl\n"));
    expect(JSON.parse(await project.read("told.jsonl"))).toMatchObject({
      hook: "PostCompact",
      trigger: "manual",
      summary: "6. The work so far.",
    });
  });

  it.each(["exit 1\n", "kill -9 $$\n", "echo 'no json {'\n", "yes | head -c 3000000\n"])(
    "that are bad keep no compaction from happening: %j",
    async (script) => {
      for (const name of ["PreCompact", "SessionStart", "PostCompact"]) {
        const { project } = await compacted(hook(name, script));
        expect(textsIn(project.emulator.requests.last).join("\n")).toContain("6. The work so far.");
      }
    },
  );
});
