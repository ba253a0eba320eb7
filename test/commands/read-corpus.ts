import { readFileSync } from "node:fs";

/** The command lines of a file beside this one; lines that begin with `# ` say what it is. */
export function readCorpus(name: "read-only" | "may-change"): readonly string[] {
  const text = readFileSync(new URL(`./corpus/${name}.txt`, import.meta.url), "utf8");
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("# "));
}
