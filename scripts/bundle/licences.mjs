import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The folders of other people's packages among the modules of a bundle. */
export function foreignFolders(output) {
  const modules = output.flatMap((chunk) => chunk.moduleIds ?? []);
  return [
    ...new Set(modules.flatMap((id) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? [])),
  ];
}

/** Writes the licences of bundled packages, whole, beside the code that they are part of. */
export function writeLicences(folders, file) {
  if (folders.length === 0) return;
  const texts = [...new Set(folders)].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const texts = readdirSync(folder).filter((entry) => /^(?:licen[cs]e|notice)/i.test(entry));
    if (texts.length === 0) throw new Error(`${name} has no licence text: it cannot be bundled.`);
    const whole = texts.map((entry) => readFileSync(join(folder, entry), "utf8").trim());
    return `${name} ${version} (${license})\n\n${whole.join("\n\n")}`;
  });
  const rule = `\n\n${"-".repeat(80)}\n\n`;
  writeFileSync(
    file,
    `Parts of these packages are in the files of this folder.${rule}${[...new Set(texts)].sort().join(rule)}\n`,
  );
}
