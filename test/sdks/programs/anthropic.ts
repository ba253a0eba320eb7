// Anthropic's SDK and a session hand their values to each other as they are: no cast, no field taken apart.
import type Anthropic from "@anthropic-ai/sdk";
import { openSession } from "palimpsest";

declare const client: Anthropic;
declare const tools: Anthropic.Tool[];
declare const providerTools: (
  | Anthropic.Tool
  | Anthropic.ToolBash20250124
  | Anthropic.ToolTextEditor20250728
)[];
declare const system: Anthropic.TextBlockParam[];
declare const content: Anthropic.ContentBlockParam[];

const session = await openSession({ model: "claude-opus-4-5", system, tools });
await openSession({ model: "a-model-nobody-knows", tools: providerTools });
await session.add({ role: "user", content });
const { request } = await session.prepare();

const message: Anthropic.Message = await client.messages.create(request);
await session.add(message);
await session.add(await client.messages.stream(request).finalMessage());
await session.add(await client.beta.messages.create(request));
await session.add(await client.beta.messages.stream(request).finalMessage());
for await (const event of await client.messages.create({ ...request, stream: true })) void event.type;

const { max_tokens: _, ...counted } = request;
await client.messages.countTokens(counted);
const { id, content: blocks, model, stop_reason: stopReason, usage } = message;
await session.add({ role: "assistant", id, content: blocks, model, stopReason, usage });
const results: Anthropic.ToolResultBlockParam[] = [
  { type: "tool_result", tool_use_id: "call_1", content: "…" },
];
await session.add({ role: "user", content: results });
const turn: Anthropic.MessageParam = { role: "user", content: "Go on." };
await session.add(turn);
