import { bash } from "../tools/calls.mjs";

/** Where the agent works. */
export const folder = "src/log/facts";

/** The compiler, with an eye for the agent's own files only: other people's may be unfinished. */
export function types(description = "Type-check, own files only", shows = /no type errors/) {
  const command =
    "npx tsc --noEmit | grep -E 'log/facts|facts-log' || echo 'no type errors in the new files'";
  return bash(command, description, { shows });
}

/** Builds, and prints the report of the demo log. */
export function showDemo(flags, description, expectation) {
  const command = `npx tsc -p tsconfig.build.json | grep log/facts; node scripts/log-facts.mjs .scratch/demo.jsonl ${flags}`;
  return bash(command, description, expectation);
}
