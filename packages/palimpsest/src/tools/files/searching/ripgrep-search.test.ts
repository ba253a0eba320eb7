import { describe, expect, it } from "vitest";
import type { Shell, ShellOptions } from "../../../../../core/src/spec/index.ts";
import type { FoundFile, SearchRequest } from "./found-file.ts";
import { ripgrepArguments, ripgrepSearch } from "./ripgrep-search.ts";
import { readPattern } from "./search-pattern.ts";

function requestFor(pattern: string, change: Partial<SearchRequest> = {}): SearchRequest {
  const read = readPattern(pattern, { isCaseInsensitive: true, isMultiline: false });
  if (!read.ok) throw read.error;
  return {
    root: "/w",
    isFile: false,
    isInRepository: true,
    pattern: read.value,
    isMultiline: false,
    before: 0,
    after: 0,
    keeps: "lines",
    maxLines: 1_000,
    maxLineChars: 1_000,
    isWanted: () => true,
    ...change,
  };
}

/** A program that says what it is told to, a few bytes at a time. */
function sayingShell(output: string, exitCode = 0) {
  const seen: { program?: string; args?: readonly string[]; options?: ShellOptions; kills: number } = {
    kills: 0,
  };
  const shell: Shell = {
    start(program, args, options) {
      Object.assign(seen, { program, args, options });
      const ended = (async () => {
        const bytes = Buffer.from(output);
        for (let at = 0; at < bytes.length && seen.kills === 0; at += 7) {
          await Promise.resolve();
          options.onOutput?.(bytes.subarray(at, at + 7), "stdout");
        }
        options.onOutput?.(Buffer.from("noise"), "stderr");
        const isKilled = seen.kills > 0;
        return {
          ok: true,
          value: { exitCode: isKilled ? null : exitCode, signal: isKilled ? "SIGTERM" : null },
        } as const;
      })();
      return {
        ended,
        kill() {
          seen.kills += 1;
        },
      };
    },
  };
  return { shell, seen };
}

const message = (type: string, data: object) => `${JSON.stringify({ type, data })}\n`;
const begin = (path: string) => message("begin", { path: { text: path } });
const end = (path: string, binary_offset: number | null = null) =>
  message("end", { path: { text: path }, binary_offset });
const match = (line_number: number, text: string, ...starts: readonly number[]) =>
  message("match", { lines: { text }, line_number, submatches: starts.map((start) => ({ start })) });

async function searched(
  output: string,
  options: { exitCode?: number; request?: SearchRequest; stopAfter?: number } = {},
) {
  const { shell, seen } = sayingShell(output, options.exitCode);
  const found: FoundFile[] = [];
  const result = await ripgrepSearch(
    options.request ?? requestFor("x"),
    { shell, environment: { PATH: "/bin" } },
    new AbortController().signal,
    (file) => {
      found.push(file);
      return found.length === options.stopAfter ? "stop" : "go-on";
    },
  );
  return { result, found, seen };
}

describe("ripgrep", () => {
  it("is given a pattern and a path that cannot be taken for options, and none of the machine's settings", () => {
    expect(ripgrepArguments(requestFor("-f .", { before: 1, after: 2 }))).toEqual([
      "--json",
      "--no-config",
      "--no-messages",
      "--no-mmap",
      "--sort=path",
      "--no-require-git",
      "--no-ignore-global",
      "--no-ignore-exclude",
      "--no-ignore-dot",
      "--before-context=1",
      "--after-context=2",
      "-e",
      "(?i)\\x{2d}f\\x{20}[^\\r\\n]",
      "--",
      "/w",
    ]);
    const args = ripgrepArguments(
      requestFor("x", { isInRepository: false, isMultiline: true, keeps: "first" }),
    );
    expect(args).toEqual(expect.arrayContaining(["--no-ignore-parent", "--multiline", "--max-count=1"]));
  });

  it("is run as a program, with its folder and nothing but the path to programs", async () => {
    const { seen } = await searched("");
    expect(seen).toMatchObject({ program: "rg", options: { cwd: "/w", environment: { PATH: "/bin" } } });
  });

  it("is read message by message, however its output comes in pieces", async () => {
    const output =
      begin("/w/ä.txt") +
      message("context", { lines: { text: "before\n" }, line_number: 1, submatches: [] }) +
      match(2, "ä x\r\n", 3) +
      match(5, "a\nxx\n", 0, 2) +
      message("match", {
        lines: { bytes: Buffer.from([0xff, 0x78, 0x0a]).toString("base64") },
        line_number: 9,
        submatches: [{ start: 1 }],
      }) +
      end("/w/ä.txt") +
      message("summary", {}) +
      "no json\n";
    expect(await searched(output)).toMatchObject({
      result: { ok: true, value: { notes: [] } },
      found: [
        {
          path: "/w/ä.txt",
          count: 4,
          lines: [
            { line: 1, text: "before", column: -1, isMatch: false },
            { line: 2, text: "ä x", column: 2, isMatch: true },
            { line: 5, text: "a", column: 0, isMatch: true },
            { line: 6, text: "xx", column: 0, isMatch: true },
            { line: 9, text: "\ufffdx", column: 1, isMatch: true },
          ],
        },
      ],
    });
  });

  it("is read no further in a line, and for no more lines, than the built-in search", async () => {
    const output =
      begin("/w/a") +
      match(1, `x${"y".repeat(30)}\n`, 0) +
      match(2, `${"y".repeat(30)}x\n`, 30) +
      match(3, "x\n", 0) +
      match(4, "x\n", 0) +
      end("/w/a");
    const request = requestFor("x", { maxLines: 2, maxLineChars: 10 });
    expect(await searched(output, { request })).toMatchObject({
      result: {
        ok: true,
        value: { notes: ["Of 2 very long lines only the first 10 characters were searched."] },
      },
      found: [
        {
          path: "/w/a",
          count: 3,
          lines: [
            { line: 1, text: "xyyyyyyyyy", column: 0, isMatch: true },
            { line: 3, text: "x", column: 0, isMatch: true },
          ],
        },
      ],
    });
  });

  it("does not count binary files, and none that are not wanted", async () => {
    const output =
      begin("/w/a") + match(1, "x\n", 0) + end("/w/a", 7) + begin("/w/b") + match(1, "x\n", 0) + end("/w/b");
    const isWanted = (path: string) => path !== "b";
    expect((await searched(output)).found.map(({ path }) => path)).toEqual(["/w/b"]);
    expect((await searched(output, { request: requestFor("x", { isWanted }) })).found).toEqual([]);
  });

  it("is ended as soon as enough was found", async () => {
    const one = (name: string) => begin(name) + match(1, "x\n", 0) + end(name);
    const { found, seen, result } = await searched(one("/w/a") + one("/w/b") + one("/w/c"), { stopAfter: 2 });
    expect(found.map(({ path }) => path)).toEqual(["/w/a", "/w/b"]);
    expect([seen.kills, result]).toEqual([1, { ok: true, value: { notes: [] } }]);
  });

  it("says where it could not read all, and leaves the search to others where it found nothing then", async () => {
    const output = begin("/w/a") + match(1, "x\n", 0) + end("/w/a");
    expect((await searched(output, { exitCode: 2 })).result).toEqual({
      ok: true,
      value: { notes: ["Some files or folders could not be read."] },
    });
    expect((await searched("", { exitCode: 2 })).result).toBe("failed");
    expect((await searched("", { exitCode: 1 })).result).toMatchObject({ ok: true });
  });
});
