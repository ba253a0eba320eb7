import type { InspectedSession, SessionMark } from "../inspected.ts";

export type MarksByRequest = ReadonlyMap<number, readonly SessionMark[]>;

export function marksByRequest(marks: readonly SessionMark[]): MarksByRequest {
  const found = new Map<number, SessionMark[]>();
  for (const mark of marks) {
    const list = found.get(mark.request);
    if (list) list.push(mark);
    else found.set(mark.request, [mark]);
  }
  return found;
}

/** Requests that have every word of the filter in their number, turn, break or marks. */
export function findRequests(
  { requests }: InspectedSession,
  marks: MarksByRequest,
  filter: string,
): readonly number[] {
  const all = requests.at.map((_, request) => request);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return all;
  return all.filter((request) => {
    const broken = requests.breaks[request];
    const text = [
      `#${request + 1} turn:${requests.turn[request]}`,
      broken ? `break ${broken.kind} ${broken.reason}` : "",
      ...(marks.get(request) ?? []).map((mark) => `${mark.kind} ${mark.text}`),
    ]
      .join(" ")
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
