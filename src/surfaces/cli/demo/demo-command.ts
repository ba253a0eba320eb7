import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import { createCatalog } from "../../../catalog/index.ts";
import { toJson } from "../harmless.ts";
import { orThrow } from "../or-throw.ts";
import { readTranscript } from "../sessions/read-transcript.ts";
import type { CommandContext } from "../terminal.ts";
import { createStoryWriter } from "./session-story.ts";
import { storyLines } from "./story-lines.ts";

/** Made by `npm run sample`; see docs/sample-session.md. */
const sampleFile = fileURLToPath(new URL("../../../../assets/sample-session.jsonl.gz", import.meta.url));

const windowTokens = 200_000;
const cacheMs = 5 * 60 * 1000;

/** Shows the bundled session: what an agent did, how its context grew, and what that cost. */
export async function runDemo(
  { terminal }: CommandContext,
  options: { readonly json?: boolean },
): Promise<void> {
  const writer = createStoryWriter();
  const source = { name: "the bundled session", isOwnPlace: true, signal: terminal.signal };
  orThrow(await readTranscript(createReadStream(sampleFile), source, writer.visit));
  const story = writer.story();
  if (options.json) return terminal.write(toJson(story));
  const rates = createCatalog().prices(story.model).value;
  const lines = [
    ...storyLines(story, { windowTokens, cacheMs, rates }, terminal),
    "",
    "  Tool calls and results are real; words and token counts are not a model's.",
    "",
    `  ${terminal.style.dim("look closer:")}  palimpsest context assets/sample-session.jsonl.gz`,
    `  ${terminal.style.dim("your own:")}     palimpsest context ~/.claude/projects/…/SESSION.jsonl`,
  ];
  await terminal.write(`${lines.join("\n")}\n`);
}
