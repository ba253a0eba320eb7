import { onTestFinished } from "vitest";
import type { Session } from "../../packages/core/src/spec/index.ts";
import { openSession } from "../../packages/palimpsest/src/loop/open-session.ts";
import { callTool, type Emulator, type Script, say } from "../../packages/testing/src/index.ts";
import { emulate } from "../support/emulator.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

export const windowTokens = 40_000;
export const pages = 12;
/** About 5,000 tokens: twelve of them are more than the window. */
export const pageText = (page: number) =>
  `Page ${page}. ${"The quay has cranes, and the cranes have numbers. ".repeat(400)}`;

/** A model that reads page after page and then answers. */
const script: Script = ({ number }) =>
  number <= pages ? callTool("page", { number }, `call_${number}`) : say("All pages are read.");

export async function readingModel(): Promise<Emulator> {
  const catalog = { capabilities: { "*": { contextWindow: windowTokens } } };
  return (await emulate({ script, catalog })).emulator;
}

export async function openReader(): Promise<Session> {
  const settings = {
    catalog: { capabilities: { "claude-opus-4-5": { contextWindow: windowTokens, maxOutput: 4_000 } } },
  };
  const session = await openSession({ store: createVirtualStore(), model: "claude-opus-4-5", settings });
  onTestFinished(() => session.close());
  return session;
}

export const statuses = (emulator: Emulator) => [...emulator.requests].map(({ status }) => status);
export const violations = (emulator: Emulator) =>
  [...emulator.requests].flatMap(({ violations: found }) => found);

/** How many answers told the session what they took; the last one is handed over with the next request. */
export async function countedAnswers(session: Session): Promise<number> {
  let counted = 0;
  for await (const entry of session.entries())
    if (entry.kind === "message" && entry.message.type === "assistant" && entry.message.usage) counted += 1;
  return counted;
}
