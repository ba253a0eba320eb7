import { describe, expect, it } from "vitest";
import type { Entry, EntryBody } from "../../../../../core/src/spec/index.ts";
import { createSummaryWriter } from "./session-summary.ts";

function summaryOf(bodies: readonly EntryBody[]) {
  const writer = createSummaryWriter();
  for (const [index, body] of bodies.entries()) {
    const head = { v: 1, seq: index + 1, epoch: 1, id: `e${index + 1}`, at: "2026-01-01T00:00:00.000Z" };
    writer.visit({ ...head, ...body } as Entry);
  }
  return writer.summary();
}

const modelOf = (bodies: readonly EntryBody[]) => summaryOf(bodies).model;

const header = { id: "one", project: "p", model: "asked" };
const answer = (model: string): EntryBody => ({
  kind: "message",
  message: { type: "assistant", content: "Hi.", model },
});

describe("the model in a session's summary", () => {
  it("is the one that the session asks, whatever answered", () => {
    expect(modelOf([{ kind: "session", session: header }, answer("answered")])).toBe("asked");
    const change: EntryBody = { kind: "note", note: { topic: "head", model: "asked later" } };
    expect(modelOf([{ kind: "session", session: header }, answer("answered"), change])).toBe("asked later");
  });

  it("is the newest that answered where the session is a transcript", () => {
    const session = { ...header, imported: { format: "claude-code" } };
    expect(modelOf([{ kind: "session", session }])).toBe("asked");
    expect(modelOf([{ kind: "session", session }, answer("one"), answer("two")])).toBe("two");
  });
});

describe("the responses in a session's summary", () => {
  const usage = { input: 10, output: 2, cacheRead: 0, cacheCreation: 0 };
  const said = (more: object): EntryBody => ({
    kind: "message",
    message: { type: "assistant", content: "Hi.", model: "one", usage, ...more },
  });

  it("are those of its model: not what a program made, nor what sub-agents were answered", () => {
    const bodies = [
      said({ responseId: "r1" }),
      said({ responseId: "r1" }),
      said({ responseId: "r2", model: "<synthetic>" }),
      said({ responseId: "r3", model: "other", isSidechain: true }),
      said({}),
    ];
    const twice = { input: 20, output: 4, cacheRead: 0, cacheCreation: 0 };
    expect(summaryOf(bodies)).toMatchObject({
      responses: 2,
      usage: twice,
      model: "one",
      assistantMessages: 5,
    });
  });
});
