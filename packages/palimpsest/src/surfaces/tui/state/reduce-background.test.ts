import { describe, expect, it } from "vitest";
import type { AgentStatus } from "../../../../../core/src/spec/index.ts";
import { createStyle } from "../../terminal/style.ts";
import { footerLine, liveLines } from "../lines/screen-lines.ts";
import { type Background, type ChatState, initialState, noBackground } from "./chat-state.ts";
import { reduce } from "./reduce.ts";

const session = { id: "one", model: "m", cwd: "/w" };
const start: ChatState = { ...initialState({ columns: 80, rows: 24 }), session };
const look = { columns: 60, style: createStyle(false), isPlain: false, cwd: "/w" };
const spend = {
  requests: 0,
  toolCalls: 0,
  usage: { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 },
  dollars: 0,
};

const agent = (more: Partial<AgentStatus> = {}): AgentStatus => ({
  id: "agent_1",
  session: "one/agent_1",
  name: "scout",
  agent: "general",
  description: "look around",
  parent: "one",
  depth: 1,
  isBackground: true,
  state: "running",
  spend,
  ...more,
});

const see = (state: ChatState, background: Partial<Background>) =>
  reduce(state, { type: "background", background: { ...noBackground, ...background } }).state;
const notes = ({ parts }: ChatState) => parts.flatMap((part) => (part.kind === "note" ? [part.text] : []));

describe("background work", () => {
  it("is told of once when it ends, and not while it goes on", () => {
    const begun = see(start, { agents: [agent()] });
    expect(notes(begun)).toEqual([]);
    const done = { agents: [agent({ state: "done" })] };
    const ended = see(see(begun, done), done);
    expect(notes(ended)).toEqual([
      "Agent scout (look around) is done. The model is told with your next prompt.",
    ]);
  });

  it("is told of though nobody saw it begin", () => {
    const failed = agent({ state: "failed", reason: "There are no worktrees here." });
    const commands = [{ id: "task_1", title: "make", isRunning: false, outcome: "exit code 2" }];
    expect(notes(see(start, { agents: [failed], commands }))).toEqual([
      "Agent scout (look around) has failed: There are no worktrees here. The model is told with your next prompt.",
      "The command make has ended: exit code 2. The model is told with your next prompt.",
    ]);
  });

  it("is not told of where somebody waits for it, or another agent began it", () => {
    const others = [
      agent({ state: "done", isBackground: false }),
      agent({ id: "agent_2", state: "done", parent: "one/agent_1" }),
    ];
    expect(notes(see(start, { agents: others }))).toEqual([]);
  });

  it("is counted in the footer and shown above the prompt, the newest words first", () => {
    const many = Array.from({ length: 6 }, (_, at) => agent({ id: `agent_${at}`, name: `scout-${at}` }));
    const state = see(start, {
      agents: [agent({ progress: "Reading the tests" }), ...many.slice(1)],
      commands: [{ id: "task_1", title: "make", isRunning: true }],
    });
    expect(footerLine(state, look)).toContain(" · 6 agents · 1 task");
    expect(liveLines(state, look, 20)).toEqual([
      "",
      "* Agent scout: Reading the tests",
      "* Agent scout-1: look around",
      "* Agent scout-2: look around",
      "* Agent scout-3: look around",
      "  and 2 more agents; /tasks shows all",
    ]);
  });

  it("belongs to one session", () => {
    const begun = see(start, { agents: [agent()] });
    const { cost } = begun;
    const opened = reduce(begun, { type: "open", session: { ...session, id: "two" }, cost, parts: [] }).state;
    expect(opened.background).toEqual(noBackground);
  });
});

describe("mail", () => {
  it("is told of by the name of whoever sent it, where that is known", () => {
    const begun = see(start, { agents: [agent()] });
    const known = reduce(begun, { type: "mail", from: "one/agent_1", summary: "a door" }).state;
    const unknown = reduce(known, { type: "mail", from: "ses_2" }).state;
    expect(notes(unknown)).toEqual([
      "Mail from scout (“a door”). The model is told with your next prompt.",
      "Mail from ses_2. The model is told with your next prompt.",
    ]);
  });
});
