import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";

interface House {
  readonly files: number;
  readonly largestFolder: { readonly path: string; readonly files: number };
  readonly smallFilesWithOneImporterBeside: number;
  readonly namesOnList: { readonly different: number };
  readonly walks: Readonly<Record<string, { readonly files: number }>>;
  /** By walk: the files that ran. */
  readonly walked: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const walkOf: Readonly<Record<string, string>> = {
  "a message is added": "add",
  "a request is prepared": "prepare",
  "a session is compacted": "compaction",
  "a memory is written": "memory",
  "a request passes the gateway": "gateway",
};

describe("the house", () => {
  let house: House;
  beforeAll(() => {
    house = JSON.parse(
      execFileSync(process.execPath, [fileOf("scripts/house.mjs"), "--json"], { encoding: "utf8" }),
    );
    const { files, largestFolder, smallFilesWithOneImporterBeside: lone, walks } = house;
    console.log(
      `${files} files, at most ${largestFolder.files} in a folder, ${lone} small ones with one importer beside; ` +
        `files that run: ${Object.entries(walks)
          .map(([name, walk]) => `${name} ${walk.files}`)
          .join(", ")}`,
    );
  });

  it("stays within the bounds that were set for it", () => {
    expect(house.files).toBeLessThanOrEqual(1_400);
    expect(house.largestFolder.files).toBeLessThanOrEqual(30);
    expect(house.smallFilesWithOneImporterBeside).toBeLessThanOrEqual(30);
    expect(house.namesOnList.different).toBe(0);
    expect(house.walks.compaction?.files).toBeLessThanOrEqual(130);
    // 90 before lifetimes, the working set, answers and standing orders had their files.
    expect(house.walks.addAndPrepare?.files).toBeLessThanOrEqual(112);
  });

  it("runs, in each of the five walks, the files that ARCHITECTURE.md names", () => {
    const page = readFileSync(fileOf("ARCHITECTURE.md"), "utf8");
    for (const [title, walk] of Object.entries(walkOf)) {
      const row = page.split("\n").find((line) => line.startsWith(`| ${title} `)) ?? "";
      const named = [...row.matchAll(/`(packages\/[^`]+)`/g)].map(([, path = ""]) => path);
      expect(named.length, title).toBeGreaterThan(3);
      expect(
        named.filter((path) => !(path in (house.walked[walk] ?? {}))),
        title,
      ).toEqual([]);
    }
  });
});
