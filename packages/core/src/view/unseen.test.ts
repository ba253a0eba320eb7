import { describe, expect, it } from "vitest";
import type { ContentBlock, Entry, Message } from "../spec/index.ts";
import { findUnseen, newestRoundFrom } from "./newest-answer.ts";
import { project } from "./projection/project.ts";

const user = (content: Message["content"]): Message => ({ type: "user", content });
const assistant = (content: Message["content"], responseId?: string): Message => ({
  type: "assistant",
  content,
  ...(responseId !== undefined && { responseId }),
});
const call = (id: string): ContentBlock => ({ type: "tool_use", id, name: "Read", input: {} });
const result = (id: string): ContentBlock => ({ type: "tool_result", tool_use_id: id, content: id });

const itemsOf = (...messages: readonly Message[]) =>
  project(
    messages.map(
      (message, index): Entry => ({
        v: 1,
        seq: index + 1,
        epoch: 1,
        id: `e${index + 1}`,
        at: "2026-01-01T00:00:00.000Z",
        kind: "message",
        message,
      }),
    ),
  ).items;

describe("what no model has been asked with", () => {
  it("is everything before the first response", () => {
    const items = itemsOf(user("one"), user("two"));
    expect(newestRoundFrom(items)).toBe(0);
    expect(findUnseen(items)).toEqual({ from: 0, withCalls: 0 });
  });

  it("is nothing where the assistant spoke last", () => {
    expect(findUnseen(itemsOf(user("one"), assistant("two")))).toBe(null);
  });

  it("is what was said behind the newest answer", () => {
    const items = itemsOf(user("one"), assistant("two"), user("three"), user("four"));
    expect(findUnseen(items)).toEqual({ from: 2, withCalls: 2 });
  });

  it("is the results of the newest calls and what was said behind them", () => {
    const items = itemsOf(user("one"), assistant([call("a"), call("b")]), user([result("a")]), user("x"));
    expect(findUnseen(items)).toEqual({ from: 3, withCalls: 1 });
  });

  it("is also what came between the parts of the newest response", () => {
    const items = itemsOf(
      user("one"),
      assistant("before", "r0"),
      user("two"),
      assistant([call("a")], "r1"),
      user([result("a")]),
      assistant([call("b")], "r1"),
      user([result("b")]),
    );
    expect(newestRoundFrom(items)).toBe(3);
    expect(findUnseen(items)).toEqual({ from: 4, withCalls: 3 });
  });

  it("leaves calls alone that none of it answers", () => {
    const items = itemsOf(user("one"), assistant([call("a")]), user("stop"));
    expect(findUnseen(items)).toEqual({ from: 2, withCalls: 2 });
  });

  it("reads only the newest round, however long the view is", () => {
    const turns = Array.from({ length: 500 }, () => [user("a word"), assistant("an answer")]).flat();
    const items = itemsOf(...turns, user("go"), assistant([call("a")]), user([result("a")]));
    const read = new Set<number>();
    const watched = items.map((item, at) => ({
      ...item,
      get role() {
        read.add(at);
        return item.role;
      },
    }));
    expect(findUnseen(watched)).toEqual({ from: 1002, withCalls: 1001 });
    expect([...read].sort()).toEqual([1000, 1001, 1002]);
  });

  it("does not take a boundary's own words for news", () => {
    const items = itemsOf(user("the summary"), user("a prompt"));
    expect(findUnseen(items, 1)).toEqual({ from: 1, withCalls: 1 });
    expect(findUnseen(items.slice(0, 1), 1)).toBe(null);
  });
});
