import { relative } from "node:path";
import { escapeTerminal } from "../escape-terminal.ts";
import { cutText } from "../table.ts";

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

/** Where the text goes: a screen is also kept from marks that turn the direction of text or cannot be seen. */
type TextLocation = "screen" | "pipe";

/** Controls other than line breaks and tabs. */
const controls = /(?![\n\t])\p{Cc}/gu;

/** Controls as above, and what else a screen must not obey. The joiners that scripts and emoji need stay. */
const harmful = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Text of several lines that a terminal shows and does not obey. */
export function toHarmlessText(text: string, location: TextLocation): string {
  const lines = text.replaceAll("\r\n", "\n");
  return lines.replace(location === "screen" ? harmful : controls, toHarmlessCharacter);
}

/** White space among them is no space here: a lone return moves the cursor. */
function toHarmlessCharacter(character: string): string {
  return /\s/.test(character) ? picture(character) : escapeTerminal(character);
}

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** The same for a text that comes in pieces: what the next piece may complete is held back. */
interface HarmlessStream {
  push(piece: string): string;
  /** The text that was held back. */
  end(): string;
}

export function createHarmlessStream(location: TextLocation): HarmlessStream {
  let held = "";
  return {
    push(piece) {
      const text = held + piece;
      held = /[\r\ud800-\udbff]$/.exec(text)?.[0] ?? "";
      return toHarmlessText(text.slice(0, text.length - held.length), location);
    },
    end() {
      const rest = toHarmlessText(held, location);
      held = "";
      return rest;
    },
  };
}
