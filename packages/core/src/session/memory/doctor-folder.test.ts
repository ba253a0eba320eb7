import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryText } from "../../../../../test/support/memory-texts.ts";
import { documentedSamples } from "../../../../../test/support/secret-samples.ts";
import { seed } from "../../../../../test/support/seed.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { createSeededRandom } from "../../../../testing/src/seeded-random.ts";
import type { MemoryFinding, MemoryFindingKind } from "../../spec/index.ts";
import { markRecalled } from "../../view/trust/index.ts";
import { openMemory } from "./open-memory.ts";

const vocabulary =
  "harbour winter ledger copper falcon meadow signal thunder velvet orchard granite lantern compass willow anchor barley cinder drift ember fathom glacier hollow island juniper kernel lagoon marble nectar oyster pebble quarry ripple saddle timber umbrella valley walnut yonder zephyr bridge candle dagger".split(
    " ",
  );
const perKind = 20;
const random = createSeededRandom(seed);
const words = (count: number) =>
  Array.from({ length: count }, () => vocabulary[random.below(vocabulary.length)] ?? "");
/** Contents of harmless memories besides words: hashes of commits, ids, addresses, versions, paths that are there. */
const harmless = [
  "The fix was commit 3f2a9c17 of 2026-01-05.",
  "Session ses_01kc3v9xq8 has it; see https://wiki.example/runbooks/deploys.",
  "It is in src/here.ts; node 20.19 and later.",
  "The password is kept in the vault, and the token rotates weekly.",
  "Set DATABASE_URL to the value of your own machine.",
];
const good = (index: number) => `${words(30).join(" ")}. ${harmless[index % harmless.length]}`;

async function folder() {
  const dir = await temporaryFolder();
  const cwd = await temporaryFolder();
  await mkdir(join(cwd, "src"));
  await mkdir(join(cwd, ".git"));
  await writeFile(join(cwd, "src/here.ts"), "");
  const memory = await openMemory({ dir, durable: false, cwd });
  /** By hand: nothing masks, judges or indexes it on the way. */
  async function put(path: string, text: string): Promise<void> {
    const file = join(dir, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return { memory, put };
}

describe("the doctor on a folder", () => {
  it("raises no alarm on a clean one, masked secrets included", async () => {
    const { memory, put } = await folder();
    for (let index = 0; index < 100; index += 1)
      await put(`clean-${index}.md`, memoryText({ name: `Clean ${index}`, body: good(index) }));
    await memory.reindex();
    for (const [index, { text }] of documentedSamples().entries())
      await memory.write(
        `masked-${index}.md`,
        memoryText({ name: `M ${index}`, body: `${words(20).join(" ")}\n\n${text}` }),
      );
    const { findings, unchecked, rates } = await memory.doctor();
    expect(findings).toEqual([]);
    expect(unchecked).toEqual([]);
    expect(rates.secret).toEqual({ count: 0, of: 100 + documentedSamples().length, rate: 0 });
  });

  it("finds at least 95 % of each kind that was planted, and nothing else", async () => {
    const { memory, put } = await folder();
    const planted: Record<MemoryFindingKind, string[]> = {
      duplicate: [],
      "near-duplicate": [],
      "recall-loop": [],
      "stale-path": [],
      secret: [],
      orphan: [],
      invalid: [],
    };
    const plant = async (kind: MemoryFindingKind, path: string, text: string) => {
      planted[kind].push(path);
      await put(path, text);
    };
    const samples = documentedSamples();
    for (let index = 0; index < perKind; index += 1) {
      const text = (body: string) => memoryText({ name: `N ${index}`, body });
      const [one, other] = [good(index), good(index)];
      await put(`clean-${index}.md`, text(one));
      await put(`clear-${index}.md`, text(other));
      await plant("duplicate", `duplicate-${index}.md`, text(`> **${one.replaceAll(" ", "  ")}**`));
      const changed = other.split(" ").toSpliced(random.below(30), 1, "otherwise", "now").join(" ");
      await plant("near-duplicate", `near-${index}.md`, text(changed));
      await plant("recall-loop", `loop-${index}.md`, text(markRecalled(words(40).join(" "), "x.md")));
      await plant("stale-path", `stale-${index}.md`, text(`${words(30).join(" ")} in src/gone-${index}.ts.`));
      const secret = `${words(20).join(" ")}\n\n${samples[index]?.text}`;
      const place = index % 4 === 0 ? "quarantine/" : "";
      await plant("secret", `${place}secret-${index}.md`, text(secret));
      await plant("invalid", `invalid-${index}.md`, `${words(20).join(" ")}\n`);
    }
    await memory.reindex();
    for (let index = 0; index < perKind; index += 1)
      await plant("orphan", `orphan-${index}.md`, memoryText({ name: `O ${index}`, body: good(index) }));
    const { findings, unchecked } = await memory.doctor();
    expect(unchecked).toEqual([]);
    const concerns = (one: MemoryFinding, path: string) => one.path === path || one.other === path;
    for (const [kind, paths] of Object.entries(planted)) {
      const found = paths.filter((path) => findings.some((one) => one.kind === kind && concerns(one, path)));
      expect(found.length / paths.length, kind).toBeGreaterThanOrEqual(0.95);
    }
    const isPlanted = (one: MemoryFinding) => planted[one.kind].some((path) => concerns(one, path));
    expect(findings.filter((one) => !isPlanted(one))).toEqual([]);
  });
});
