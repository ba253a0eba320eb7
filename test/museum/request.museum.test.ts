import { describe, expect, it } from "vitest";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import type { MessageInput, Session, Store, Usage } from "../../packages/core/src/spec/index.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { createVirtualStore } from "../support/virtual-store.ts";
import { readJsonFixture } from "./read-fixture.ts";

const clock = createVirtualClock();

/** A conversation that made every later request fail elsewhere, added message by message. */
async function openFixture(
  name: string,
  { store = createVirtualStore(), model }: { readonly store?: Store; readonly model?: string } = {},
): Promise<Session> {
  const messages = readJsonFixture<readonly MessageInput[]>(name);
  const session = await openSession({ store, clock, id: "museum", model });
  for (const message of messages) await session.add(message);
  return session;
}

/** A request that was made was valid: the validator has the last word, and repairs once are repairs for ever. */
async function resumeFrom(session: Session) {
  const first = await session.prepare();
  const second = await session.prepare();
  expect(second.report.repairs).toEqual([]);
  await session.add({ role: "assistant", content: "Going on." });
  await session.add({ role: "user", content: "Good." });
  await session.prepare();
  await session.close();
  return first;
}

describe("museum", () => {
  it("8: calls without results, after an interrupt or a crash, get one that says so", async () => {
    const { request, report } = await resumeFrom(await openFixture("08-unanswered-calls.json"));
    expect(report.repairs).toEqual(["synthetic-result", "synthetic-result", "order"]);
    expect(request.messages.map(({ content }) => content.map(({ type }) => type))).toEqual([
      ["text"],
      ["text", "tool_use", "tool_use"],
      ["tool_result", "tool_result", "text"],
      ["tool_use"],
      ["tool_result", "text"],
    ]);
  });

  it("9: results whose call is gone, or that come twice, become text", async () => {
    const { request, report } = await resumeFrom(await openFixture("09-orphan-results.json"));
    expect(report.repairs).toEqual(["to-text", "order", "to-text", "to-text"]);
    const text = JSON.stringify(request.messages);
    for (const words of ["before the first", "fine again", "before the second"])
      expect(text).toContain(words);
  });

  it("9: the images of a result without a call are named in the text, not spelled out", async () => {
    const session = await openFixture("08-unanswered-calls.json");
    const source = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=".repeat(1000) };
    const content = [
      { type: "text", text: "a screenshot" },
      { type: "image", source },
    ];
    await session.add({ role: "user", content: [{ type: "tool_result", tool_use_id: "gone", content }] });
    const { request } = await session.prepare();
    expect(JSON.stringify(request.messages.at(-1))).toMatch(/a screenshot\\n\[image\]/);
    expect(JSON.stringify(request)).not.toContain("iVBOR");
    await session.close();
  });

  it("10: thinking is sent byte for byte", async () => {
    const { request } = await resumeFrom(await openFixture("10-thinking.json"));
    expect(request.messages[1]?.content.slice(0, 2)).toEqual([
      { type: "thinking", thinking: "  spaces and \u2028 stay  ", signature: "EqQBCkYIBxgC" },
      { type: "redacted_thinking", data: "EmwKAhgBEgy3va3pzix" },
    ]);
  });

  it("11: an image over the limit, alone or in a result, is replaced by a text that says why", async () => {
    const { request, report } = await resumeFrom(await openFixture("11-image-too-wide.json"));
    expect(report.repairs).toEqual(["replace-block", "replace-block"]);
    expect(JSON.stringify(request.messages).match(/9000 pixels a side, over the 8000/g)).toHaveLength(2);
  });

  it("11: the hundred and first image does not brick the session", async () => {
    const session = await openFixture("10-thinking.json", { model: "claude-sonnet-4-5[1m]" });
    const source = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" };
    for (let shot = 0; shot < 101; shot += 1) {
      await session.add({ role: "user", content: [{ type: "image", source: { ...source } }] });
      await session.add({ role: "assistant", content: "Seen." });
    }
    const { request } = await resumeFrom(session);
    expect(JSON.stringify(request.messages).match(/"type":"image"/g)).toHaveLength(90);
  });

  it("12: text cut in the middle of a character is sent well-formed", async () => {
    const { request } = await resumeFrom(await openFixture("12-cut-surrogate.json"));
    const text = JSON.stringify(request.messages);
    expect(text).toContain("Cut here: \ufffd");
    expect(text).toContain("tail \ufffd");
  });

  it("15: after a restart the request is the same to the byte, repairs and all", async () => {
    const store = createVirtualStore();
    const session = await openFixture("15-before-a-restart.json", { store });
    const before = await session.prepare();
    await session.close();
    const again = await openSession({ store, clock, id: "museum", resume: true });
    const after = await again.prepare();
    expect(JSON.stringify(after.request)).toBe(JSON.stringify(before.request));
    expect(after.report.repairs).toEqual([]);
    await again.close();
  });

  it("37: the usage of an aborted response, or from before a compaction, is not used", async () => {
    const session = await openFixture("08-unanswered-calls.json");
    await session.prepare();
    const usage = readJsonFixture<Usage>("37-usage-of-an-aborted-response.json");
    await session.add({ role: "assistant", content: "Cut o", usage, isAborted: true });
    expect(session.usage().count.tokens).toBeLessThan(1000);
    await session.close();
  });
});
