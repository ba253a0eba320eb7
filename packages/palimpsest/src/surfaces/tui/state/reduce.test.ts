import { describe, expect, it } from "vitest";
import type { Event, LoopEvent, WindowLevels } from "../../../../../core/src/spec/index.ts";
import { createStyle } from "../../terminal/style.ts";
import { footerLine, meterColour } from "../lines/screen-lines.ts";
import type { Action, Effect } from "./action.ts";
import { type ChatState, initialState } from "./chat-state.ts";
import type { Key, NamedKey } from "./pager.ts";
import { reduce } from "./reduce.ts";
import { splitFinished } from "./reduce-loop-event.ts";

const session = { id: "one", model: "m", cwd: "/w" };
const start: ChatState = { ...initialState({ columns: 80, rows: 24 }), session };

function play(state: ChatState, ...actions: readonly Action[]) {
  const effects: Effect[] = [];
  let now = state;
  for (const action of actions) {
    const step = reduce(now, action);
    now = step.state;
    effects.push(...step.effects);
  }
  return { state: now, effects };
}

const key = (...names: readonly (NamedKey | { readonly text: string })[]): Action[] =>
  names.map((name) => ({
    type: "key",
    nowMs: 0,
    key: (typeof name === "string" ? { name } : { name: "text", text: name.text }) as Key,
  }));
const loop = (event: object): Action => ({ type: "loop", event: event as LoopEvent });
const told = (event: object): Action => ({
  type: "session",
  event: { session: "one", at: "", ...event } as Event,
});
const running = play(start, ...key({ text: "go" }, "enter")).state;
const bodies = ({ parts }: ChatState) => parts.map(({ id: _id, ...body }) => body);

describe("reduce", () => {
  it("sends a prompt, remembers it, and queues what is said meanwhile until the model is asked again", () => {
    const { state, effects } = play(start, ...key({ text: "go" }, "enter", { text: "more" }, "enter"));
    expect(effects).toEqual([
      { type: "remember", prompt: "go" },
      { type: "run", prompt: "go" },
      { type: "remember", prompt: "more" },
      { type: "queue", prompt: "more" },
    ]);
    expect(state.queued).toEqual(["more"]);
    const heard = play(state, loop({ type: "model-start", model: "m", tokens: 1, attempt: 1 })).state;
    expect(heard.queued).toEqual([]);
    expect(bodies(heard)).toEqual([
      { kind: "prompt", text: "go" },
      { kind: "prompt", text: "more" },
    ]);
  });

  it("shows paragraphs as they are finished, and the rest when the block ends", () => {
    const delta = (text: string) => loop({ type: "block-delta", index: 0, delta: { type: "text", text } });
    const { state } = play(running, delta("One.\n"), delta("\nTwo."), delta(" And"));
    expect(bodies(state).slice(1)).toEqual([{ kind: "answer", text: "One.\n\n", isFirst: true }]);
    expect(state.run?.answer).toBe("Two. And");
    expect(bodies(play(state, loop({ type: "block-end", index: 0 })).state).at(-1)).toEqual({
      kind: "answer",
      text: "Two. And",
      isFirst: false,
    });
  });

  it("keeps code between fences together", () => {
    expect(splitFinished("a\n\n```\nb\n\nc\n")).toEqual({ finished: "a\n\n", rest: "```\nb\n\nc\n" });
    expect(splitFinished("```\nb\n\n```\n\nd")).toEqual({ finished: "```\nb\n\n```\n\n", rest: "d" });
  });

  it("interrupts by one Ctrl+C and quits by the next, unless another key comes between", () => {
    const once = play(running, ...key("ctrl-c"));
    expect(once.effects).toEqual([{ type: "interrupt" }]);
    expect(play(once.state, ...key("ctrl-c")).effects).toEqual([{ type: "quit" }]);
    expect(play(once.state, ...key({ text: "x" }, "ctrl-c")).effects).toEqual([{ type: "interrupt" }]);
    expect(play(start, ...key({ text: "x" }, "ctrl-c")).state.editor.text).toBe("");
  });

  it("lists what layers do by the events that tell of it, and leaves agents to those who know them", () => {
    const { state } = play(
      start,
      told({ type: "task-start", layer: "session-notes", reason: "it is time" }),
      told({ type: "agent-start", agent: "ses_1/agent_1", kind: "agent" }),
      told({ type: "agent-start", agent: "ses_1/fork_2", kind: "memory" }),
      told({ type: "task-end", layer: "session-notes", outcome: "done" }),
    );
    expect(state.tasks).toEqual([
      {
        id: "layer session-notes",
        name: "session-notes",
        detail: "it is time",
        state: "done",
        layer: "session-notes",
      },
      { id: "ses_1/fork_2", name: "memory agent", detail: "ses_1/fork_2", state: "running" },
    ]);
    const look = { columns: 80, style: createStyle(false), isPlain: false, cwd: "/w" };
    expect(footerLine(state, look)).toBe("m · $0.0000 · 1 task");
  });

  it("shows a compaction step by step, and what came of it", () => {
    const begun = play(
      start,
      told({ type: "compaction-start", trigger: "auto", tokens: 1_000 }),
      told({ type: "compaction-delta", chars: 10 }),
      told({ type: "compaction-delta", chars: 20 }),
    ).state;
    expect(begun.compaction?.steps).toEqual([
      "1,000 tokens are there (auto)",
      "writing the summary: 20 characters",
    ]);
    const over = play(
      begun,
      told({ type: "compaction-failed", trigger: "auto", reason: "aborted", message: "" }),
    );
    expect(over.state.compaction).toBe(null);
    expect(bodies(over.state)).toEqual([
      { kind: "note", level: "info", text: "Compaction stopped; nothing was changed." },
    ]);
  });

  it("does not hear events of other sessions", () => {
    const other = { type: "session", event: { session: "two", at: "", type: "breaker-open", failures: 3 } };
    expect(play(start, other as Action).state).toBe(start);
  });

  it("costs a key the same however long the session is", () => {
    const parts = Array.from({ length: 5_000 }, (_, id) => ({ id, kind: "prompt", text: "x" }) as const);
    const long = { ...start, parts };
    expect(play(long, ...key({ text: "a" })).state.parts).toBe(parts);
  });
});

describe("the meter", () => {
  const levels = (warning: number, error: number): WindowLevels => ({
    window: 100,
    effective: 90,
    auto: 80,
    warning,
    error,
    blocking: 95,
  });

  it("is green, yellow at the warning, red at the error, and red where the two are equal", () => {
    const colours = [59, 60, 70].map((tokens) => meterColour({ tokens, thresholds: levels(60, 70) }));
    expect(colours).toEqual(["green", "yellow", "red"]);
    expect(meterColour({ tokens: 60, thresholds: levels(60, 60) })).toBe("red");
  });
});
