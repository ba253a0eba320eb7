import type { MessageLinks } from "./message-links.ts";
import type { Report, Violation } from "./violation.ts";

/** What a message calls and answers, between its neighbours. */
export interface LinkedMessage {
  readonly index: number;
  readonly links: MessageLinks;
  readonly before: MessageLinks | undefined;
  readonly next: MessageLinks | undefined;
  /** Whether a message before it calls with an id. */
  readonly isKnownCall: (id: string) => boolean;
}

export function checkLinks(linked: LinkedMessage): readonly Violation[] {
  const violations: Violation[] = [];
  const report: Report = (rule, path, message) => violations.push({ rule, path, message });
  checkCalls(linked, report);
  checkResults(linked, report);
  return violations;
}

/** Every call has its result in the next message, once, and no id is called twice. */
function checkCalls({ index, links, next, isKnownCall }: LinkedMessage, report: Report): void {
  const own = new Set<string>();
  const answers = new Map<string | null, number>();
  for (const id of next?.results ?? []) answers.set(id, (answers.get(id) ?? 0) + 1);
  for (const [at, id] of links.calls.entries()) {
    if (id === null) continue;
    const path = `messages[${index}].content[${at}]`;
    if (isKnownCall(id) || own.has(id)) report("call-once", path, `The id ${id} is called twice.`);
    own.add(id);
    const count = answers.get(id) ?? 0;
    if (count !== 1)
      report("call-has-result", path, `The call ${id} has ${count} results in the next message.`);
  }
}

/** Every result answers a call of the message before, and results stand first. */
function checkResults({ index, links, before }: LinkedMessage, report: Report): void {
  const calls = new Set(before?.calls);
  let hasOther = false;
  for (const [at, id] of links.results.entries()) {
    if (id === null) {
      hasOther = true;
      continue;
    }
    const path = `messages[${index}].content[${at}]`;
    if (!calls.has(id)) report("result-has-call", path, `No call ${id} stands in the message before.`);
    if (hasOther) report("result-first", path, "A result stands behind other content.");
  }
}
