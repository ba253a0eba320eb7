import { relative } from "node:path";
import { escapeTerminal } from "./escape-terminal.ts";
import { cutText } from "./text-width.ts";

/** The main fields of a call, by the names that tools have for them, the most telling first. */
const mainFields = [
  "command",
  "file_path",
  "notebook_path",
  "pattern",
  "url",
  "query",
  "path",
  "name",
  "skill",
  "id",
  "task_id",
] as const;

const pathFields: ReadonlySet<string> = new Set(["file_path", "notebook_path", "path"]);

/** A call on one line: the tool and what it is about. */
export function toolLine(tool: string, input: unknown, cwd: string, columns: number): string {
  return cutText(escapeTerminal(`* ${tool} ${mainArgument(input, cwd)}`).trimEnd(), columns);
}

function mainArgument(input: unknown, cwd: string): string {
  if (typeof input !== "object" || input === null) return "";
  const fields = input as Readonly<Record<string, unknown>>;
  const named = mainFields.find((name) => typeof fields[name] === "string");
  if (named !== undefined) {
    const text = fields[named] as string;
    return pathFields.has(named) ? shortPath(text, cwd) : text;
  }
  const first = Object.values(fields).find((value) => typeof value === "string");
  return typeof first === "string" ? first : "";
}

/** From the folder the agent works in, where it lies below. */
function shortPath(path: string, cwd: string): string {
  if (!path.startsWith("/")) return path;
  const short = relative(cwd, path);
  return short === "" || short.startsWith("..") ? path : short;
}
