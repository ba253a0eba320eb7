import { describe, expect, it } from "vitest";
import {
  defaultNotesTemplate,
  notesHeadline,
  renderNotes,
} from "../../packages/core/src/layers/3-session-notes/rules/index.ts";
import { isBlock } from "../../packages/core/src/spec/index.ts";
import { callTool, createVirtualDisk, fault, say } from "../../packages/testing/src/index.ts";
import { entriesOf } from "../support/agent.ts";
import { editTitle, isUpdate, notesIn, openNotesAgent, sentMessages, words } from "../support/notes-agent.ts";
import { createVirtualStore, virtualHome, virtualProject } from "../support/virtual-store.ts";

const copyPath = `${virtualHome}/projects/${virtualProject}/session-notes/one.md`;
const titled = (title: string) => renderNotes(defaultNotesTemplate, new Map([["Title", title]]));

/** Edits once, then says so. */
const editOnce = (title: string) => {
  let asked = 0;
  return () => {
    asked += 1;
    return asked === 1 ? editTitle(title) : say("done");
  };
};

describe("an update of the notes", () => {
  it("runs beside the conversation on its cached prefix, and leaves notes in the log and a copy", async () => {
    const disk = createVirtualDisk();
    const agent = await openNotesAgent(editOnce("Pruning the orchard"), {
      store: createVirtualStore({ disk }),
    });
    expect(await agent.ask(words(40_000))).toBe("Fine.");
    const end = await agent.updated(1);
    expect(end).toMatchObject({ outcome: "written", by: "model", path: copyPath });
    expect(end.cacheShare).toBeGreaterThanOrEqual(0.95);
    expect(end.dollars).toBeGreaterThan(0);
    const [note, ...others] = await notesIn(agent.session);
    expect(others).toEqual([]);
    const entries = await entriesOf(agent.session);
    const answer = entries.findLast((entry) => entry.kind === "message");
    expect(note).toMatchObject({ text: titled("Pruning the orchard"), covers: answer?.id, by: "model" });
    expect(note?.coversSeq).toBe(answer?.seq);
    expect(note?.tokensAt).toBeGreaterThan(40_000);
    expect(Buffer.from(disk.readWhole(copyPath)).toString()).toBe(note?.text);
    expect(notesHeadline(note?.text ?? "")).toEqual({ title: "Pruning the orchard" });
    expect(agent.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["notes-start", "agent-start", "agent-end", "notes-end"]),
    );
    expect([...agent.emulator.requests].map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("does not keep the conversation waiting, and more of them are one", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let asked = 0;
    const agent = await openNotesAgent(async () => {
      asked += 1;
      await held;
      return say("done");
    });
    await agent.ask(words(12_000));
    expect(await agent.ask(words(6_000))).toBe("Fine.");
    expect(await agent.ask(words(6_000))).toBe("Fine.");
    expect(agent.events.filter(({ type }) => type === "notes-start")).toHaveLength(1);
    release();
    expect(await agent.updated(1)).toMatchObject({ outcome: "unchanged" });
    expect(asked).toBe(1);
    expect(await notesIn(agent.session)).toMatchObject([{ text: titled("") }]);
  });

  it("comes again once the conversation has grown, on top of the notes before", async () => {
    const titles = [editTitle("One"), say("done"), editTitle("Two", "One"), say("done")];
    const agent = await openNotesAgent(() => titles.shift() ?? say("?"), {
      settings: { sessionNotes: { budgetPercent: 100 } },
    });
    await agent.ask(words(12_000));
    await agent.updated(1);
    await agent.ask(words(1_000));
    await agent.ask(words(5_000));
    await agent.updated(2);
    expect((await notesIn(agent.session)).map(({ text }) => text)).toEqual([titled("One"), titled("Two")]);
    expect(agent.events.filter(({ type }) => type === "task-start")).toHaveLength(2);
  });

  it("waits until the session can afford it, by what forks have cost", async () => {
    const agent = await openNotesAgent(editOnce("Dear"));
    await agent.ask(words(12_000));
    const { dollars } = await agent.updated(1);
    await agent.ask(words(6_000));
    const spent = agent.events.reduce(
      (sum, event) => (event.type === "request-end" && event.session === "one" ? sum + event.dollars : sum),
      0,
    );
    expect(dollars / (spent + dollars)).toBeGreaterThan(0.1);
    expect(agent.events.filter(({ type }) => type === "notes-start")).toHaveLength(1);
    await agent.ask(words(60_000));
    expect(await agent.updated(2)).toMatchObject({ outcome: "unchanged" });
  });

  it("waits for the results of calls", async () => {
    const calls = [callTool("Glob", { pattern: "*.none" }), say("Nothing there.")];
    const agent = await openNotesAgent(() => say("done"), { main: () => calls.shift() ?? say("Fine.") });
    await agent.ask(words(12_000));
    await agent.updated(1);
    const [update] = [...agent.emulator.requests].filter(isUpdate);
    const sent = sentMessages(update);
    expect(sent.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(sent.at(-1)?.content.map(({ type }) => type)).toEqual(["tool_result", "text"]);
  });

  it("may touch nothing but the notes, with nothing but Edit", async () => {
    const disk = createVirtualDisk();
    const attempts = [
      callTool("Write", { file_path: "/etc/evil", content: "x" }),
      callTool("Edit", { file_path: "/etc/hosts", old_string: "a", new_string: "b" }),
      callTool("Edit", {
        file_path: "session-notes/../session-notes/two.md",
        old_string: "a",
        new_string: "b",
      }),
      editTitle("Honest"),
      say("done"),
    ];
    const agent = await openNotesAgent(() => attempts.shift() ?? say("?"), {
      store: createVirtualStore({ disk }),
    });
    await agent.ask(words(12_000));
    expect(await agent.updated(1)).toMatchObject({ outcome: "written" });
    const told = sentMessages([...agent.emulator.requests].at(-1)).flatMap(({ content }) =>
      content.flatMap((block) => (isBlock(block, "tool_result") ? JSON.stringify(block.content) : [])),
    );
    expect(told[0]).toMatch(/Write may not be used here\. Use: Edit\./);
    expect(told[1]).toMatch(/“\/etc\/hosts” may not be touched here\. Edit session-notes\/one\.md\./);
    expect(told[2]).toMatch(/may not be touched here/);
    expect(told[3]).toMatch(/^"Edited session-notes\/one\.md in one place/);
  });

  it("is rejected where it is too long, after it was told so", async () => {
    const replies = [editTitle(words(2_100)), say("done")];
    const agent = await openNotesAgent(() => replies.shift() ?? say("?"));
    await agent.ask(words(12_000));
    const end = await agent.updated(1);
    expect(end).toMatchObject({ outcome: "rejected" });
    expect(end.message).toMatch(/the section “Title” has \d+ tokens, at most 2000 are allowed/);
    expect(await notesIn(agent.session)).toEqual([]);
    const told = JSON.stringify(sentMessages([...agent.emulator.requests].at(-1)).at(-1));
    expect(told).toContain("Too long: the section “Title” has");
  });

  it("that fails is an event and nothing more, and is not tried on every turn", async () => {
    const agent = await openNotesAgent(() =>
      fault.error({ status: 400, type: "invalid_request_error", message: "no" }),
    );
    await agent.ask(words(12_000));
    expect(await agent.updated(1)).toMatchObject({ outcome: "failed" });
    expect(await agent.ask("Go on.")).toBe("Fine.");
    expect(await agent.ask("Go on.")).toBe("Fine.");
    expect(agent.events.filter(({ type }) => type === "notes-start")).toHaveLength(1);
    expect(agent.events.filter(({ type }) => type === "layer-failed")).toEqual([]);
    expect(await notesIn(agent.session)).toEqual([]);
    await agent.ask(words(5_000));
    expect(await agent.updated(2)).toMatchObject({ outcome: "failed" });
  });

  it("whose copy cannot be written is in the log all the same", async () => {
    const store = createVirtualStore();
    const refusing = {
      ...store,
      notesCopies: { write: async () => ({ ok: false, error: new Error("no room") }) as never },
    };
    const agent = await openNotesAgent(editOnce("Kept"), { store: refusing });
    await agent.ask(words(12_000));
    expect(await agent.updated(1)).toMatchObject({ outcome: "written" });
    expect(await notesIn(agent.session)).toHaveLength(1);
    expect(agent.events.filter(({ type }) => type === "layer-failed")).toMatchObject([
      { layer: "session-notes", message: "The copy of the notes was not written: no room" },
    ]);
  });

  it("is answered with sections where the session has no Edit", async () => {
    const answer = "Here:\n## Title\nPruning\n\n## Worklog\n- began";
    const agent = await openNotesAgent(() => say(answer), { tools: [] });
    await agent.ask(words(12_000));
    expect(await agent.updated(1)).toMatchObject({ outcome: "written" });
    const bodies = new Map([
      ["Title", "Pruning"],
      ["Worklog", "- began"],
    ]);
    expect((await notesIn(agent.session))[0]?.text).toBe(renderNotes(defaultNotesTemplate, bodies));
  });

  it("that answers with no sections is rejected", async () => {
    const agent = await openNotesAgent(() => say("I would rather not."), { tools: [] });
    await agent.ask(words(12_000));
    expect(await agent.updated(1)).toMatchObject({ outcome: "rejected" });
  });

  it("has a template of the user's own", async () => {
    const template = "## Plan\n> What comes next.\n\n## Log\n> What was done.";
    const agent = await openNotesAgent(() => say("## Plan\nprune"), {
      tools: [],
      settings: { sessionNotes: { template } },
    });
    await agent.ask(words(12_000));
    await agent.updated(1);
    expect((await notesIn(agent.session))[0]?.text).toBe(
      "## Plan\n> What comes next.\n\nprune\n\n## Log\n> What was done.\n",
    );
  });

  it("with a template that is none does not even begin", async () => {
    const opened = openNotesAgent(() => say(""), { settings: { sessionNotes: { template: "## Plan" } } });
    await expect(opened).rejects.toThrow(/sessionNotes\.template.*“Plan” has no description/);
  });
});
