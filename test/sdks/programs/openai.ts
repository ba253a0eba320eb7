// OpenAI's SDK and a session hand their values to each other as they are, converted by two functions.
import type OpenAI from "openai";
import { openSession } from "palimpsest";
import { fromChatMessages, toChatRequest } from "palimpsest/models/openai";

declare const client: OpenAI;

const session = await openSession({ model: "gpt-5.6" });
await session.add({ role: "user", content: "Go on." });
const { request } = await session.prepare();

const { body } = toChatRequest(request, { stream: false });
const { id, model, choices, usage } = await client.chat.completions.create(body);
const [answer] = fromChatMessages(choices.map(({ message }) => message)).messages;
await session.add({ role: "assistant", id, model, content: answer?.content ?? [], usage });

for await (const chunk of await client.chat.completions.create(toChatRequest(request).body))
  void chunk.choices;
