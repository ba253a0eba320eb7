import { bytesPerToken, cacheTtlMs, prefixTokens } from "./prompt-cache.mjs";

const count = (value) => value.toLocaleString("en-US");
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
const hours = (ms) => `${(ms / 3_600_000).toFixed(1)} hours`;

/** The page about the sample session; all counts are taken from the log itself. */
export function describeSample(counts) {
  const { calls, gaps, usage } = counts;
  const total = Object.values(calls).reduce((sum, times) => sum + times, 0);
  const rows = [
    ["Lines of the log", count(counts.entries)],
    ["Prompts of the user", count(counts.prompts)],
    ["Responses (requests)", `${count(counts.responses)}, ${counts.aborted} of them cut off`],
    ["Responses with parallel calls", count(counts.parallel)],
    [
      "Tool calls",
      `${count(total)}: ${Object.entries(calls)
        .map(([name, times]) => `${name} ${times}`)
        .join(", ")}`,
    ],
    ["Failed or interrupted calls", count(counts.failures)],
    ["Results over 50,000 characters", `${counts.largeResults}, the largest ${count(counts.largestResult)}`],
    [
      "Pauses over 5 and over 10 minutes",
      `${gaps.overFiveMinutes} and ${gaps.overTenMinutes}, the longest ${hours(gaps.longestMs)}`,
    ],
    ["From, to", `${counts.from}, ${counts.to}`],
    ["Content of the messages", megabytes(counts.contentBytes)],
    ["Log, raw and compressed", `${megabytes(counts.bytes)}, ${megabytes(counts.gzipBytes)}`],
    ["Context at the end", `${count(counts.contextTokens)} tokens`],
    [
      "Tokens over all requests",
      `${count(usage.cacheRead)} read from the cache, ${count(usage.cacheCreation)} written to it, ${count(usage.output)} output`,
    ],
  ];
  return `# The sample session

\`packages/palimpsest/assets/sample-session.jsonl.gz\` is a long coding session on this repository, in this project's own log format. \`npm start\`
plays it; demos, replays and benchmarks use it where a session is needed and nobody has one at hand. It is one file
with nothing beside it: large values stand in their lines, not in blobs.

Over two days an agent writes a small set of modules (\`src/log/facts\`: counts, pauses, an index, a report, a timeline),
answers questions about the code, makes a plan that is cancelled, hunts a bug and is interrupted twice. None of these
modules is part of the project; they exist in the recording only.

## What is real, and what is not

- **Real**: every tool call was run on a copy of this repository, and what it gave back is recorded: file contents,
  searches, test runs, compiler and linter output, failed edits, commits. The tests fail because the code the agent
  wrote is wrong, and pass because it was put right.
- **Written**: the words of the user and of the agent, and the code the agent writes. No model was called.
- **Simulated**: the token usage. Tokens are bytes divided by a fixed number (${bytesPerToken.text} for text, ${bytesPerToken.input} for tool inputs, ${bytesPerToken.result} for
  results), behind a prefix of ${count(prefixTokens)} tokens for system prompt and tools. Each request reads from the cache what the
  one before it wrote, unless more than ${cacheTtlMs / 60_000} minutes passed. Nothing was compacted, so the context outgrows any window of
  200,000 tokens: that is what the engine is shown on. Do not judge token estimates by this file; they would be
  compared with a formula.
- **Replaced**: the folder it ran in (shown as \`/home/dev/palimpsest\`) and other paths a machine might have (an example
  below \`/tmp\` in a source file is shown below \`/var/tmp\`); durations, clock times and process ids in command output,
  so that making it twice gives the same bytes.

## What it holds

| | |
|---|---|
${rows.map(([name, value]) => `| ${name} | ${value} |`).join("\n")}

## Making it again

\`\`\`sh
git worktree add ../palimpsest-0.1.0 v0.1.0 && (cd ../palimpsest-0.1.0 && npm install)
npm run sample -- --repository ../palimpsest-0.1.0
\`\`\`

This plays the scenario in \`scripts/sample/scenario\` against the files of that checkout, takes a minute, and
writes the asset and this page. A step that no longer ends as the story needs it stops the script and is named. The
same tree gives the same bytes on the same version of Node.
`;
}
