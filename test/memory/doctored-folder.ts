import type { MemoryFindingKind } from "../../packages/core/src/spec/index.ts";
import { renderMemory } from "../../packages/core/src/view/trust/index.ts";
import { markRecalled } from "../../packages/core/src/view/trust/locations.ts";
import { createSeededRandom, type SeededRandom } from "../../packages/testing/src/seeded-random.ts";
import { documentedSamples } from "../support/secret-samples.ts";

/** What was put into a folder: a body by its path, and what is wrong with which, in which variant. */
export interface DoctoredFolder {
  readonly bodies: ReadonlyMap<string, string>;
  readonly planted: readonly Planted[];
}

export interface Planted {
  readonly kind: MemoryFindingKind;
  readonly variant: string;
  readonly path: string;
}

/** Files that are there, from the folder of work on. */
export const presentFiles = [
  "src/server.ts",
  "src/client/login-form.tsx",
  "scripts/release.sh",
  "docs/guides/setup.md",
  ".github/workflows/ci.yml",
  "package.json",
];

const lists = {
  who: "Anna|Bo|the platform team|Chidi|support|the on-call engineer|Dana|the Berlin office|marketing|Eve",
  thing:
    "billing service|login form|nightly export|search index|staging cluster|invoice parser|mobile build|audit log|rate limiter|onboarding mail|feature flags|message queue|cache layer|payment webhook|design system",
  does: "was moved to|depends on|is owned by|replaces|feeds|is documented beside|blocks|was split from|is monitored by|shares its database with",
  when: "since January|until the freeze ends|every Tuesday|after the audit|during the migration|before the launch|in the second quarter|on weekdays|since the outage of March|for the pilot",
  why: "because costs had doubled|as customers had complained|since the old vendor left|to keep reviews short|so that nights stay quiet|as the contract demands it|because tests were flaky|for reasons of privacy|since the schema changed|as nobody owned it",
  odd: "amber walnut copper lantern gravel orchid thimble harbour velvet cinder glacier nectar saddle timber pebble meadow falcon ripple juniper marble quarry lagoon ember barley fathom willow anchor compass zephyr umber".replaceAll(
    " ",
    "|",
  ),
};

/** What memories hold besides words, and what is none of the things that a doctor looks for. */
const harmless = [
  "The fix was commit 3f2a9c17 of 2026-01-05, on branch feature/login-form.",
  "See https://wiki.example/runbooks/deploys.html and s3://reports/2026/q1.csv.",
  "It is in src/server.ts:120 and `scripts/release.sh`.",
  "The password is kept in the vault, and the token rotates weekly.",
  "Set DATABASE_URL to the value of your own machine; API_KEY comes from the vault.",
  "The route is GET /api/v1/users.json, the image ghcr.io/acme/app:1.2.3.",
  "Use and/or sparingly; the ratio is 3/4.5, the type is application/json.",
  "It needs @acme/widgets 2.1 and node 20.19/22.1, and lists src/**/*.ts.",
  "Digest: sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.",
  "Id 01kc3v9xq8p7w5m2t4r6y8z0ab, uuid 123e4567-e89b-12d3-a456-426614174000.",
  "[Setup](docs/guides/setup.md) tells more; CI is .github/workflows/ci.yml.",
  "Their word for memory is <memoria>; recalled goods are <returned>.",
];

export function createDoctoredFolder(seed: number, perVariant: number): DoctoredFolder {
  const random = createSeededRandom(seed);
  const write = createWriter(random);
  const bodies = new Map<string, string>();
  const planted: Planted[] = [];
  const put = (body: string, kind?: MemoryFindingKind, variant = "") => {
    const path = `${pick(random, ["", "team/", "deep/er/"])}topic-${bodies.size}.md`;
    bodies.set(path, body);
    if (kind) planted.push({ kind, variant, path });
  };
  for (let index = 0; index < perVariant * 4; index += 1) put(write.fact());
  for (let index = 0; index < perVariant; index += 1) {
    for (const [variant, make] of Object.entries(duplicates)) {
      const body = write.fact();
      put(body);
      put(make(body), "duplicate", variant);
    }
    for (const [variant, make] of Object.entries(nearDuplicates)) {
      const body = write.story();
      put(body);
      put(make(body, random), "near-duplicate", variant);
    }
    for (const [variant, make] of Object.entries(recalledTexts))
      put(make(write.story(), write.story()), "recall-loop", variant);
    for (const [variant, make] of Object.entries(stalePaths))
      put(`${write.fact()}\n\n${make(gonePath(random))}`, "stale-path", variant);
    const samples = documentedSamples();
    for (let count = 0; count < 5; count += 1) {
      const { kind, text } = pick(random, samples);
      put(`${write.fact()}\n\n${text}`, "secret", kind);
    }
  }
  return { bodies, planted };
}

