import type { Key, NamedKey } from "./pager.ts";

/** Reads keys from what a terminal sends. */
export interface KeyReader {
  push(chunk: string): readonly Key[];
  /** An escapeCode was held back since more may have followed; nothing did. */
  flush(): readonly Key[];
  readonly isHolding: boolean;
}

const escapeCode = "\u001b";
const pasteStart = `${escapeCode}[200~`;
const pasteEnd = `${escapeCode}[201~`;

const controls: Readonly<Record<string, NamedKey>> = {
  "\r": "enter",
  "\n": "newline",
  "\t": "tab",
  "\b": "backspace",
  "\u007f": "backspace",
  "\u0001": "home",
  "\u0002": "left",
  "\u0003": "ctrl-c",
  "\u0004": "ctrl-d",
  "\u0005": "end",
  "\u0006": "right",
  "\u000b": "ctrl-k",
  "\u000c": "ctrl-l",
  "\u000e": "down",
  "\u000f": "ctrl-o",
  "\u0010": "up",
  "\u0014": "ctrl-t",
  "\u0015": "ctrl-u",
  "\u0017": "delete-word",
};

/** Behind `ESC [` or `ESC O`, modifiers taken away. */
const sequences: Readonly<Record<string, NamedKey>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  Z: "backtab",
  "1~": "home",
  "3~": "delete",
  "4~": "end",
  "5~": "page-up",
  "6~": "page-down",
  "7~": "home",
  "8~": "end",
};

/** Behind a lone `ESC`: with Alt held. */
const withAlt: Readonly<Record<string, NamedKey>> = {
  "\r": "newline",
  "\n": "newline",
  b: "word-left",
  f: "word-right",
  "\u007f": "delete-word",
  "\b": "delete-word",
};

const plain = /[^\p{Cc}]+/uy;
const sequence = /\[[0-?]*[ -/]*[@-~]|O[@-~]|\[\[?[A-E]/y;
/** A text that could still become a sequence. */
const beginning = /^(?:\[[0-?]*[ -/]*|O)?$/;

export function createKeyReader(): KeyReader {
  let held = "";
  /** The text pasted so far; `null` while nothing is. */
  let pasted: string | null = null;

  function readPaste(chunk: string, keys: Key[]): string {
    const before = pasted ?? "";
    const text = before + chunk;
    const end = text.indexOf(pasteEnd, Math.max(0, before.length - pasteEnd.length));
    if (end === -1) {
      pasted = text;
      return "";
    }
    pasted = null;
    keys.push({ name: "paste", text: text.slice(0, end).replace(/\r\n?/g, "\n") });
    return text.slice(end + pasteEnd.length);
  }

  function read(chunk: string): readonly Key[] {
    const keys: Key[] = [];
    let text = chunk;
    while (text !== "") {
      if (pasted !== null) {
        text = readPaste(text, keys);
        continue;
      }
      const used = readKey(text, keys);
      if (used === 0) {
        held = text;
        return keys;
      }
      text = text.slice(used);
    }
    return keys;
  }

  /** How much of the text one key took; 0: more must come first. */
  function readKey(text: string, keys: Key[]): number {
    if (text.startsWith(pasteStart)) {
      pasted = "";
      return pasteStart.length;
    }
    if (text[0] === escapeCode) return readEscape(text, keys);
    plain.lastIndex = 0;
    const [run] = plain.exec(text) ?? [];
    if (run !== undefined) {
      keys.push({ name: "text", text: run });
      return run.length;
    }
    const name = controls[text[0] ?? ""];
    if (name) keys.push({ name });
    return 1;
  }

  return {
    push(chunk) {
      const text = held + chunk;
      held = "";
      return read(text);
    },
    flush() {
      const isEscape = held === escapeCode;
      held = "";
      return isEscape ? [{ name: "escape" }] : [];
    },
    get isHolding() {
      return held !== "";
    },
  };
}

function readEscape(text: string, keys: Key[]): number {
  sequence.lastIndex = 1;
  const [found] = sequence.exec(text) ?? [];
  if (found !== undefined) {
    const name = nameOf(found);
    if (name) keys.push({ name });
    return 1 + found.length;
  }
  if (beginning.test(text.slice(1))) return 0;
  const name = withAlt[text[1] ?? ""];
  if (name) {
    keys.push({ name });
    return 2;
  }
  keys.push({ name: "escape" });
  return 1;
}

/** An unknown sequence does nothing: it is never text. */
function nameOf(found: string): NamedKey | undefined {
  const parameters = found.slice(1, -1).split(";");
  const final = found.slice(-1);
  const modifier = Number(parameters[1] ?? "1");
  if (final === "u" && parameters[0] === "13") return modifier > 1 ? "newline" : "enter";
  if (found === `[27;${parameters[1]};13~`) return modifier > 1 ? "newline" : "enter";
  const name = sequences[final === "~" ? `${parameters[0]}~` : final];
  if (modifier > 1 && name === "left") return "word-left";
  if (modifier > 1 && name === "right") return "word-right";
  return name;
}
