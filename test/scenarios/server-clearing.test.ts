import { describe, expect, it } from "vitest";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import type { DecisionEntry, Event } from "../../packages/core/src/spec/index.ts";
import { callTool, createVirtualClock, say } from "../../packages/testing/src/index.ts";
import { emulate, readTool } from "../support/emulator.ts";
import { ask } from "../support/talk.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

describe("clearing by the API, through the official SDK at the emulator", () => {
  it("asks for it, leaves the view as it is, records what was cleared, and counts what is left", async () => {
    const { emulator, client } = await emulate({
      script: ({ ordinal }) =>
        ordinal <= 6 ? callTool("Read", { file_path: `${ordinal}.ts` }) : say("Done."),
    });
    const events: Event[] = [];
    const session = await openSession({
      store: createVirtualStore(),
      clock: createVirtualClock(),
      id: "one",
      model: "claude-opus-4-5",
      tools: [{ ...readTool, maxResultChars: Number.POSITIVE_INFINITY }],
      settings: {
        flags: { "clear-server": true },
        microcompact: { serverTriggerTokens: 40_000, serverTargetTokens: 30_000 },
      },
      onEvent: (event) => events.push(event),
    });
    await session.add({ role: "user", content: "Read them." });
    let isDone = false;
    while (!isDone) {
      const { response } = await ask(session, client);
      const calls = response.content.flatMap((block) => (block.type === "tool_use" ? block.id : []));
      isDone = calls.length === 0;
      for (const id of calls)
        await session.add({
          role: "user",
          content: [{ type: "tool_result", tool_use_id: id, content: `${id} `.repeat(3_000) }],
        });
    }
    const decisions: DecisionEntry[] = [];
    for await (const entry of session.entries()) if (entry.kind === "decision") decisions.push(entry);
    const edits = decisions.filter(({ decision }) => decision.type === "cache-edit");
    expect(edits.length).toBeGreaterThan(0);
    expect(edits.at(-1)?.decision).toMatchObject({ type: "cache-edit", frees: 0, layer: "microcompact" });
    const last = emulator.requests.last;
    expect(last?.violations).toEqual([]);
    expect(session.usage().count).toEqual({
      tokens: (last?.promptTokens ?? 0) + (last?.usage?.output_tokens ?? 0),
      source: "usage",
    });
    expect(last?.promptTokens).toBeLessThan(emulator.requests.get(5)?.promptTokens ?? 0);
    expect(JSON.stringify((await session.prepare()).request.messages)).not.toContain("content cleared");
    expect(emulator.requests.where(({ outcome }) => outcome !== "answered")).toEqual([]);
    await session.close();
  });
});
