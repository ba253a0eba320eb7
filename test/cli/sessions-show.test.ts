import { chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { encodeEntry } from "../../packages/core/src/log/codec.ts";
import type { Entry, EntryDraft } from "../../packages/core/src/spec/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { cliHome, linesOf, runCliProcess, userSays } from "../support/cli.ts";
import { claudeLine, jsonLines } from "../support/transcripts.ts";

const usage = { input: 1, output: 2, cacheRead: 30, cacheCreation: 4 };

function answer(responseId: string, content: unknown, more: object = {}): EntryDraft {
  return {
    kind: "message",
    message: { type: "assistant", model: "m-1", responseId, content, ...more },
  } as EntryDraft;
}

const drafts: readonly EntryDraft[] = [
  userSays("fix it"),
  answer("r1", [{ type: "tool_use", id: "t1", name: "Read", input: {} }], { usage: { ...usage, output: 1 } }),
  answer("r1", [{ type: "text", text: "reading" }], { usage }),
  {
    kind: "message",
    message: {
      type: "user",
      content: [{ type: "tool_result", tool_use_id: "t1", content: "x".repeat(70_000) }],
    },
  },
  answer("r2", "done", { usage }),
  {
    kind: "decision",
    decision: {
      type: "compact",
      layer: "compaction",
      reason: "full",
      frees: 9,
      basis: 5,
      trigger: "auto",
      strategy: "scribe",
      tokensBefore: 10,
      tokensAfter: 1,
      covers: "x",
      attachments: [],
      discoveredTools: [],
    },
  },
  { kind: "message", message: { type: "attachment", subtype: "file", content: "a file" } },
];

const firstFields = [
  "format",
  "entries",
  "messages",
  "toolResults",
  "boundaries",
  "torn",
  "corrupt",
  "skipped",
  "unknownTypes",
  "responses",
  "usage",
];

describe("sessions show", () => {
  it("counts an own log: each response's usage once, its last entry's", async () => {
    const { add, run } = await cliHome();
    await add("one", drafts);
    const { code, stdout, stderr } = await run(["sessions", "show", "one", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const shown = JSON.parse(stdout);
    expect(Object.keys(shown).slice(0, firstFields.length)).toEqual(firstFields);
    expect(shown).toMatchObject({
      format: "palimpsest",
      entries: 8,
      messages: 5,
      toolResults: 1,
      boundaries: 1,
      torn: 0,
      corrupt: 0,
      skipped: 0,
      unknownTypes: {},
      responses: 2,
      usage: { input: 2, output: 4, cacheRead: 60, cacheCreation: 8 },
      attachments: 1,
      damages: [],
      session: "one",
      firstPrompt: "fix it",
      model: "m-1",
    });
  });

  it("shows the same to people, and one line an entry if asked", async () => {
    const { add, run } = await cliHome();
    await add("one", drafts);
    const { stdout } = await run(["sessions", "show", "one", "--entries"]);
    expect(stdout).toMatch(/^fix it\none · palimpsest log · /);
    expect(stdout).toContain("tokens        2 in, 4 out, cache 60 read, 8 written");
    expect(stdout).toContain("boundaries    1 compaction");
    expect(stdout).toMatch(/3 {2}\d\d:\d\d:\d\d {2}assistant +→ Read \{\}/);
    expect(stdout).toMatch(/5 {2}\S+ {2}user +← 70\.0 kB/);
    const { list } = JSON.parse((await run(["sessions", "show", "one", "--entries", "--json"])).stdout);
    expect(list).toHaveLength(8);
    expect(list[1]).toMatchObject({ seq: 2, kind: "message", type: "user", text: "fix it" });
  });

  it("names every damage with its place and what to do, and leaves the log alone", async () => {
    const { store, add, run } = await cliHome();
    const path = await add("one", [userSays("one"), userSays("two"), userSays("three")]);
    const second = must(await store.logs.open("one", () => undefined));
    must(await second.append([userSays("four")]));
    must(await second.close());
    const lines = await linesOf(path);
    const unknown = encodeEntry({
      ...JSON.parse(lines[0] ?? ""),
      seq: 90,
      epoch: 9,
      kind: "future",
    } as Entry).toString();
    const damaged = [
      ...lines.slice(0, 2),
      "\0\0\0",
      ...lines.slice(3, -1),
      lines[3],
      `${unknown}{"v":1,`,
    ].join("\n");
    await writeFile(path, damaged);
    const { stdout } = await run(["sessions", "show", "one", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      torn: 1,
      corrupt: 1,
      skipped: 1,
      fenced: 1,
      tornBytes: 7,
      unknownTypes: { future: 1 },
    });
    expect(
      JSON.parse(stdout).damages.map(({ kind, offset }: { kind: string; offset: number }) => [
        kind,
        typeof offset,
      ]),
    ).toEqual([
      ["corrupt", "number"],
      ["fenced", "number"],
      ["torn", "number"],
    ]);
    const human = (await run(["sessions", "show", "one"])).stdout;
    expect(human).toContain(
      "damage        1 corrupt line, 1 fenced line, an unfinished last line of 7 bytes",
    );
    expect(human).toMatch(/byte \d+ +corrupt: it is not JSON/);
    expect(human).toContain("fix           palimpsest sessions repair one");
    expect(await readFile(path, "utf8")).toBe(damaged);
    expect(await readdir(store.layout.sessions)).toEqual(["one.jsonl", "one.lease"]);
  });

  it("reads a log beside its live writer", async () => {
    const { store, run } = await cliHome();
    const writer = must(await store.logs.create({ kind: "session", session: { id: "live", project: "p" } }));
    must(await writer.append([userSays("still writing")]));
    expect((await run(["sessions", "show", "live"])).stdout).toMatch(/^still writing\n/);
    must(await writer.append([userSays("not disturbed")]));
    must(await writer.close());
  });

  it("reads foreign transcripts, plain, gzip and piped in, by content and not by name", async () => {
    const { home, run } = await cliHome();
    const transcript = jsonLines(
      claudeLine.user("u1", "plant a tree"),
      claudeLine.assistant("a1", [{ type: "text", text: "which?" }], {
        usage: { input_tokens: 3, output_tokens: 5 },
      }),
      claudeLine.assistant("a2", [{ type: "text", text: "oak" }], {
        usage: { input_tokens: 3, output_tokens: 6 },
      }),
    );
    const expected = {
      format: "claude-code",
      messages: 3,
      responses: 1,
      usage: { input: 3, output: 6 },
      corrupt: 0,
    };
    await writeFile(join(home, "plain.jsonl"), transcript);
    await writeFile(join(home, "zipped.txt"), gzipSync(transcript));
    await symlink(join(home, "plain.jsonl"), join(home, "linked"));
    for (const name of ["plain.jsonl", "./zipped.txt", "linked"]) {
      expect(JSON.parse((await run(["sessions", "show", name, "--json"])).stdout), name).toMatchObject(
        expected,
      );
    }
    const piped = await run(["sessions", "show", "-", "--json"], { input: gzipSync(transcript) });
    expect(JSON.parse(piped.stdout)).toMatchObject({ ...expected, file: "-" });
    expect((await run(["sessions", "show", "plain.jsonl"])).stdout).toMatch(
      /^plant a tree\ns-1 · Claude Code transcript/,
    );
    const messages = JSON.stringify([
      { role: "user", content: "hi" },
      { role: "assistant", content: "hello" },
    ]);
    const array = await run(["sessions", "show", "-", "--json"], { input: messages });
    expect(JSON.parse(array.stdout)).toMatchObject({ messages: 2, unknownTypes: {} });
  });

  it("reads an own log as a file too, also compressed and somewhere else", async () => {
    const { home, add, run } = await cliHome();
    const path = await add("one", drafts);
    const byId = JSON.parse((await run(["sessions", "show", "one", "--json"])).stdout);
    const byPath = JSON.parse((await run(["sessions", "show", path, "--json"])).stdout);
    expect(byPath).toEqual(byId);
    const copy = join(home, "copy.gz");
    await writeFile(copy, gzipSync(await readFile(path)));
    const { file: _file, bytes: _bytes, ...rest } = byId;
    expect(JSON.parse((await run(["sessions", "show", copy, "--json"])).stdout)).toMatchObject(rest);
    await writeFile(copy, gzipSync(await readFile(path)).subarray(0, -20));
    expect((await run(["sessions", "show", copy])).stdout).toMatch(/damage[\s\S]*gzip:/);
  });

  it("prefers a file to an id, takes the beginning of an id, and names the candidates of an ambiguous one", async () => {
    const { home, add, run } = await cliHome();
    await add("session-one", [userSays("first")]);
    await add("session-two", [userSays("second")]);
    await writeFile(join(home, "session-one"), JSON.stringify([{ role: "user", content: "a file" }]));
    expect((await run(["sessions", "show", "session-one"])).stdout).toMatch(/^a file\n/);
    expect((await run(["sessions", "show", "session-t"])).stdout).toMatch(/^second\n/);
    const ambiguous = await run(["sessions", "show", "session-"]);
    expect(ambiguous).toMatchObject({ code: 1, stdout: "" });
    expect(ambiguous.stderr).toMatch(
      /could be any of 2 sessions: session-one \(.*\), session-two \(.*\)\.\n {2}fix: /,
    );
  });

  it("says what is wrong with what it cannot show, and never shows a stack", async () => {
    const { home, store, add, run } = await cliHome();
    await add("gone", [userSays("x")]);
    must(await store.logs.remove("gone", "for the test"));
    await mkdir(join(home, "folder"));
    await writeFile(join(home, "empty"), "");
    await writeFile(join(home, "broken.json"), '[{"role":"user","content":"hi"},');
    await writeFile(join(home, "types.json"), '{"a":1}\n{"b":2}\n');
    await writeFile(join(home, "text"), "just text");
    const cases = [
      ["nothing", /There is no file .*\/nothing, and no session “nothing” in /],
      ["gone", /Session gone was removed on \d{4}-\d\d-\d\d \(for the test\)/],
      ["folder", /is a folder/],
      ["empty", /is empty/],
      ["broken.json", /JSON/],
      ["types.json", /JSON lines of an unknown kind \(fields: a\)/],
      ["text", /text that is not JSON/],
      ["../outside/id", /There is no file/],
      ["", /is a folder|There is no/],
    ] as const;
    const ends = await Promise.all(cases.map(([name]) => run(["sessions", "show", name])));
    for (const [index, { code, stdout, stderr }] of ends.entries()) {
      expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(cases[index]?.[1] ?? "");
      expect(stderr).toMatch(/^error: [^\n]+\n( {2}fix: [^\n]+\n)?$/);
    }
  });

  it("shows what can be read of a log of a newer format", async () => {
    const { add, run } = await cliHome();
    const path = await add("one", [userSays("from the future")]);
    const lines = await linesOf(path);
    const newer = lines.slice(0, -1).map((line) => {
      const { crc: _crc, ...entry } = JSON.parse(line);
      return encodeEntry({ ...entry, v: 2 }).toString();
    });
    await writeFile(path, newer.join(""));
    expect((await run(["sessions", "show", "one"])).stdout).toMatch(/^from the future\n/);
    const repaired = await run(["sessions", "repair", "one"]);
    expect(repaired.code).toBe(1);
    expect(repaired.stderr).toMatch(/was written in format 2[\s\S]*fix: Upgrade/);
  });

  it("says that it may not read a file", async () => {
    const { home } = await cliHome();
    const path = join(home, "private.jsonl");
    await writeFile(path, "[]");
    await chmod(path, 0o000);
    await chmod(home, 0o755);
    // Root may read everything, so someone else has to try.
    const { code, stderr } = await runCliProcess(["sessions", "show", path], {
      home,
      ...(process.getuid?.() === 0 && { uid: 65_534 }),
    });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("permission denied") });
  });
});
