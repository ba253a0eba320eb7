// How far the size of system prompt and tools is off, before and after the first response. The heads are made of the
// project's own pages; a tokenizer stands for the provider.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSession } from "../packages/palimpsest/build/index.js";
import { installPart } from "../scripts/install-part.mjs";

const pages = ["docs/guides", "docs/layers"].flatMap((folder) => {
  const path = fileURLToPath(new URL(`../${folder}`, import.meta.url));
  return readdirSync(path)
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => readFileSync(join(path, name), "utf8"));
});

const maxSystemChars = 16_000;
const maxTools = 24;
const prompts = [
  { name: "a sentence", text: "Rename the flag everywhere, and keep its default as it is." },
  { name: "two pages", text: pages.join("\n").slice(0, 6_000) },
];

/** Adds a row “head” to what the bench says: the relative error over all heads, with the defaults. */
export async function printHeadErrors({ say, headline }) {
  const missing = installPart("bench/tokenizer", "a tokenizer", { tell: say });
  if (missing) return say(`head: left out, since the tokenizer could not be installed: ${missing}`);
  const { tokensIn } = await import("./tokenizer/count-tokens.mjs");
  const heads = pages.map((page, at) => headOf(page, pages[(at + 1) % pages.length]));
  const tokens = heads.map((head) => headTokens(head, tokensIn));
  say(
    `relative error of the head: system prompt and tools of ${Math.min(...tokens)} to ${Math.max(...tokens)} tokens`,
  );
  const before = await Promise.all(heads.map((head, at) => errorOf(head, tokens[at])));
  print("before the first response", before);
  for (const { name, text } of prompts) {
    const usage = (at) => ({
      input: tokens[at] + tokensIn(text) + 8,
      output: 5,
      cacheRead: 0,
      cacheCreation: 0,
    });
    print(
      `after the first response, to ${name}`,
      await Promise.all(heads.map((head, at) => errorOf(head, tokens[at], { text, usage: usage(at) }))),
    );
  }

  function print(when, errors) {
    const sorted = [...errors].sort((one, other) => one - other);
    const [median, worst] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    const percent = (error) => `${(100 * error).toFixed(1)} %`.padStart(8);
    say(`  ${`head, ${when}`.padEnd(52)}${percent(median)}${percent(worst)} at most, n = ${errors.length}`);
    const isSentence = when.endsWith(prompts[0].name);
    headline({
      what: `median error of the head, ${when}, n = ${errors.length}`,
      value: 100 * median,
      unit: "%",
      ...(isSentence && { atMost: 2 }),
    });
  }
}

/** A page is the system prompt; the paragraphs of the next one describe tools. */
function headOf(page, next) {
  const paragraphs = next.split("\n\n").filter((text) => /^[A-Za-z`[]/.test(text));
  const tools = paragraphs.slice(0, maxTools).map((description, at) => ({
    name: `tool_${at}`,
    description,
    input_schema: { type: "object", properties: propertiesOf(description), additionalProperties: false },
  }));
  return { system: page.slice(0, maxSystemChars), tools };
}

function propertiesOf(description) {
  const names = [...new Set(description.match(/[a-z]{5,12}/g) ?? [])].slice(0, 4);
  return Object.fromEntries(
    names.map((name) => [
      name,
      { type: "string", description: `The ${name} to work on, as it stands in the file.` },
    ]),
  );
}

function headTokens({ system, tools }, tokensIn) {
  return tokensIn(system) + tools.reduce((sum, tool) => sum + tokensIn(JSON.stringify(tool)), 0);
}

async function errorOf(head, tokens, exchange) {
  const home = mkdtempSync(join(tmpdir(), "palimpsest-bench-"));
  const session = await openSession({ home, cwd: home, layers: [], ...head });
  if (exchange) {
    await session.add({ role: "user", content: exchange.text });
    await session.add({ role: "assistant", content: "It is done.", usage: exchange.usage });
  }
  const { systemPrompt, builtInTools } = session.usage().accounting.categories;
  await session.close();
  rmSync(home, { recursive: true });
  return Math.abs(systemPrompt.tokens + builtInTools.tokens - tokens) / tokens;
}
