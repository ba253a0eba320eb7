import { readFileSync } from "node:fs";

/**
 * What the agent writes, as raw text: code needs no escaping there, and has no part in this repository's own checks.
 * A page file is a list of `%%% text NAME` and `%%% edit NAME` … `%%% to` … parts.
 */
export function openPages(name) {
  const parts = parse(readFileSync(new URL(`../pages/${name}.txt`, import.meta.url), "utf8"), name);
  const unused = new Set(parts.keys());

  function part(key, kind) {
    const found = parts.get(key);
    if (found?.kind !== kind) throw new Error(`pages/${name}.txt has no ${kind} "${key}".`);
    unused.delete(key);
    return found;
  }

  return {
    /** A whole file, its last line ended. */
    text: (key) => `${part(key, "text").lines.join("\n")}\n`,
    /** The strings of one Edit. */
    edit(key) {
      const { lines, after } = part(key, "edit");
      return { before: lines.join("\n"), after: after.join("\n") };
    },
    /** Throws when a part was written and never played. */
    close() {
      if (unused.size > 0) throw new Error(`pages/${name}.txt: never used: ${[...unused].join(", ")}`);
    },
  };
}

function parse(source, name) {
  const parts = new Map();
  let lines = null;
  for (const line of source.replace(/\n$/, "").split("\n")) {
    const marker = /^%%% (?:(text|edit) (\S+)|(to))$/.exec(line);
    if (!marker) {
      if (line.startsWith("%%%") || (lines === null && line !== "")) {
        throw new Error(`pages/${name}.txt: "${line}" is no marker.`);
      }
      lines?.push(line);
      continue;
    }
    const [, kind, key] = marker;
    if (kind) {
      if (parts.has(key)) throw new Error(`pages/${name}.txt has "${key}" twice.`);
      const part = { kind, lines: [], after: [] };
      parts.set(key, part);
      lines = part.lines;
    } else lines = [...parts.values()].at(-1).after;
  }
  for (const part of parts.values()) {
    trimEnd(part.lines);
    trimEnd(part.after);
  }
  return parts;
}

/** Blank lines before the next marker are for the reader. */
function trimEnd(lines) {
  while (lines.at(-1) === "") lines.pop();
}
