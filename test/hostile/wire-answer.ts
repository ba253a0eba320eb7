/** One answer that no careful server gives, for one of the protocols. */
export interface HostileAnswer {
  readonly name: string;
  /** Messages API: blocks, each sent whole. */
  readonly content?: readonly unknown[];
  /** Messages API: events in place of those that blocks would make, between `message_start` and `message_delta`. */
  readonly events?: readonly object[];
  /** Messages API: fields of `message_start`'s message, and of the `delta` of `message_delta`. */
  readonly start?: object;
  readonly stop?: object;
  readonly usage?: unknown;
  /** Messages API: more events behind `message_delta`, or none at all. */
  readonly end?: readonly object[];
  /** Chat completions. */
  readonly chat?: ChatAnswer;
  /** The very bytes, whatever else is said. */
  readonly raw?: string;
  /** The connection breaks behind so many bytes. */
  readonly cutAt?: number;
  /** So many requests are refused for it at most, and repaired. */
  readonly refusals?: number;
  /** The session's requests have these beta headers until it is resumed. */
  readonly betas?: readonly string[];
  /** The session sends blocks and fields back as they came. */
  readonly keepsUnknown?: boolean;
  /** The log has this of it, word for word. */
  readonly logged?: string;
}

export interface ChatAnswer {
  readonly text?: unknown;
  readonly calls?: readonly unknown[];
  readonly delta?: object;
  /** Chunks in place of all of these. */
  readonly chunks?: readonly unknown[];
  readonly finish?: unknown;
  readonly usage?: unknown;
  readonly fields?: object;
}

/** An answer as a server sends it. */
export function toWire(answer: HostileAnswer): { readonly text: string; readonly isCut?: boolean } {
  const text = answer.raw ?? (answer.chat ? chatText(answer.chat) : messageText(answer));
  return answer.cutAt === undefined ? { text } : { text: text.slice(0, answer.cutAt), isCut: true };
}

const event = (body: object) =>
  `event: ${(body as { type?: string }).type}\ndata: ${JSON.stringify(body)}\n\n`;

function messageText(answer: HostileAnswer): string {
  const { content = [], start, stop, usage = { input_tokens: 900, output_tokens: 9 } } = answer;
  const message = {
    id: `msg_${answer.name.replaceAll(/\W+/g, "_").slice(0, 40)}`,
    type: "message",
    role: "assistant",
    model: "claude-opus-4-5",
    content: [],
    stop_reason: null,
    usage,
    ...start,
  };
  const blocks = content.flatMap((content_block, index) => [
    { type: "content_block_start", index, content_block },
    { type: "content_block_stop", index },
  ]);
  const hasCall = content.some((block) => (block as { type?: unknown } | null)?.type === "tool_use");
  const delta = { stop_reason: hasCall ? "tool_use" : "end_turn", stop_sequence: null, ...stop };
  const end = answer.end ?? [{ type: "message_delta", delta, usage }, { type: "message_stop" }];
  return [{ type: "message_start", message }, ...(answer.events ?? blocks), ...end].map(event).join("");
}

function chatText({ text, calls, delta, chunks, finish, usage, fields }: ChatAnswer): string {
  const chunk = (choice: object) => ({
    id: "chatcmpl_1",
    object: "chat.completion.chunk",
    model: "gpt-5.6",
    choices: [{ index: 0, finish_reason: null, ...choice }],
    ...fields,
  });
  const said = {
    role: "assistant",
    ...(text !== undefined && { content: text }),
    ...(calls && { tool_calls: calls }),
    ...delta,
  };
  const reason = finish === undefined ? (calls ? "tool_calls" : "stop") : finish;
  const all = chunks ?? [
    chunk({ delta: said }),
    chunk({ delta: {}, finish_reason: reason }),
    { ...chunk({}), choices: [], usage: usage ?? { prompt_tokens: 900, completion_tokens: 9 } },
  ];
  return `${all.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("")}data: [DONE]\n\n`;
}
