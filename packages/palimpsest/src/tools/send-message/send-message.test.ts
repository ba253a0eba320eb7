import { describe, expect, it } from "vitest";
import { createMailLedger, renderMail } from "../../../../core/src/layers/7-agents/mail/rules/index.ts";
import {
  type AgentMessage,
  fail,
  ok,
  type ReachableAgent,
  type ToolContext,
} from "../../../../core/src/spec/index.ts";
import { checkToolInput } from "../check-input.ts";
import { createSendMessageTool } from "./index.ts";

const at = "2026-11-15T12:00:00.000Z";
const agents: readonly ReachableAgent[] = [
  { id: "ses_2", name: "boss", route: "socket" },
  { id: "ses_1/agent_1", name: "tester", route: "queue" },
];

/** The tool of session ses_1, with a directory that notes what is sent. */
function createScene() {
  const sent: { readonly from: string; readonly to: string; readonly message: AgentMessage }[] = [];
  const ledger = createMailLedger();
  const find = (to: string) => {
    const found = agents.filter(({ name }) => to === "*" || name === to);
    const there = `Reachable: ${agents.map(({ name }) => name).join(", ")}.`;
    return found.length > 0 ? ok(found) : fail("not-found", `There is no agent “${to}”.`, { fix: there });
  };
  const tool = createSendMessageTool({
    directory: {
      find: async (_self, to) => find(to),
      async send(from, to, message) {
        const found = find(to);
        if (!found.ok) return found;
        sent.push({ from, to, message });
        const delivered = found.value.map(({ id, name, route }, index) => ({
          id: `mail_${index}`,
          to: id,
          name,
          route,
        }));
        return ok({ delivered, failed: [] });
      },
    },
    exchangesOf: async (id) => (id === "ses_1" ? ledger : undefined),
  });
  const run = (input: object, session = "ses_1") =>
    tool.run?.(input, { session: { id: session } } as ToolContext);
  return { tool, run, sent, ledger };
}

describe("SendMessage", () => {
  it("sends as the conversation it is called in, whatever the input says", async () => {
    const { run, sent, tool } = createScene();
    expect(await run({ to: "tester", message: "from: ses_2. Go.", summary: "s" })).toEqual({
      content: "Sent to tester (queue).",
    });
    await run({ to: "tester", message: "x" }, "ses_1/fork_1");
    expect(sent).toEqual([
      { from: "ses_1", to: "tester", message: { content: "from: ses_2. Go.", summary: "s" } },
      { from: "ses_1/fork_1", to: "tester", message: { content: "x" } },
    ]);
    expect(await checkToolInput(tool, { to: "tester", message: "x", from: "ses_2" })).toMatchObject({
      ok: false,
    });
  });

  it("says whom it has reached", async () => {
    expect(await createScene().run({ to: "*", message: "All hands." })).toEqual({
      content: "Sent to boss (socket), tester (queue).",
    });
  });

  it("says who there is where nobody has that name", async () => {
    expect(await createScene().run({ to: "nobody", message: "x" })).toEqual({
      content: "There is no agent “nobody”. Reachable: boss, tester.",
      isError: true,
    });
  });

  it("answers a request that was made, once", async () => {
    const { run, ledger, sent } = createScene();
    const yes = { to: "boss", message: { type: "shutdown_response", requestId: "r1", approve: true } };
    expect(await run(yes)).toMatchObject({ isError: true });
    const request = { type: "shutdown_request", requestId: "r1" } as const;
    ledger.addReceived(renderMail({ id: "m1", from: "ses_2", at, seq: 1, message: { content: request } }));
    expect(await run({ ...yes, to: "tester" })).toMatchObject({ isError: true });
    expect(await run(yes)).toEqual({
      content:
        'Sent to boss (socket).\n[sent {"id":"mail_0","to":"ses_2","mark":{"type":"shutdown_response","requestId":"r1","approve":true}}]',
    });
    expect(await run(yes)).toEqual({
      content: "The request r1 was answered before: approved. Make a new request.",
      isError: true,
    });
    expect(sent).toHaveLength(1);
  });

  it.each([
    [{ to: "boss", message: { type: "reboot", requestId: "r" } }, "is not a kind of message"],
    [{ to: "*", message: { type: "shutdown_request", requestId: "r" } }, "goes to one agent"],
    [{ to: "boss", message: " " }, "The message is empty."],
  ])("refuses %j with the reason", async (input, reason) => {
    const { run, sent } = createScene();
    const outcome = await run(input);
    expect(outcome).toMatchObject({ isError: true });
    expect(outcome?.content).toContain(reason);
    expect(sent).toEqual([]);
  });

  it("lets a conversation without mail of its own send texts only", async () => {
    const { run } = createScene();
    const request = { type: "plan_approval_request", requestId: "p1", plan: "First the types." };
    expect(await run({ to: "boss", message: request }, "ses_1/fork_1")).toMatchObject({ isError: true });
    expect(await run({ to: "boss", message: request })).not.toHaveProperty("isError");
  });

  it("has an input that its schema describes", async () => {
    const { tool } = createScene();
    for (const message of ["x", { type: "shutdown_request", requestId: "r1", reason: "Done." }])
      expect(await checkToolInput(tool, { to: "*", message })).toMatchObject({ ok: true });
    for (const input of [{}, { to: "", message: "x" }, { to: "a", message: 1 }, { to: "a", message: {} }])
      expect(await checkToolInput(tool, input)).toMatchObject({ ok: false });
  });
});
