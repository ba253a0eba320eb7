/** What a provider's words name as the reason of a refusal. */
export interface RefusedLocation {
  readonly message: number;
  /** Absent where the whole message is named. */
  readonly block?: number;
  /** What stands behind the block: `tool_use`, `caller`. Names of fields, numbers, and tags of the API's own. */
  readonly path: readonly string[];
}

const pattern = /\bmessages\.(\d+)((?:\.\w+)*)/;

/** The place in a refusal such as `messages.3.content.1.tool_use.foo: …`; `null` where the words name none. */
export function refusedPlace(words: string): RefusedLocation | null {
  const [, message, rest = ""] = pattern.exec(words) ?? [];
  if (message === undefined) return null;
  const [content, block, ...path] = rest.split(".").slice(1);
  const isBlock = content === "content" && block !== undefined && /^\d+$/.test(block);
  return { message: Number(message), ...(isBlock && { block: Number(block) }), path: isBlock ? path : [] };
}
