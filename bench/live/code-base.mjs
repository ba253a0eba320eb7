import { createHash } from "node:crypto";

const nouns = [
  "queue",
  "ledger",
  "window",
  "prefix",
  "session",
  "lease",
  "digest",
  "cursor",
  "segment",
  "budget",
];
const verbs = ["settle", "merge", "trim", "count", "order", "split", "match", "fold", "scan", "round"];

/**
 * A small code base made from a seed: the same seed gives the same files and facts. Each part has a limit that is asked
 * for late, and a function whose offset is wrong; the right offsets are nowhere in the files, check.mjs has only digests.
 */
export function makeCodeBase({ seed, parts, kilobytes }) {
  const random = createRandom(seed);
  const number = () => 1_000 + Math.floor(random() * 9_000);
  const made = Array.from({ length: parts }, (_, at) => ({
    name: `part-${String(at + 1).padStart(2, "0")}`,
    limit: number(),
    factor: 2 + Math.floor(random() * 7),
    wrongOffset: number(),
    rightOffset: number(),
  }));
  const releaseName = `${pick(random, nouns)}-${number()}`;
  const files = {
    "package.json": `${JSON.stringify({ name: "parts", type: "module", private: true }, null, 2)}\n`,
    "check.mjs": checkFile(made),
    ...Object.fromEntries(made.map((part) => [`src/${part.name}.mjs`, partFile(part, kilobytes, random)])),
  };
  return { parts: made, releaseName, files };
}

/** Mulberry32: enough for names and numbers, and the same everywhere. */
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function pick(random, list) {
  return list[Math.floor(random() * list.length)];
}

function partFile({ name, limit, factor, wrongOffset }, kilobytes, random) {
  const head = [
    `// ${name}: made for a benchmark.`,
    `export const limit = ${limit};`,
    "",
    "export function total(values) {",
    `  return values.reduce((sum, value) => sum + value * ${factor}, 0) + ${wrongOffset};`,
    "}",
    "",
  ];
  const blocks = [];
  for (let bytes = 0, at = 1; bytes < kilobytes * 1024; at += 1) {
    const [verb, noun, other] = [pick(random, verbs), pick(random, nouns), pick(random, nouns)];
    const block = [
      `/** Takes each ${noun} that has a ${other}, in the order in which they came. */`,
      `export function ${verb}${noun[0].toUpperCase()}${noun.slice(1)}${at}(${noun}s, ${other}Limit = ${Math.floor(random() * 500)}) {`,
      `  const kept = ${noun}s.filter((${noun}) => ${noun}.size <= ${other}Limit && ${noun}.size % ${at + 1} !== 0);`,
      `  return kept.map((${noun}, at) => ({ ...${noun}, at, weight: ${noun}.size * ${Math.floor(random() * 90) + 10} }));`,
      "}",
      "",
    ].join("\n");
    blocks.push(block);
    bytes += block.length;
  }
  return `${[...head, ...blocks].join("\n")}`;
}

/** Says nothing about what is right but its digest. */
function checkFile(parts) {
  const digests = Object.fromEntries(parts.map((part) => [part.name, digestOf(rightTotal(part))]));
  return [
    'import { createHash } from "node:crypto";',
    "",
    `const digests = ${JSON.stringify(digests, null, 2)};`,
    "const name = process.argv[2];",
    `const { total } = await import(\`./src/\${name}.mjs\`);`,
    'const shown = "total " + total([1, 2, 3]);',
    'const digest = createHash("sha256").update(shown).digest("hex");',
    "const isRight = digest === digests[name];",
    'console.log(isRight ? "ok" : "total is wrong");',
    "process.exitCode = isRight ? 0 : 1;",
    "",
  ].join("\n");
}

function rightTotal({ factor, rightOffset }) {
  return 6 * factor + rightOffset;
}

function digestOf(total) {
  return createHash("sha256").update(`total ${total}`).digest("hex");
}
