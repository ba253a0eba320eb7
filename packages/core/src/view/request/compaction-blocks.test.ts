import { describe, expect, it } from "vitest";
import type { ContentBlock, Entry, Message } from "../../spec/index.ts";
import { project } from "../projection/project.ts";
import { renderMessages } from "./message-renderer.ts";
import { repairSteps } from "./repair.ts";
import { validate } from "./validator.ts";

const limits = { images: { maxBytes: 1_000, maxSidePixels: 8_000, maxCount: 100 }, maxBreakpoints: 4 };
const onDemand: ContentBlock = { type: "compaction", content: "So far.", signature: "s" };
const edit: ContentBlock = { type: "compaction", content: "So far.", encrypted_content: "e" };
const text = (words: string): ContentBlock => ({ type: "text", text: words });
const user: Message = { type: "user", content: "Go on." };
const assistant = (...content: ContentBlock[]): Message => ({ type: "assistant", content });

function repaired(messages: readonly Message[], compactionBetas?: readonly string[]) {
  const entries: Entry[] = messages.map((message, index) => entryOf(index + 1, { kind: "message", message }));
  const given = { ...limits, ...(compactionBetas && { compactionBetas }) };
  const steps = repairSteps(project(entries).items, 0, given);
  const decision = {
    type: "repair",
    layer: "engine",
    reason: "",
    frees: 0,
    basis: entries.length,
    steps,
  } as const;
  const after = project([...entries, entryOf(entries.length + 1, { kind: "decision", decision })]).items;
  expect(repairSteps(after, 0, given)).toEqual([]);
  const request = renderMessages(after);
  expect(validate({ messages: request }, limits)).toEqual([]);
  return { steps: steps.map(({ repair }) => repair), request };
}

function entryOf(seq: number, body: object): Entry {
  return { v: 1, seq, epoch: 1, id: `e${seq}`, at: "2026-01-01T00:00:00.000Z", ...body } as Entry;
}

describe("compaction blocks of the API in a request", () => {
  it.each([onDemand, edit])("may begin it, as they are", (block) => {
    const { steps, request } = repaired([assistant(block), user]);
    expect(steps).toEqual([]);
    expect(request[0]).toEqual({ role: "assistant", content: [block] });
  });

  it("stand anywhere where they came with a response", () => {
    expect(repaired([user, assistant(edit, text("Yes.")), user]).steps).toEqual([]);
  });

  it("are words where they were made on demand and something stands before them", () => {
    const { steps, request } = repaired([user, assistant(onDemand, text("Yes.")), user]);
    expect(steps).toEqual(["to-text"]);
    expect(JSON.stringify(request)).toContain("So far.");
  });

  it("are words for a model that does not take them", () => {
    const { steps, request } = repaired([assistant(onDemand), user], ["compact-2026-01-12"]);
    expect(steps).toEqual(["to-text", "begin-with-user"]);
    expect(JSON.stringify(request)).not.toContain('"compaction"');
  });

  it("are refused elsewhere by the validator", () => {
    const messages = [
      { role: "user" as const, content: [text("Begin."), onDemand] },
      { role: "assistant" as const, content: [text("Yes.")] },
    ];
    expect(validate({ messages }, limits)).toEqual([
      {
        rule: "compaction-first",
        path: "messages[0].content[1]",
        message: "A signed compaction block is not the first block.",
      },
    ]);
  });
});
