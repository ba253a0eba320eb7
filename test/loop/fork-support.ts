import type { ContentBlock, Session, Tool } from "../../packages/core/src/spec/index.ts";
import type { RecordedRequest } from "../../packages/testing/src/index.ts";
import { collect } from "../support/agent.ts";

const input = { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const;

/** Gives back what it is given, and changes nothing. */
export const echo: Tool = {
  name: "Echo",
  description: "Gives back what it is given.",
  input_schema: input,
  isReadOnly: true,
  run: async (given) => ({ content: (given as { text: string }).text }),
};

/** Would change something, and says so. */
export const keep: Tool = {
  name: "Keep",
  description: "Keeps what it is given.",
  input_schema: input,
  run: async () => ({ content: "kept" }),
};

const words = "the settled queue appends every waiting line in one write and says so once it is there ";

/** Texts of about so many tokens together, as the emulator counts them, no two alike. */
export function longTexts(tokens: number): readonly ContentBlock[] {
  const blockBytes = 20_000;
  const blocks = Math.ceil((tokens * 2.8) / blockBytes);
  return Array.from({ length: blocks }, (_, index) => ({
    type: "text",
    text: `Part ${index}. ${words.repeat(Math.ceil(blockBytes / words.length))}`,
  }));
}

/** A conversation of so many tokens that was answered once: what was sent is in the cache. */
export async function warmUp(session: Session, tokens: number): Promise<void> {
  await session.add({ role: "user", content: longTexts(tokens) });
  await collect(session.run("Read all of it."));
}

type Wire = Readonly<Record<string, unknown>> & { readonly messages: readonly unknown[] };

/** What was sent, without the cache markers, which move. */
export function bytesOf(request: RecordedRequest | undefined): Wire {
  if (!request?.body) throw new Error("the request or its body is gone");
  return JSON.parse(
    JSON.stringify(request.body, (key, value) => (key === "cache_control" ? undefined : value)),
  ) as Wire;
}

/** The headers that are part of what is cached. */
export const betasOf = (request: RecordedRequest | undefined) => request?.headers["anthropic-beta"];

/** The newest message of what the model was asked. */
export function lastOf({ whole }: RecordedRequest): string {
  return JSON.stringify((whole?.messages as readonly unknown[] | undefined)?.at(-1) ?? "");
}

/** Of a prompt, as the emulator counted it. */
export function readShare({ usage }: RecordedRequest): number {
  if (!usage) return 0;
  const {
    input_tokens: fresh,
    cache_read_input_tokens: read = 0,
    cache_creation_input_tokens: made = 0,
  } = usage;
  return (read ?? 0) / (fresh + (read ?? 0) + (made ?? 0));
}

/** A promise and what settles it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
