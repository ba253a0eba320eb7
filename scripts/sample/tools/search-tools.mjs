import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { shownRoot } from "../engine/workspace.mjs";

/** Lines a search gives when it is not told how many. */
const defaultLimit = 1200;
const skipped = new Set(["node_modules", ".git", "dist"]);

/** Glob and Grep over the working copy, in the order of the names. */
export function createSearchTools(workspace) {
  function filesBelow(path) {
    const real = workspace.toReal(path);
    if (!existsSync(real)) return null;
    if (statSync(real).isFile()) return [real];
    const found = [];
    const walk = (folder) => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (skipped.has(entry.name)) continue;
        const inside = join(folder, entry.name);
        if (entry.isDirectory()) walk(inside);
        else if (entry.isFile()) found.push(inside);
      }
    };
    walk(real);
    return found.sort();
  }

  const shown = (real) => `${shownRoot}/${relative(workspace.root, real)}`;
  const absent = (path) => ({ text: `No such file or folder: ${path}`, isError: true });

  return {
    Glob({ pattern, path = shownRoot }) {
      const files = filesBelow(path);
      if (files === null) return absent(path);
      const base = workspace.toReal(path);
      const matching = files.filter((file) => matchesGlob(relative(base, file), pattern));
      return { text: listed(matching.map(shown), defaultLimit, "No files match."), isError: false };
    },

    Grep({
      pattern,
      path = shownRoot,
      glob,
      output_mode = "files_with_matches",
      context = 0,
      head_limit = defaultLimit,
    }) {
      const files = filesBelow(path);
      if (files === null) return absent(path);
      const expression = new RegExp(pattern);
      const hits = files
        .filter((file) => !glob || matchesGlob(relative(workspace.root, file), glob))
        .map((file) => ({ file: shown(file), ...matchesIn(readFileSync(file, "utf8"), expression) }))
        .filter(({ at }) => at.length > 0);
      const lines = hits.flatMap((hit) => describe(hit, output_mode, context));
      return { text: listed(lines, head_limit, "No matches found."), isError: false };
    },
  };
}

function listed(lines, limit, none) {
  if (lines.length === 0) return none;
  const rest = lines.length - limit;
  const text = lines.slice(0, limit).join("\n");
  return rest > 0 ? `${text}\n(${rest} more lines)` : text;
}

function matchesIn(text, expression) {
  const lines = text.split("\n");
  return { lines, at: lines.flatMap((line, index) => (expression.test(line) ? [index] : [])) };
}

function describe({ file, lines, at }, mode, context) {
  if (mode === "files_with_matches") return [file];
  if (mode === "count") return [`${file}:${at.length}`];
  const shownLines = new Map();
  for (const hit of at) {
    for (
      let line = Math.max(0, hit - context);
      line <= Math.min(lines.length - 1, hit + context);
      line += 1
    ) {
      if (!shownLines.has(line) || line === hit) shownLines.set(line, line === hit);
    }
  }
  return [...shownLines.entries()]
    .sort(([left], [right]) => left - right)
    .map(([line, isHit]) => `${file}${isHit ? ":" : "-"}${line + 1}${isHit ? ":" : "-"}${lines[line]}`);
}

/** `**`, `*`, `?` and `{a,b}`. A pattern without a slash matches the name alone. */
function matchesGlob(path, pattern) {
  const subject = pattern.includes("/") ? path : path.slice(path.lastIndexOf("/") + 1);
  return globExpression(pattern).test(subject);
}

function globExpression(pattern) {
  const source = pattern.replace(/\*\*\/|\*\*|\*|\?|\{([^}]*)\}|[.+^$()|[\]\\]/g, (token, choices) => {
    if (token === "**/") return "(?:.*/)?";
    if (token === "**") return ".*";
    if (token === "*") return "[^/]*";
    if (token === "?") return "[^/]";
    return choices === undefined ? `\\${token}` : `(?:${choices.split(",").map(literal).join("|")})`;
  });
  return new RegExp(`^${source}$`);
}

function literal(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
