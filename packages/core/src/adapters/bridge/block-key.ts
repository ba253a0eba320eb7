import type { ContentBlock } from "../../spec/index.ts";

/** The same text for the same value, in whatever order its fields are; bytes by their content. */
export function valueKey(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (inner instanceof Uint8Array) return { bytes: Buffer.from(inner).toString("base64") };
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** What a block says, without the mark of a breakpoint. */
export function blockKey(block: ContentBlock): string {
  const { cache_control: _mark, ...rest } = block as ContentBlock & { readonly cache_control?: unknown };
  return valueKey(rest);
}
