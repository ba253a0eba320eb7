import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const source = new URL("../../packages/core/src/spec/event.ts", import.meta.url);
const page = new URL("../../docs/events.md", import.meta.url);

/** One member of the union: its comment, and its fields between the braces. */
const member = /\/\*\*([\s\S]*?)\*\/\s*\| \{([\s\S]*?)\}(?=\n|;)/g;
const field = /readonly (\w+)(\??): ([^;]+?)(?:;|$)/g;

/** The page about events, made of the types: every event with what it says and what it carries. */
export function eventCatalogue(text = readFileSync(source, "utf8")) {
  const union = text.slice(text.indexOf("export type EventBody"));
  const rows = [...union.matchAll(member)].map(([, comment, body]) => {
    const fields = [...body.trim().replaceAll(/\s+/g, " ").matchAll(field)];
    const type = fields.find(([, name]) => name === "type")?.[3] ?? "";
    const others = fields.filter(([, name]) => name !== "type");
    const carries = others.map(([, name, optional, of]) => `\`${name}${optional}\`: ${shown(of)}`);
    const says = comment.replaceAll(/\s*\n\s*\*?\s*/g, " ").trim();
    return `| \`${type.replaceAll('"', "")}\` | ${says} | ${carries.join("<br>")} |`;
  });
  return `${preface}\n| event | when | carries |\n|---|---|---|\n${rows.join("\n")}\n`;
}

const shown = (type) => `\`${type.trim().replaceAll("|", "\\|")}\``;

const preface = `# Events

One typed union to one sink: \`openSession({ onEvent })\`. Every event has \`session\`, \`at\` (ISO 8601) and \`type\`; names
are noun-verb. Nothing waits for the sink, and what it throws is dropped: a listener cannot harm a session.

This page is made from \`packages/core/src/spec/event.ts\` by \`node scripts/docs/event-catalogue.mjs\`, and a test compares the two.
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, eventCatalogue());
