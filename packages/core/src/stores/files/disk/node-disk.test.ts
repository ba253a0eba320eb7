import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../../../test/support/temporary-folder.ts";
import { createNodeDisk } from "./node-disk.ts";

it("looks at many files as it looks at each", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "folder"));
  await symlink("nowhere", join(folder, "link"));
  const names = Array.from({ length: 150 }, (_, at) => `${at}.txt`);
  for (const [at, name] of names.entries()) await writeFile(join(folder, name), "x".repeat(at));
  const disk = createNodeDisk();
  const paths = [...names, "absent", "folder", "link", "0.txt/below"].map((name) => join(folder, name));
  const each = await Promise.all(paths.map((path) => disk.stat(path)));
  const stats = (await disk.statAll?.(paths)) ?? [];
  const outcomeOf = (one: (typeof each)[number]) =>
    one.ok ? one.value : [one.error.code, one.error.message, one.error.path];
  expect(stats.map(outcomeOf)).toEqual(each.map(outcomeOf));
  expect(stats.flatMap((one) => (one.ok ? [] : one.error.code))).toEqual(["not-found", "not-directory"]);
});
