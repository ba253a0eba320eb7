import { describe, expect, it } from "vitest";
import { seed } from "../../../../test/support/seed.ts";
import { createSeededRandom } from "../../../testing/src/seeded-random.ts";
import type { Memory, MemoryFindingKind } from "../spec/index.ts";
import { buildIndex } from "./build-index.ts";
import { namedPaths } from "./check-memory.ts";
import { doctorMemories, missingKey } from "./doctor-memories.ts";
import { similarPairs } from "./merge-memories.ts";
import { scanMemories } from "./scan-memories.ts";

const vocabulary =
  "harbour winter ledger copper falcon meadow signal thunder velvet orchard granite lantern compass willow anchor barley cinder drift ember fathom glacier hollow island juniper kernel lagoon marble nectar oyster pebble quarry ripple saddle timber umbrella valley walnut yonder zephyr bridge candle dagger".split(
    " ",
  );

function memory(path: string, body: string): Memory {
  return {
    path,
    name: path,
    description: "d",
    type: "reference",
    body,
    author: "user",
    trust: "trusted",
    version: 1,
    at: "2026-01-01T00:00:00.000Z",
  };
}

const random = createSeededRandom(seed);
const words = (count: number) =>
  Array.from({ length: count }, () => vocabulary[random.below(vocabulary.length)] ?? "");
const clean = (count: number) =>
  Array.from({ length: count }, (_, index) => memory(`clean-${index}.md`, `${words(40).join(" ")}.`));

describe("doctorMemories", () => {
  it("raises no alarm on a clean folder", () => {
    const memories = clean(150);
    const survey = { memories, quarantined: [], invalid: [], index: buildIndex([], memories) };
    const report = doctorMemories({ survey, missing: new Set(), secrets: new Map() });
    expect(report.findings).toEqual([]);
    expect(report.unchecked).toEqual([]);
    expect(Object.values(report.rates).map(({ rate }) => rate)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  it("finds at least 95 % of what is wrong in a seeded folder, and nothing else", () => {
    const good = clean(100);
    const planted: [MemoryFindingKind, string][] = [];
    const plant = (kind: MemoryFindingKind, path: string) => void planted.push([kind, path]);
    const bad = good.slice(0, 20).flatMap((one, index) => {
      plant("duplicate", `dup-${index}.md`);
      plant("near-duplicate", `near-${index}.md`);
      plant("recall-loop", `loop-${index}.md`);
      plant("stale-path", `stale-${index}.md`);
      plant("secret", `clean-${index}.md`);
      const source = good[index + 40]?.body ?? "";
      const changed = source.split(" ").toSpliced(random.below(40), 1, "otherwise", "now").join(" ");
      return [
        memory(`dup-${index}.md`, one.body.toUpperCase()),
        memory(`near-${index}.md`, changed),
        memory(`loop-${index}.md`, `<recalled id="x${index}">\n${words(40).join(" ")}\n</recalled>`),
        memory(`stale-${index}.md`, `${words(30).join(" ")} in src/gone/file-${index}.ts and src/here.ts.`),
      ];
    });
    const memories = [...good, ...bad].sort((a, b) => (a.path < b.path ? -1 : 1));
    plant("orphan", "lost.md");
    plant("orphan", "clean-99.md");
    const listed = [...memories.filter(({ path }) => path !== "clean-99.md"), memory("lost.md", "x")];
    plant("invalid", "odd.md");
    const missing = new Set(
      Array.from({ length: 20 }, (_, index) => missingKey(`stale-${index}.md`, `src/gone/file-${index}.ts`)),
    );
    const secrets = new Map(Array.from({ length: 20 }, (_, index) => [`clean-${index}.md`, ["AWS key"]]));
    const survey = {
      memories,
      quarantined: [],
      invalid: [{ path: "odd.md", version: 1, problem: "it has no front matter", text: "" }],
      index: buildIndex([], listed),
    };
    const report = doctorMemories({ survey, missing, secrets });
    const pair = ({ path, other }: { path: string; other?: string }) => [path, other];
    const isFound = ([kind, path]: [MemoryFindingKind, string]) =>
      report.findings.some((one) => one.kind === kind && pair(one).includes(path));
    expect(planted.filter(isFound).length / planted.length).toBeGreaterThanOrEqual(0.95);
    const isPlanted = (one: (typeof report.findings)[number]) =>
      planted.some(([kind, path]) => kind === one.kind && pair(one).includes(path));
    expect(report.findings.filter((one) => !isPlanted(one))).toEqual([]);
    expect(report.rates["stale-path"]).toEqual({ count: 20, of: 180, rate: 20 / 180 });
  });

  it("says what nobody could look for", () => {
    const report = doctorMemories({ survey: { memories: clean(3), quarantined: [], invalid: [] } });
    expect(report.unchecked).toEqual(["stale-path", "secret"]);
    expect(report.rates.secret).toEqual({ count: 0, of: 0, rate: null });
    expect(report.findings.map(({ kind }) => kind)).toEqual(["orphan", "orphan", "orphan"]);
  });
});

describe("namedPaths", () => {
  it("finds files and links, and takes addresses, packages and ratios for what they are", () => {
    const body = `See src/a.ts, \`./lib/b.test.ts\`, ../c/d.md. .github/workflows/ci.yml and [other](other.md#top), /etc/hosts
      and ~/.config/tool/x.toml. Not: https://x.org/a/b.html, example.com/page.html, origin/main, and/or, 24/7, @scope/pkg,
      GET /api/v1/users, text/plain, node 20.19/22.1, 1/2.5, v1.2.3.`;
    expect(namedPaths(body)).toEqual([
      "other.md",
      "src/a.ts",
      "./lib/b.test.ts",
      "../c/d.md",
      ".github/workflows/ci.yml",
      "/etc/hosts",
      "~/.config/tool/x.toml",
    ]);
  });
});

describe("similarPairs", () => {
  it("measures what two texts share, also without spaces between words", () => {
    expect(similarPairs(["a b c d e f g h", "a b c d e f g x", "q r s t u v w x"], 0.5)).toEqual([
      { first: 0, second: 1, share: 5 / 7 },
    ]);
    expect(similarPairs(["我们每周二部署到生产环境", "我们每周二部署到测试环境"], 0.4)).toHaveLength(1);
    expect(similarPairs(["a b", "a b", ""], 0.1)).toEqual([]);
  });
});

describe("scanMemories", () => {
  it("finds by words of name, description and body, best first", () => {
    const texts = [
      {
        path: "a.md",
        name: "Deploys",
        description: "when releasing",
        body: "On Tuesdays.\nNever on Fridays.",
      },
      { path: "b.md", name: "Tests", body: "They run before deploys and on Fridays." },
      { path: "c.md", body: "Nothing." },
    ];
    expect(scanMemories(texts, "deploys fridays?", 5).map(({ path, snippet }) => [path, snippet])).toEqual([
      ["a.md", "Never on Fridays."],
      ["b.md", "They run before deploys and on Fridays."],
    ]);
    expect(scanMemories(texts, "deploys", 1)).toHaveLength(1);
    expect(scanMemories(texts, "…", 5)).toEqual([]);
    expect(scanMemories([], "x", 5)).toEqual([]);
  });
});
