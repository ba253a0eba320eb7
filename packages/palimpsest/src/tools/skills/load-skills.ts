import { isAbsolute, join, relative, sep } from "node:path";
import { isRecord, textField } from "@palimpsest/core/internal";
import { type Disk, fail, ok, type Result } from "@palimpsest/core/spec";

/** Folders looked at in one root. */
const maxSkillFolders = 200;

export interface SkillOptions {
  readonly disk: Disk;
  /** Folders that hold a folder a skill. A skill of a later one takes the place of one with its name. */
  readonly roots: readonly string[];
}

interface LoadedSkills {
  /** By name. */
  readonly skills: readonly Skill[];
  /** Files that could not be read, for a person. */
  readonly warnings: readonly string[];
}

export async function loadSkills({ disk, roots }: SkillOptions): Promise<LoadedSkills> {
  const skills = new Map<string, Skill>();
  const warnings: string[] = [];
  for (const root of roots) {
    const listed = await disk.list(root);
    if (!listed.ok) {
      if (listed.error.code !== "not-found") warnings.push(listed.error.message);
      continue;
    }
    const folders = listed.value.filter((name) => !name.startsWith("."));
    if (folders.length > maxSkillFolders) {
      warnings.push(`${root} has over ${maxSkillFolders} skills; the rest is left out.`);
    }
    for (const folder of folders.slice(0, maxSkillFolders)) {
      const read = await readSkill(disk, root, folder);
      if (read?.ok) skills.set(read.value.name, read.value);
      else if (read) warnings.push([read.error.message, read.error.fix].filter(Boolean).join(" "));
    }
  }
  return { skills: [...skills.values()].sort((one, other) => (one.name < other.name ? -1 : 1)), warnings };
}

/** Instructions a person wrote down for the model to follow when it is asked to. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  /** The text behind the front matter. */
  readonly body: string;
  /** Where it lies, with the files it may name. */
  readonly folder: string;
}

const maxSkillBytes = 200_000;
const maxFrontMatterChars = 10_000;
const frontMatter = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const goodName = /^[A-Za-z0-9][A-Za-z0-9_:.-]{0,63}$/;

/** The skill in a folder of a root; `undefined` where there is none. Nothing outside the root is read. */
async function readSkill(disk: Disk, root: string, folderName: string): Promise<Result<Skill> | undefined> {
  const path = join(root, folderName, "SKILL.md");
  const [realRoot, real] = await Promise.all([disk.realPath(root), disk.realPath(path)]);
  if (!realRoot.ok || (!real.ok && ["not-found", "not-directory"].includes(real.error.code)))
    return undefined;
  if (!real.ok) return real;
  if (!isWithin(realRoot.value, real.value)) {
    return fail("denied", `The skill ${path} is a link out of its folder.`, {
      path,
      fix: "Put the skill itself there.",
    });
  }
  const text = await readText(disk, real.value);
  return text.ok ? parseSkill(text.value, path, folderName, join(root, folderName)) : text;
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function readText(disk: Disk, path: string): Promise<Result<string>> {
  const opened = await disk.open(path, "read");
  if (!opened.ok) return opened;
  const into = new Uint8Array(maxSkillBytes + 1);
  const read = await opened.value.read(0, into);
  await opened.value.close();
  if (!read.ok) return read;
  if (read.value > maxSkillBytes) {
    return fail("too-large", `The skill ${path} is over ${maxSkillBytes} bytes.`, {
      path,
      fix: "Move parts of it into files beside it.",
    });
  }
  return ok(new TextDecoder().decode(into.subarray(0, read.value)));
}

async function parseSkill(
  text: string,
  path: string,
  folderName: string,
  folder: string,
): Promise<Result<Skill>> {
  const wrong = (what: string, cause?: unknown) =>
    fail("invalid-input", `The skill ${path} ${what}`, {
      path,
      fix: "Begin it with ---, a line name: …, a line description: …, and ---.",
      cause,
    });
  const [head = "", yaml] = frontMatter.exec(text) ?? [];
  if (yaml === undefined || yaml.length > maxFrontMatterChars) return wrong("has no front matter.");
  const { parse } = await import("yaml");
  let fields: unknown;
  try {
    fields = parse(yaml, { maxAliasCount: 10, logLevel: "error" });
  } catch (cause) {
    return wrong("has front matter that is not YAML.", cause);
  }
  if (!isRecord(fields)) return wrong("has front matter without fields.");
  const name = textField(fields, "name") ?? folderName;
  const description = textField(fields, "description");
  if (!goodName.test(name)) return wrong("has a name with other characters than letters, digits and “-”.");
  if (description === undefined) return wrong("has no description.");
  return ok({ name, description, body: text.slice(head.length).trim(), folder });
}
