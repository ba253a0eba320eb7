import type { Action } from "./keys.ts";

const pageRequests = 20;

/** The request an action leads to, of those that are `found`; `undefined` for actions that do not move. */
export function moveRequest(
  action: Action,
  request: number,
  found: readonly number[],
  marked: readonly number[],
): number | undefined {
  const at = firstFrom(found, request);
  const step = (by: number) => found[Math.max(0, Math.min(found.length - 1, at + by))] ?? request;
  if (action === "next") return step(found[at] === request ? 1 : 0);
  if (action === "previous") return step(-1);
  if (action === "nextPage") return step(pageRequests);
  if (action === "previousPage") return step(-pageRequests);
  if (action === "first") return found[0] ?? request;
  if (action === "last") return found.at(-1) ?? request;
  if (action === "nextMark") return marked.find((each) => each > request) ?? request;
  if (action === "previousMark") return marked.findLast((each) => each < request) ?? request;
  return undefined;
}

/** The place of the first that is not before the request. */
function firstFrom(found: readonly number[], request: number): number {
  const at = found.findIndex((each) => each >= request);
  return at < 0 ? found.length : at;
}
