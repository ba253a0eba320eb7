import { describe, expect, it } from "vitest";
import { toRequestId } from "../../src/context/request/request-ids.ts";
import type { Session } from "../../src/spec/index.ts";
import { user } from "../support/session-messages.ts";
import { beginSession, entriesOf, resumeSession } from "../support/virtual-session.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const id = "functions.Bash:0";
const mapped = toRequestId(id);

async function addRound(session: Session, call: string, answered: string): Promise<void> {
  const block = { type: "tool_use", id: call, name: "Bash", input: { command: "ls" } };
  await session.add({ role: "assistant", content: [block] });
  await session.add({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: answered, content: "a.ts" }],
  });
}

async function blocksOf(session: Session) {
  const { request, report } = await session.prepare();
  const blocks = request.messages.flatMap(({ content }) => content);
  return { blocks, repairs: report.repairs };
}

const sent = [
  { type: "text", text: "List." },
  { type: "tool_use", id: mapped, name: "Bash", input: { command: "ls" } },
  { type: "tool_result", tool_use_id: mapped, content: "a.ts" },
];

describe("a call whose id not every provider takes", () => {
  it.each([
    ["as its server did", id],
    ["as requests do", mapped],
  ])("is sent as a call with its result, which may name it %s", async (_, answered) => {
    const store = createVirtualStore();
    const session = await beginSession({ store });
    await session.add(user("List."));
    await addRound(session, id, answered);
    const { blocks, repairs } = await blocksOf(session);
    expect(blocks).toMatchObject(sent);
    expect(repairs).toEqual([]);
    const logged = (await entriesOf(session)).flatMap((entry) =>
      entry.kind === "message" && typeof entry.message.content !== "string" ? entry.message.content : [],
    );
    expect(logged).toMatchObject([{ id }, { tool_use_id: id }]);
    await session.close();
    const resumed = await resumeSession({ store });
    expect((await blocksOf(resumed)).blocks).toMatchObject(sent);
    await resumed.close();
  });

  it("is recalled by either id", async () => {
    const session = await beginSession();
    await session.add(user("List."));
    await addRound(session, id, id);
    const recalled = { kind: "tool-use", text: 'Bash {"command":"ls"}\n\na.ts' };
    expect(await session.recall(id)).toMatchObject(recalled);
    expect(await session.recall(mapped)).toMatchObject(recalled);
    await session.close();
  });

  it("gets a synthetic result where it has none", async () => {
    const session = await beginSession();
    await session.add(user("List."));
    await session.add({ role: "assistant", content: [{ type: "tool_use", id, name: "Bash", input: {} }] });
    await session.add(user("Go on."));
    const { blocks, repairs } = await blocksOf(session);
    expect(blocks).toMatchObject([
      { type: "text" },
      { type: "tool_use", id: mapped },
      { type: "tool_result", tool_use_id: mapped, is_error: true },
      { type: "text" },
    ]);
    expect(repairs).toContain("synthetic-result");
    await session.close();
  });

  it("and one that has its mapped id are never both sent as calls", async () => {
    const session = await beginSession();
    await session.add(user("List."));
    await addRound(session, id, id);
    await addRound(session, mapped, mapped);
    const { blocks } = await blocksOf(session);
    expect(blocks.filter(({ type }) => type === "tool_use")).toMatchObject([{ id: mapped }]);
    expect(blocks.filter(({ type }) => type === "tool_result")).toMatchObject([{ tool_use_id: mapped }]);
    await session.close();
  });
});
