import { shownRoot } from "../engine/workspace.mjs";

/**
 * Tool calls as the scenario writes them. Every call must work unless it says otherwise: `expect` is "ok", "error" or
 * "any", and `shows` is what the result must hold.
 */
const absolute = (path) => `${shownRoot}/${path}`;

function call(tool, input, { expect = "ok", shows } = {}) {
  return { tool, input, expect, shows };
}

export function read(path, { offset, limit, ...expectation } = {}) {
  return call("Read", { file_path: absolute(path), ...given({ offset, limit }) }, expectation);
}

export function write(path, content, expectation) {
  return call("Write", { file_path: absolute(path), content }, expectation);
}

export function edit(path, { before, after }, { all, ...expectation } = {}) {
  const input = { file_path: absolute(path), old_string: before, new_string: after };
  return call("Edit", { ...input, ...given({ replace_all: all }) }, expectation);
}

export function glob(pattern, path, expectation) {
  return call("Glob", { pattern, ...given({ path: path && absolute(path) }) }, expectation);
}

/** Gives files with matches; `lines: true` the lines, `around` lines with context. */
export function grep(pattern, path, { lines, around, files, first, counts, ...expectation } = {}) {
  const mode = counts ? "count" : lines || around ? "content" : undefined;
  const input = {
    pattern,
    ...given({
      path: path && absolute(path),
      glob: files,
      output_mode: mode,
      context: around,
      head_limit: first,
    }),
  };
  return call("Grep", input, expectation);
}

export function bash(command, description, expectation) {
  return call("Bash", { command, description }, expectation);
}

const statuses = { x: "completed", ">": "in_progress", " ": "pending" };

/** `"x written"`, `"> being written"`, `"  still to write"`. */
export function todos(...items) {
  return call("TodoWrite", {
    todos: items.map((item) => ({ content: item.slice(2), status: statuses[item[0]] })),
  });
}

function given(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
