import { describe, expect, it } from "vitest";
import type { Entry, EntryBody } from "../spec/index.ts";
import { askedModelAfter } from "./statistics.ts";

const header = { id: "one", project: "p" };
const entry = (body: EntryBody): Entry => ({ v: 1, seq: 1, epoch: 1, id: "e1", at: "2026-01-01", ...body });

describe("the model that a session asks", () => {
  it.each<[string, EntryBody, string | undefined]>([
    ["the one that it began with", { kind: "session", session: { ...header, model: "a" } }, "a"],
    ["the one of its new head", { kind: "note", note: { topic: "head", model: "a" } }, "a"],
    ["as before where a new head keeps it", { kind: "note", note: { topic: "head" } }, "before"],
    [
      "as before whatever a response names",
      { kind: "message", message: { type: "assistant", content: "Hi.", model: "a" } },
      "before",
    ],
    [
      "not said by a transcript, which knows only who answered",
      { kind: "session", session: { ...header, model: "a", imported: { format: "claude-code" } } },
      "before",
    ],
    ["as before where a line has no name", { kind: "note", note: { topic: "head", model: "" } }, "before"],
    [
      "as before where a line has something else for a name",
      { kind: "note", note: { topic: "head", model: 5 as unknown as string } },
      "before",
    ],
  ])("is %s", (_what, body, expected) => {
    expect(askedModelAfter(entry(body), "before")).toBe(expected);
  });
});
