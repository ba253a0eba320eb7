import {
  fail,
  type Memory,
  type MemoryProvenance,
  ok,
  type Result,
  type TreeVersion,
} from "../spec/index.ts";
import { isMemoryType, memoryProblems } from "./check-memory.ts";
import { type MatterValue, readFrontMatter, splitFrontMatter } from "./read-front-matter.ts";

type Fields = ReadonlyMap<string, MatterValue>;

/** The memory in a file; `invalid-input` with everything that is wrong with it. */
export function parseMemory(
  text: string,
  version: Pick<TreeVersion, "path" | "version" | "at" | "author">,
): Result<Memory> {
  const { path } = version;
  const { matter, body } = splitFrontMatter(text);
  if (matter === null) return invalid(path, "it has no front matter");
  const read = readFrontMatter(matter);
  if (!read.ok) return invalid(path, read.error.message.replace(/\.$/, ""));
  const { fields } = read.value;
  const type = lineOf(fields, "type") ?? "";
  const said = { name: lineOf(fields, "name") ?? "", description: lineOf(fields, "description") ?? "", body };
  const problems = memoryProblems({ ...said, type });
  if (problems.length > 0 || !isMemoryType(type)) return invalid(path, problems.join("; "));
  return ok({
    path,
    ...said,
    type,
    ...provenanceOf(fields, version.author),
    version: version.version,
    at: version.at,
  });
}

function invalid(path: string, why: string): Result<never> {
  return fail("invalid-input", `${path} is not a memory: ${why}.`, {
    path,
    fix: "Begin the file with ---, name, description and type (user, feedback, project or reference), and ---.",
    facts: { problem: why },
  });
}

function lineOf(fields: Fields, name: string): string | undefined {
  const value = fields.get(name);
  return typeof value === "string" ? value.trim() : undefined;
}

/** A person's hand edit counts as theirs. Where nothing is said, only what a person wrote is trusted. */
function provenanceOf(fields: Fields, versionAuthor: string): MemoryProvenance {
  const author =
    versionAuthor === "outside"
      ? "user"
      : (toAuthor(lineOf(fields, "author")) ?? toAuthor(versionAuthor) ?? "import");
  const session = lineOf(fields, "session");
  const entries = fields.get("entries");
  const trust = lineOf(fields, "trust");
  const isTrusted = trust === "trusted" || (trust === undefined && author === "user");
  return {
    author,
    ...(session ? { session } : {}),
    ...(Array.isArray(entries) && entries.length > 0 ? { entries: entries as readonly string[] } : {}),
    trust: isTrusted ? "trusted" : "untrusted",
    ...(lineOf(fields, "confirmed") === "true" ? { isConfirmed: true } : {}),
  };
}

const authors: readonly MemoryProvenance["author"][] = ["user", "agent", "dream", "import"];

function toAuthor(text: string | undefined): MemoryProvenance["author"] | undefined {
  return authors.find((author) => author === text);
}
