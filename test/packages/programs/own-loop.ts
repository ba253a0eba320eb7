// A loop of one's own over nothing but fetch: what was said goes into a session, requests come out, and it is resumed.
import { type ContentBlock, openSession, type Session } from "palimpsest";
import { callTool, createEmulator, say } from "palimpsest/testing";

const emulator = await createEmulator({
  script: [callTool("page", { number: 1 }, "call_1"), say("It is read."), say("It was page 1.")],
});
const tools = [{ name: "page", description: "Gives a page.", input_schema: { type: "object" } }];

async function ask(session: Session): Promise<readonly ContentBlock[]> {
  const { betas = [], ...body } = (await session.prepare()).request;
  const response = await fetch(`${emulator.url}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": "sk-test", "anthropic-version": "2023-06-01", "anthropic-beta": betas.join(",") },
    body: JSON.stringify(body),
  });
  const { id, content, model, stop_reason, usage } = JSON.parse(await response.text());
  await session.add({ role: "assistant", id, content, model, stopReason: stop_reason, usage });
  return content;
}

const first = await openSession({ id: "own-loop", model: "claude-opus-4-5", tools });
await first.add({ role: "user", content: "Read page 1." });
await ask(first);
const result = { type: "tool_result", tool_use_id: "call_1", content: "The quay has cranes." } as const;
await first.add({ role: "user", content: [result] });
await ask(first);
const counted = first.usage().count.tokens;
await first.close();

const resumed = await openSession({ id: "own-loop", resume: true, tools });
const countedAgain = resumed.usage().count.tokens;
await resumed.add({ role: "user", content: "Which page was it?" });
const [last] = await ask(resumed);
const { text: recalled } = await resumed.recall("call_1");
await resumed.close();
await emulator.close();

console.log(
  JSON.stringify({
    requests: [...emulator.requests].map(({ status, violations }) => ({ status, violations })),
    last,
    isCounted: counted > 0,
    isCountedTheSame: countedAgain === counted,
    isRecalled: recalled.includes("The quay has cranes."),
  }),
);
