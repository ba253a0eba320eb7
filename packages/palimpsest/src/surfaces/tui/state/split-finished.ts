/**
 * Markdown as far as its paragraphs are whole, and what is still being written. Code between fences is one paragraph,
 * however many empty lines are in it.
 */
export function splitFinished(text: string): { readonly finished: string; readonly rest: string } {
  let end = 0;
  let at = 0;
  let fence: string | null = null;
  while (at < text.length) {
    const next = text.indexOf("\n", at);
    if (next === -1) break;
    const line = text.slice(at, next);
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (mark !== undefined) fence = fenceBehind(fence, mark);
    at = next + 1;
    if (fence === null && line.trim() === "") end = at;
  }
  return { finished: text.slice(0, end), rest: text.slice(end) };
}

function fenceBehind(fence: string | null, mark: string): string | null {
  if (fence === null) return mark;
  return mark[0] === fence[0] && mark.length >= fence.length ? null : fence;
}
