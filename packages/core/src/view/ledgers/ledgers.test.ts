import { describe, expect, it } from "vitest";
import { answered, called, failed, said, toEntries } from "../../../../../test/support/ledger-entries.ts";
import type { Ledgers, Message } from "../../spec/index.ts";
import { createLedgers, maxCommandLength, maxCommands, maxErrorLength, maxErrors } from "./ledgers.ts";

function ledgersOf(...messages: readonly Message[]): Ledgers {
  const writer = createLedgers();
  for (const entry of toEntries(messages)) writer.add(entry);
  return writer.ledgers();
}

const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;

describe("user messages", () => {
  it("are the user's own words, as they are", () => {
    const { userMessages } = ledgersOf(
      said("  never push to main\n"),
      said([
        { type: "tool_result", tool_use_id: "t0", content: "not mine" },
        { type: "text", text: "mine" },
        { type: "image", source: { type: "url", url: "https://example.org/a.png" } },
        { type: "text", text: "mine too" },
      ]),
    );
    expect(userMessages).toEqual([
      { entry: "e1", seq: 1, text: "  never push to main\n" },
      { entry: "e2", seq: 2, text: "mine\nmine too" },
    ]);
  });

  it.each<[string, Message]>([
    ["meta messages", said("caveat", { isMeta: true })],
    ["compact summaries", said("summary", { isCompactSummary: true })],
    ["attachments", { type: "attachment", subtype: "file", content: "text" }],
    ["notices", { type: "system", content: "notice" }],
    ["answers", { type: "assistant", content: "sure" }],
    ["tool results", answered("t1", "result")],
    ["messages of sub-agents", said("go", { isSidechain: true })],
    ["local command output", said("<local-command-stdout>ok</local-command-stdout>")],
    ["reminders", said([{ type: "text", text: "<system-reminder>rules</system-reminder>" }])],
    ["blank texts", said(" \n")],
    ["interruptions", said("[Request interrupted by user for tool use]")],
    ["notices of tasks", said("<task-notification>done</task-notification>")],
    ["placeholders of pictures alone", said("[Image #1] [Image #2]")],
  ])("are not %s", (_what, message) => {
    expect(ledgersOf(message).userMessages).toEqual([]);
  });

  it.each([
    [
      "<command-message>plan</command-message>\n<command-name>/plan</command-name>\n<command-args>Fix it.</command-args>",
      "/plan Fix it.",
    ],
    ["<command-name>/exit</command-name>\n<command-args></command-args>", "/exit"],
    ["<bash-input>git status</bash-input>", "! git status"],
  ])("are what the user wrote of a command: %s", (text, words) => {
    expect(ledgersOf(said(text)).userMessages).toEqual([{ entry: "e1", seq: 1, text: words }]);
  });

  it("may speak about the tag of local command output", () => {
    const text = "what is <local-command-stdout> for?";
    expect(ledgersOf(said(text)).userMessages).toEqual([{ entry: "e1", seq: 1, text }]);
  });

  it("are never left out", () => {
    const messages = Array.from({ length: 1_000 }, (_, index) => said(`message ${index}`));
    expect(ledgersOf(...messages).userMessages).toHaveLength(1_000);
  });
});

describe("files", () => {
  it("know their last action, the range of the newest read and whether they changed since", () => {
    const { files } = ledgersOf(
      called("t1", "Read", { file_path: "/a", offset: 10, limit: 5 }),
      answered("t1"),
      called("t2", "read", { path: "/b", offset: 3 }),
      answered("t2"),
      called("t3", "Edit", { file_path: "/a", old_string: "x", new_string: "y" }),
      answered("t3"),
      called("t4", "Write", { file_path: "/c", content: "c" }),
      answered("t4"),
    );
    expect([...files.values()]).toEqual([
      {
        path: "/b",
        lastAction: "read",
        at: at(4),
        seq: 4,
        toolUseId: "t2",
        range: { offset: 3 },
        readSeq: 4,
        changedSinceRead: false,
      },
      {
        path: "/a",
        lastAction: "edited",
        at: at(6),
        seq: 6,
        toolUseId: "t3",
        range: { offset: 10, limit: 5 },
        readSeq: 2,
        editedSeq: 6,
        changedSinceRead: true,
      },
      {
        path: "/c",
        lastAction: "written",
        at: at(8),
        seq: 8,
        toolUseId: "t4",
        writtenSeq: 8,
        changedSinceRead: false,
      },
    ]);
  });

  it("are whole again, and unchanged, once they are read whole", () => {
    const { files } = ledgersOf(
      called("t1", "Read", { file_path: "/a", limit: 5 }),
      answered("t1"),
      called("t2", "Write", { file_path: "/a", content: "" }),
      answered("t2"),
      called("t3", "Read", { file_path: "/a" }),
      answered("t3"),
    );
    expect([...files.values()]).toEqual([
      {
        path: "/a",
        lastAction: "read",
        at: at(6),
        seq: 6,
        toolUseId: "t3",
        readSeq: 6,
        writtenSeq: 4,
        changedSinceRead: false,
      },
    ]);
  });

  it("have nothing of calls that failed, were not answered, or were cut off", () => {
    const { files } = ledgersOf(
      called("t1", "Edit", { file_path: "/a" }),
      failed("t1"),
      called("t2", "Write", { file_path: "/a" }),
      called("t3", "Write", { file_path: "/a" }, { isAborted: true }),
      answered("t3"),
      answered("t4"),
    );
    expect(files).toEqual(new Map());
  });

  it("count the first result of a call only", () => {
    const { files } = ledgersOf(called("t1", "Read", { file_path: "/a" }), answered("t1"), answered("t1"));
    expect(files.get("/a")?.seq).toBe(2);
  });
});

