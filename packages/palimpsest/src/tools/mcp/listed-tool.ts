import { isRecord } from "@palimpsest/core/internal";
import type { Tool } from "@palimpsest/core/spec";

/** A tool as its server lists it, as the API takes it. */
export interface ListedTool {
  /** The server's own name for it. */
  readonly name: string;
  readonly description: string;
  readonly input_schema: Tool["input_schema"];
  readonly isReadOnly: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Reads what servers say of their tools. A tool without a name, or with one that was there, is left out. */
export async function readListedTools(
  listed: readonly unknown[],
  maxDescriptionChars: number,
): Promise<readonly ListedTool[]> {
  const { toObjectSchema } = await import("./object-schema.ts");
  const tools = new Map<string, ListedTool>();
  for (const item of listed) {
    if (!isRecord(item) || typeof item.name !== "string" || item.name === "" || tools.has(item.name))
      continue;
    const { name, description, title, inputSchema, annotations, _meta } = item;
    const said = [description, title].find((text) => typeof text === "string" && text.trim() !== "");
    tools.set(name as string, {
      name: name as string,
      description: shorten(typeof said === "string" ? said : "", maxDescriptionChars),
      input_schema: toObjectSchema(inputSchema),
      isReadOnly: isRecord(annotations) && annotations.readOnlyHint === true,
      ...(isRecord(_meta) && { _meta }),
    });
  }
  return [...tools.values()];
}

/** Cut at a code point and marked, where it is too long; well-formed in any case. */
export function shorten(text: string, maxChars: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= maxChars) return whole;
  return `${whole.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