/** A folder in which nothing is wrong. */
export function createCleanFolder(seed: number, count: number): ReadonlyMap<string, string> {
  const write = createWriter(createSeededRandom(seed));
  return new Map(
    Array.from({ length: count }, (_, index) => [
      `topic-${index}.md`,
      index % 2 ? write.fact() : write.story(),
    ]),
  );
}

function pick<T>(random: SeededRandom, list: readonly T[]): T {
  return list[random.below(list.length)] as T;
}

/** Sentences of a few moulds, as memories have them: many begin alike. */
function createWriter(random: SeededRandom) {
  const one = (list: keyof typeof lists) => pick(random, lists[list].split("|"));
  const sentence = () =>
    pick(random, [
      () =>
        `The ${one("thing")} ${one("does")} the ${one("thing")} ${one("when")}, ${one("why")} (${one("odd")}).`,
      () =>
        `${one("who")} looks after the ${one("thing")} ${one("when")}, ${one("why")}, with ${one("odd")}.`,
      () => `${one("odd")} is what ${one("who")} calls the ${one("thing")} ${one("when")}.`,
      () => `${one("who")} and ${one("who")} met ${one("when")} about ${one("odd")} ${one("odd")}.`,
    ])();
  const sentences = (count: number) => Array.from({ length: count }, sentence).join(" ");
  return {
    fact: () => `${sentences(2 + random.below(2))} ${pick(random, harmless)}`,
    story: () => sentences(3 + random.below(4)),
  };
}

function gonePath(random: SeededRandom): string {
  const folder = pick(random, ["src", "lib/old", "packages/api/src", "tools", "test/fixtures"]);
  const name = pick(random, lists.odd.split("|"));
  return `${folder}/${name}-${random.below(1000)}${pick(random, [".ts", ".py", ".md", ".test.tsx", ".yaml", ".go"])}`;
}

const duplicates: Readonly<Record<string, (body: string) => string>> = {
  copied: (body) => body,
  "begun in capitals": (body) => body.replace(/^[^.]*/, (first) => first.toUpperCase()),
  "as a quotation": (body) => `> ${body.replaceAll(". ", ".\n> ")}`,
  "with other spaces and line ends": (body) => `${body.replaceAll(" ", "  ")}\r\n\r\n`,
  "in bold, as a list": (body) => `- **${body.replaceAll(". ", ".**\n- **")}**`,
  "with other punctuation": (body) => body.replaceAll(",", ";").replaceAll(". ", "! "),
};

const nearDuplicates: Readonly<Record<string, (body: string, random: SeededRandom) => string>> = {
  "one word changed": (body, random) => {
    const words = body.split(" ");
    return words.toSpliced(random.below(words.length), 1, "otherwise").join(" ");
  },
  "one word left out": (body, random) => {
    const words = body.split(" ");
    return words.toSpliced(random.below(words.length), 1).join(" ");
  },
  "a few words added": (body) => `${body} That was said again later.`,
  "a date before it": (body) => `2026-02-03: ${body}`,
  "its sentences in another order": (body) =>
    body
      .split(/(?<=\.) /)
      .reverse()
      .join(" "),
};

const recalledTexts: Readonly<Record<string, (body: string, other: string) => string>> = {
  "by Recall": (body) => markRecalled(body, "a.md"),
  "in the middle": (body, other) => `${other}\n\n${markRecalled(body, "q: deploys")}\n\n${other}`,
  "as a memory is shown": (body) =>
    renderMemory({
      path: "a.md",
      name: "a",
      description: "d",
      type: "reference",
      body,
      author: "agent",
      trust: "trusted",
      version: 1,
      at: "2026-01-01",
    }),
  "with its end cut off": (body) => markRecalled(body, "a.md").slice(0, -20),
  "in a quotation": (body) => `> ${markRecalled(body, "a.md").replaceAll("\n", "\n> ")}`,
};

const stalePaths: Readonly<Record<string, (path: string) => string>> = {
  "in a sentence": (path) => `It is done in ${path}.`,
  "in backticks": (path) => `The entry is \`${path}\`, more or less.`,
  "with a line": (path) => `See ${path}:42 for the reason.`,
  "as a link": (path) => `[Here](${path}) it begins.`,
  "with a dot before it": (path) => `Found in ./${path}, and nowhere else.`,
  "in brackets and quotes": (path) => `It broke ("${path}"), twice.`,
};
