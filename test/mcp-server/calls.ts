import type { FileStore } from "../../packages/core/src/stores/files/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";

export const toolNames = [
  "memory_search",
  "memory_read",
  "memory_write",
  "memory_history",
  "sessions_search",
  "recall",
  "context_report",
];

type Call = readonly [name: string, input: Record<string, unknown>, answer: RegExp];

/** A right call of every tool, and what the answer holds. */
export async function callsAndAnswers(store: FileStore): Promise<readonly Call[]> {
  const ids: string[] = [];
  must(await store.logs.scan("ses_1", ({ kind, id }) => void (kind === "message" && ids.push(id))));
  return [
    [
      "memory_search",
      { query: "staging frankfurt" },
      /^staging\.md \(trusted\)\n {2}Staging\n {2}.*Frankfurt/,
    ],
    ["memory_read", { path: "staging.md" }, /version 1, trusted\n\n---\n[\s\S]*Staging is in Frankfurt\./],
    [
      "memory_write",
      { path: "new.md", text: "The crane is red.", name: "Crane", description: "its colour" },
      /^Written: new\.md, version 1\./,
    ],
    ["memory_history", { path: "staging.md" }, /staging\.md {2}version 1 {2}by user/],
    [
      "sessions_search",
      { query: "harbour crane" },
      /^ses_1 {2}\S+ {2}\d{4}-.*\n {2}Please look at the harbour crane\./,
    ],
    ["recall", { session: "ses_1", id: ids[0] ?? "" }, /harbour crane/],
    ["context_report", { session: "ses_" }, /^\d+ of \d+ tokens/],
  ];
}
