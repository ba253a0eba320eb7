import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { beginFileTools } from "../../../../../../test/support/file-tools.ts";

const note = (count: number) =>
  `\n[${count} files or folders were left out: permission rules deny reading them, or ask first (name one itself, to be asked).]`;

async function begin() {
  const bench = await beginFileTools();
  await bench.put("secret/key.ts", "needle\n");
  await bench.put("secret/deep/more.ts", "needle\n");
  await bench.put("src/a.ts", "needle\n");
  await bench.put("src/b.pem", "needle\n");
  await symlink(join(bench.folder, "secret/key.ts"), join(bench.folder, "src/link.ts"));
  const kept = [join(bench.folder, "secret"), join(bench.folder, "src/b.pem")];
  const opened: string[] = [];
  const mayRead = (path: string) => !kept.some((one) => path === one || path.startsWith(`${one}/`));
  return { ...bench, opened, context: { mayRead } };
}

describe("files that rules keep from being read", () => {
  it("are in no listing, nor are links to them", async () => {
    const { textOf, context } = await begin();
    expect(await textOf("Glob", { pattern: "**/*" }, context)).toBe(`src/a.ts${note(3)}`);
    expect(await textOf("Glob", { pattern: "secret/*" }, context)).toBe(`No file matches.${note(3)}`);
  });

  it("are not searched, whatever is looked for", async () => {
    const { textOf, context } = await begin();
    for (const output_mode of ["files_with_matches", "count", "content"]) {
      const found = await textOf("Grep", { pattern: "needle", output_mode }, context);
      expect(found).toMatch(/^src\/a\.ts/);
      expect(found).not.toMatch(/secret|pem/);
      expect(found.endsWith(note(3))).toBe(true);
    }
    expect(await textOf("Grep", { pattern: "nothing" }, context)).toBe(`Nothing matches.${note(3)}`);
  });

  it("are found where no rule keeps them", async () => {
    const { textOf } = await begin();
    expect(await textOf("Grep", { pattern: "needle" })).toBe(
      "secret/deep/more.ts\nsecret/key.ts\nsrc/a.ts\nsrc/b.pem",
    );
  });
});
