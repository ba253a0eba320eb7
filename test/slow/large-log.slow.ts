import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readJsonFixture } from "../museum/read-fixture.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const { wholeLogBytes: largeBytes, maxResidentBytes } = readJsonFixture<{
  wholeLogBytes: number;
  maxResidentBytes: number;
}>("06-sizes.json");

it("museum 6: a session of 600 MB opens, in memory that does not grow with it", async () => {
  const home = await temporaryFolder();
  const sessions = `${home}/projects/bench-00000000/sessions`;
  await mkdir(sessions, { recursive: true });
  const { writeLog } = await import("../../bench/write-log.mjs");
  const written: number = writeLog(`${sessions}/large.jsonl`, largeBytes);
  const script = fileURLToPath(new URL("../../bench/open-log-once.mjs", import.meta.url));
  const { entries, rss } = JSON.parse(
    execFileSync(process.execPath, [script, "open", home, "large"], { encoding: "utf8" }),
  );
  console.log(`a log of 600 MB: ${entries} entries, peak ${Math.round(rss / 2 ** 20)} MB resident`);
  expect(entries).toBe(written);
  expect(rss).toBeLessThan(maxResidentBytes);
});