describe("commands", () => {
  it("are recorded with their outcome once it is there", () => {
    const { commands } = ledgersOf(
      called("t1", "Bash", { command: "npm test" }),
      failed("t1"),
      called("t2", "bash", { command: "ls" }),
      called("t3", "shell", { command: ["git", "status"] }),
      answered("t3"),
    );
    expect(commands).toEqual([
      { toolUseId: "t1", seq: 2, command: "npm test", failed: true },
      { toolUseId: "t3", seq: 5, command: "git status", failed: false },
    ]);
  });

  it("keep the newest and count the rest", () => {
    const runs = Array.from({ length: maxCommands + 3 }, (_, index) => `t${index}`);
    const { commands, olderCommands } = ledgersOf(
      ...runs.flatMap((id) => [called(id, "Bash", { command: `echo ${id}` }), answered(id)]),
    );
    expect(commands).toHaveLength(maxCommands);
    expect(commands[0]?.command).toBe("echo t3");
    expect(olderCommands).toBe(3);
  });

  it("are cut in the middle where they are long", () => {
    const command = `cat <<E${"x".repeat(maxCommandLength)}E`;
    const { commands } = ledgersOf(called("t1", "Bash", { command }), answered("t1"));
    expect(commands[0]?.command).toMatch(/^cat <<Ex+\n\[… 8 characters left out …\]\nx+E$/);
  });
});

describe("to-dos", () => {
  it("are those of the last list that was written", () => {
    const { todos } = ledgersOf(
      called("t1", "TodoWrite", { todos: [{ content: "old", status: "pending" }] }),
      answered("t1"),
      called("t2", "TodoWrite", {
        todos: [
          { content: "one", status: "completed", activeForm: "doing one" },
          { content: "two", status: "blocked" },
          { content: "three", status: "cancelled" },
          "four",
        ],
      }),
      answered("t2"),
      called("t3", "TodoWrite", { todos: [] }),
      failed("t3"),
      called("t4", "TodoWrite", { todos: "all" }),
      answered("t4"),
    );
    expect(todos).toEqual([
      { content: "one", status: "completed" },
      { content: "two", status: "pending" },
      { content: "three", status: "cancelled" },
    ]);
  });

  it("are created and updated one by one", () => {
    const { todos } = ledgersOf(
      called("t1", "TaskCreate", { subject: "one" }),
      answered("t1", "Task #1 created successfully: one"),
      called("t2", "TaskCreate", { subject: "two" }),
      answered("t2", "Task #2 created successfully: two"),
      called("t3", "TaskCreate", { subject: "three" }),
      answered("t3", "Task #3 created successfully: three"),
      called("t4", "TaskUpdate", { taskId: "1", status: "in_progress", subject: "one, first" }),
      answered("t4"),
      called("t5", "TaskUpdate", { taskId: "3", status: "deleted" }),
      answered("t5"),
      called("t6", "TaskUpdate", { taskId: "2", status: "completed" }),
      failed("t6"),
    );
    expect(todos).toEqual([
      { id: "1", content: "one, first", status: "in_progress" },
      { id: "2", content: "two", status: "pending" },
    ]);
  });
});

