import type { ModelRequest } from "@palimpsest/core/spec";

/** Whether two requests say the same to the model: where they are marked for the cache does not count. */
export function isSamePrompt(one: ModelRequest, other: ModelRequest): boolean {
  return unmarked(one) === unmarked(other);
}

function unmarked(request: ModelRequest): string {
  return JSON.stringify(request, (key, value: unknown) => (key === "cache_control" ? undefined : value));
}
