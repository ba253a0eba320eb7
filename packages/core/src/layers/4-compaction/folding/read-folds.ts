const element = /<fold\s+n\s*=\s*["']?(\d+)["']?\s*>([\s\S]*?)<\/fold>/g;

/** The summaries in an answer, by the number of their part, from 1. What is not closed, empty or a second one is left out. */
export function readFolds(answer: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const [, number, body = ""] of answer.matchAll(element)) {
    const summary = body.trim();
    const part = Number(number);
    if (summary !== "" && !found.has(part)) found.set(part, summary);
  }
  return found;
}
