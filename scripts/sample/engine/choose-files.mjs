import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "../tools/calls.mjs";

/**
 * Files of the repository that the session reads along the way, where any of its kind will do: the wanted ones that
 * still exist, and others of `folder` in the place of those that do not.
 */
export function chooseFiles(workspace, folder, wanted) {
  const there = wanted.filter((path) => existsSync(join(workspace.root, path)));
  const others = readdirSync(join(workspace.root, folder))
    .filter((name) => /\.ts$/.test(name) && !/\.test\.ts$/.test(name))
    .map((name) => `${folder}/${name}`)
    .filter((path) => !wanted.includes(path))
    .sort();
  const chosen = [...there, ...others].slice(0, wanted.length);
  if (chosen.length < wanted.length) throw new Error(`${folder} has too few files for the sample session.`);
  return chosen;
}

/** The same as Read calls. */
export function readFiles(workspace, folder, wanted) {
  return chooseFiles(workspace, folder, wanted).map((path) => read(path));
}

/** `path:line` of the first line that matches, so that words about the code point to where it stands today. */
export function whereIs(workspace, path, expression) {
  const line = readFileSync(join(workspace.root, path), "utf8")
    .split("\n")
    .findIndex((text) => expression.test(text));
  if (line === -1)
    throw new Error(`${path} has no line like ${expression}: the sample session speaks of it.`);
  return `${path}:${line + 1}`;
}
