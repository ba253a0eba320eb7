import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Lines a Read gives when it is not told how many. */
const defaultLines = 2000;
const snippetLines = 4;

const good = (text) => ({ text, isError: false });
const bad = (text) => ({ text, isError: true });

/** Read, Write and Edit as coding agents have them: numbered lines, exact and unique matches, a read before a change. */
export function createFileTools(workspace) {
  /** The content of each file as the agent last saw it. */
  const seen = new Map();

  function open(path) {
    const real = workspace.toReal(path);
    if (!existsSync(real)) return { error: bad(`File does not exist: ${path}`) };
    if (statSync(real).isDirectory()) return { error: bad(`${path} is a folder. Use Glob to list it.`) };
    return { real, text: readFileSync(real, "utf8") };
  }

  return {
    Read({ file_path, offset = 1, limit = defaultLines }) {
      const { error, text } = open(file_path);
      if (error) return error;
      seen.set(file_path, text);
      const lines = text.replace(/\n$/, "").split("\n");
      if (offset > lines.length)
        return bad(`${file_path} has ${lines.length} lines; line ${offset} is behind its end.`);
      const end = Math.min(lines.length, offset - 1 + limit);
      const body = numbered(lines, offset, end);
      return good(
        end < lines.length
          ? `${body}\n\n(lines ${offset}-${end} of ${lines.length}; read on with offset ${end + 1})`
          : body,
      );
    },

    Write({ file_path, content }) {
      const real = workspace.toReal(file_path);
      const isNew = !existsSync(real);
      if (!isNew && seen.get(file_path) !== readFileSync(real, "utf8")) {
        return bad(
          `${file_path} exists and was not read in its present state. Read it before writing over it.`,
        );
      }
      mkdirSync(dirname(real), { recursive: true });
      writeFileSync(real, content);
      seen.set(file_path, content);
      return good(
        `${isNew ? "Created" : "Overwrote"} ${file_path} (${content.split("\n").length - 1} lines).`,
      );
    },

    Edit({ file_path, old_string, new_string, replace_all = false }) {
      const { error, real, text } = open(file_path);
      if (error) return error;
      if (!seen.has(file_path)) return bad(`${file_path} has not been read yet. Read it before editing.`);
      if (seen.get(file_path) !== text) {
        return bad(
          `${file_path} was changed since it was last read, by a command or by someone else. Read it again.`,
        );
      }
      const count = text.split(old_string).length - 1;
      if (count === 0) return bad(`The string to replace was not found in ${file_path}:\n${old_string}`);
      if (count > 1 && !replace_all) {
        return bad(
          `The string to replace occurs ${count} times in ${file_path}. Give more context so that it is unique, or set replace_all:\n${old_string}`,
        );
      }
      const at = text.indexOf(old_string);
      const changed = text.split(old_string).join(new_string);
      writeFileSync(real, changed);
      seen.set(file_path, changed);
      return good(
        replace_all ? replacedAll(file_path, count) : replacedOne(file_path, changed, at, new_string),
      );
    },
  };
}

function numbered(lines, from, to) {
  return lines
    .slice(from - 1, to)
    .map((line, index) => `${String(from + index).padStart(6)}→${line}`)
    .join("\n");
}

function replacedAll(path, count) {
  return `Replaced ${count} ${count === 1 ? "occurrence" : "occurrences"} in ${path}.`;
}

function replacedOne(path, text, at, inserted) {
  const lines = text.replace(/\n$/, "").split("\n");
  const first = text.slice(0, at).split("\n").length;
  const last = first + inserted.split("\n").length - 1;
  const from = Math.max(1, first - snippetLines);
  const to = Math.min(lines.length, last + snippetLines);
  return `Edited ${path}. Lines ${from}-${to} now read:\n${numbered(lines, from, to)}`;
}