describe("the plan", () => {
  it("is the last one that was approved", () => {
    const { plan } = ledgersOf(
      called("t1", "ExitPlanMode", { plan: "first" }),
      answered("t1"),
      called("t2", "ExitPlanMode", { plan: "second", planFilePath: "/plans/second.md" }),
      answered("t2"),
      called("t3", "ExitPlanMode", { plan: "rejected" }),
      failed("t3"),
    );
    expect(plan).toEqual({ text: "second", path: "/plans/second.md" });
  });

  it("is found in the result where the input has none", () => {
    const result =
      "User has approved your plan.\n\nYour plan has been saved to: /plans/a b.md\n\n## Approved Plan:\n# Do it\n";
    expect(ledgersOf(called("t1", "ExitPlanMode"), answered("t1", result)).plan).toEqual({
      text: "# Do it\n",
      path: "/plans/a b.md",
    });
    expect(ledgersOf(called("t1", "ExitPlanMode"), answered("t1", "ok")).plan).toBeUndefined();
  });

  it("comes with an attachment", () => {
    const attach = (subtype: string, content: string): Message => ({ type: "attachment", subtype, content });
    expect(ledgersOf(attach("plan", "the plan")).plan).toEqual({ text: "the plan" });
    expect(ledgersOf(attach("plan", "{not json")).plan).toEqual({ text: "{not json" });
    expect(ledgersOf(attach("plan", "the plan"), attach("file", "a file"), attach("plan", "")).plan).toEqual({
      text: "the plan",
    });
    const reference = { type: "plan_file_reference", planContent: "the plan", planFilePath: "/plan.md" };
    expect(ledgersOf(attach("plan_file_reference", JSON.stringify(reference))).plan).toEqual({
      text: "the plan",
      path: "/plan.md",
    });
  });
});

describe("unresolved errors", () => {
  it("stay until the same tool succeeds on the same target", () => {
    const { unresolvedErrors } = ledgersOf(
      called("t1", "Bash", { command: "npm test" }),
      failed("t1", "1 failed"),
      called("t2", "Bash", { command: "npm run lint" }),
      failed("t2"),
      called("t3", "Edit", { file_path: "/a" }),
      failed("t3", [
        { type: "text", text: "no such" },
        { type: "text", text: "string" },
      ]),
      called("t4", "Write", { file_path: "/a" }),
      answered("t4"),
      called("t5", "mcp__x__y", { query: 1 }),
      failed("t5", "down"),
      called("t6", "mcp__x__y", { query: 2 }),
      answered("t6"),
      called("t7", "Bash", { command: "npm run lint " }),
      answered("t7"),
      called("t8", "Bash", { command: "npm test" }),
      failed("t8", "2 failed"),
    );
    expect(unresolvedErrors).toEqual([
      { toolUseId: "t3", seq: 6, tool: "Edit", target: "/a", text: "no such\nstring" },
      { toolUseId: "t5", seq: 10, tool: "mcp__x__y", text: "down" },
      { toolUseId: "t8", seq: 16, tool: "Bash", target: "npm test", text: "2 failed" },
    ]);
  });

  it("are bounded in number and length", () => {
    const runs = Array.from({ length: maxErrors + 2 }, (_, index) => `t${index}`);
    const text = `begin${"x".repeat(10 * maxErrorLength)}end`;
    const { unresolvedErrors, olderErrors } = ledgersOf(
      ...runs.flatMap((id) => [called(id, "Bash", { command: id }), failed(id, text)]),
    );
    expect(unresolvedErrors.map(({ toolUseId }) => toolUseId)).toEqual(runs.slice(2));
    expect(olderErrors).toBe(2);
    expect(unresolvedErrors[0]?.text).toMatch(/^beginx{295}\n\[… 5408 characters left out …\]\nx{297}end$/);
  });
});

describe("entries as they come", () => {
  it("need not be as expected", () => {
    const blob = { blob: "0".repeat(64), bytes: 100_000, lines: 1 };
    const messages = [
      said(blob as never),
      said([{ type: "text", text: blob as never }]),
      called("t1", "Read", null),
      answered("t1", blob as never),
      called("t2", "Read", { file_path: 7 }),
      answered("t2"),
      called("t3", "Bash", { command: [] }),
      answered("t3"),
      called("t4", "constructor", { file_path: "/a" }),
      failed("t4", ""),
      called("t5", "TaskUpdate", {}),
      answered("t5"),
    ];
    expect(ledgersOf(...messages)).toEqual({
      userMessages: [],
      intents: [],
      orders: [],
      answers: [],
      findings: [],
      files: new Map(),
      namedFiles: new Map(),
      commands: [],
      olderCommands: 0,
      todos: [],
      unresolvedErrors: [{ toolUseId: "t4", seq: 10, tool: "constructor", text: "" }],
      olderErrors: 0,
    });
  });
});
