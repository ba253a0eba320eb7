import { readFileSync } from "node:fs";

/** A file of `fixtures`, as it is. */
export function readFixture(name: string): Buffer {
  return readFileSync(new URL(`./fixtures/${name}`, import.meta.url));
}

export function readJsonFixture<T>(name: string): T {
  return JSON.parse(readFixture(name).toString("utf8")) as T;
}
