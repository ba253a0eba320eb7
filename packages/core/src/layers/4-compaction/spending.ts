import type { EntryDraft, Usage } from "../../spec/index.ts";
import type { CompactionPorts } from "./ports.ts";

/** What models were paid for outside of forks, which note theirs themselves. */
export interface Spending {
  add(usage: Usage, dollars: number): void;
  /** A note of it all; none where nothing was spent. */
  drafts(): readonly EntryDraft[];
}

export function createSpending(): Spending {
  let total: { usage: Usage; dollars: number } | undefined;
  return {
    add(usage, dollars) {
      total = total
        ? { usage: sumOf(total.usage, usage), dollars: total.dollars + dollars }
        : { usage, dollars };
    },
    drafts: () => (total ? [{ kind: "note", note: { topic: "usage", ...total } }] : []),
  };
}

/** Every answer counts, used or not. */
export function withSpending(ports: CompactionPorts, spending: Spending): CompactionPorts {
  const { askPlain } = ports;
  if (!askPlain) return ports;
  return {
    ...ports,
    async askPlain(question, signal) {
      const answer = await askPlain(question, signal);
      if (answer.ok && answer.value.usage) spending.add(answer.value.usage, answer.value.dollars ?? 0);
      return answer;
    },
  };
}

export function sumOf(one: Usage, other: Usage): Usage {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheCreation: one.cacheCreation + other.cacheCreation,
  };
}
