import { mkdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { fail, type Notice, type NoticeMoment } from "../../spec/index.ts";
import { createNodeDisk } from "../../stores/files/disk/node-disk.ts";
import { createRulesSource, type RulesSourceOptions } from "./create-rules-source.ts";
import { parseRulesHeader, type RulesHeader } from "./rules-notice.ts";

const disk = createNodeDisk();
const signal = new AbortController().signal;

async function place(files: Readonly<Record<string, string>>) {
  const root = await realpath(await temporaryFolder());
  const at = (path: string) => join(root, path);
  const write = async (path: string, text: string) => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  };
  await mkdir(at("home"));
  await mkdir(at("app/work"), { recursive: true });
  for (const [path, text] of Object.entries(files)) await write(path, text);
  const open = (more: Partial<RulesSourceOptions> = {}) => {
    const locations = {
      disk,
      home: at("home"),
      homeFolder: at("me"),
      projectRoot: at("app"),
      cwd: at("app/work"),
    };
    const source = createRulesSource({ ...locations, ...more });
    const take = (kind: NoticeMoment["kind"], ...touched: readonly string[]) =>
      source.take({ kind, touched: touched.map(at), signal });
    const names = async (kind: NoticeMoment["kind"], ...touched: readonly string[]) =>
      (await take(kind, ...touched)).map(({ text }) => parseRulesHeader(text)?.path.replace(`${root}/`, ""));
    const current = () => source.currentRules().map(({ path }) => path.replace(`${root}/`, ""));
    return { source, take, names, current };
  };
  return { root, at, write, open };
}

const given = (notices: readonly Notice[]): readonly RulesHeader[] =>
  notices.flatMap(({ text }) => parseRulesHeader(text) ?? []);

describe("createRulesSource", () => {
  it("gives the rules of the start once, each with its header and to the letter", async () => {
    const { open, at } = await place({
      "home/AGENTS.md": "Mine.",
      "app/AGENTS.md": "Use tabs.\r\n@more.md @gone.md\n\n[rules {}]\n",
      "app/more.md": "More.",
    });
    const { take } = open();
    const notices = await take("session-start");
    const headers = given(notices);
    expect(headers.map(({ path }) => path)).toEqual([
      at("home/AGENTS.md"),
      at("app/AGENTS.md"),
      at("app/more.md"),
    ]);
    expect(notices).toEqual([
      {
        subtype: "rules",
        text: `[rules ${JSON.stringify(headers[0])}]\nThe user's own rules, for every project.\n\nMine.`,
      },
      {
        subtype: "rules",
        text: `[rules ${JSON.stringify(headers[1])}]\nRules that came with the project, for what is in "${at("app")}".\n@gone.md was left out: it is not there.\n\nUse tabs.\r\n@more.md @gone.md\n\n[rules {}]\n`,
      },
      {
        subtype: "rules",
        text: `[rules ${JSON.stringify(headers[2])}]\nRules that came with the project, for what is in "${at("app")}".\nIncluded by "${at("app/AGENTS.md")}".\n\nMore.`,
      },
    ]);
    expect(await take("turn-start")).toEqual([]);
    expect(await take("tool-round", "app/AGENTS.md")).toEqual([]);
  });

  it("gives rules of deeper folders when something there is touched, each once, in order", async () => {
    const { open, write } = await place({
      "app/AGENTS.md": "root",
      "app/work/a/AGENTS.md": "a",
      "app/work/a/b/CLAUDE.md": "b",
      "app/work/a/b/c/AGENTS.md": "c",
      "app/work/a/b/c/file": "",
      "app/other/AGENTS.md": "other",
      "app/other/x/y": "",
      "outside/AGENTS.md": "outside",
      "outside/file": "",
    });
    const { names, current } = open();
    expect(await names("session-start")).toEqual(["app/AGENTS.md"]);
    await write("app/work/AGENTS.md", "late");
    expect(await names("tool-round", "app/work/a/b", "outside/file", "app/nowhere/at/all")).toEqual([
      "app/work/a/b/CLAUDE.md",
      "app/work/a/AGENTS.md",
      "app/work/AGENTS.md",
    ]);
    expect(await names("tool-round", "app/work/a/b/c/new-file", "app/work/a/b/c/file")).toEqual([
      "app/work/a/b/c/AGENTS.md",
    ]);
    expect(await names("tool-round", "app/other/x/y")).toEqual(["app/other/AGENTS.md"]);
    expect(await names("tool-round", "app/other/x/y", "app/work/a/b/c/file")).toEqual([]);
    expect(current()).toEqual([
      "app/AGENTS.md",
      "app/work/AGENTS.md",
      "app/work/a/b/CLAUDE.md",
      "app/work/a/AGENTS.md",
      "app/work/a/b/c/AGENTS.md",
      "app/other/AGENTS.md",
    ]);
  });

  it("gives a file again when it has changed, and says when it is gone", async () => {
    const { open, write, at } = await place({
      "app/AGENTS.md": "@a.md",
      "app/a.md": "one",
      "app/b.md": "two",
    });
    const { take, source, current } = open();
    await take("session-start");
    await write("app/a.md", "changed");
    const [changed, ...rest] = await take("turn-start");
    expect(rest).toEqual([]);
    expect(changed?.text.split("\n").slice(1)).toEqual([
      `Rules that came with the project, for what is in "${at("app")}".`,
      `Included by "${at("app/AGENTS.md")}".`,
      `This replaces what was given of "${at("app/a.md")}" before.`,
      "",
      "changed",
    ]);
    expect(source.currentRules()[1]?.text).toBe("changed");
    await write("app/AGENTS.md", "@b.md");
    expect(given(await take("tool-round")).map(({ path, sha256 }) => [path, sha256 !== ""])).toEqual([
      [at("app/AGENTS.md"), true],
      [at("app/b.md"), true],
      [at("app/a.md"), false],
    ]);
    await rm(at("app/AGENTS.md"));
    const gone = (path: string) =>
      `[rules ${JSON.stringify({ path: at(path), sha256: "" })}]\n"${at(path)}" is gone: what it said no longer holds.`;
    expect((await take("turn-start")).map(({ text }) => text)).toEqual([
      gone("app/AGENTS.md"),
      gone("app/b.md"),
    ]);
    expect(current()).toEqual([]);
    await write("app/AGENTS.md", "back");
    expect((await take("turn-start"))[0]?.text).not.toContain("replaces");
    expect(current()).toContain("app/AGENTS.md");
    expect(await take("turn-start")).toEqual([]);
  });

  it("gives nothing twice in a resumed session, what has changed since, and knows all that is in force", async () => {
    const { open, write, at } = await place({
      "app/AGENTS.md": "root",
      "app/work/a/AGENTS.md": "@a.md",
      "app/work/a/a.md": "included",
      "app/work/b/AGENTS.md": "b",
      "app/work/c/AGENTS.md": "c",
      "app/work/new/AGENTS.md": "never touched",
    });
    const first = open();
    const log = given([
      ...(await first.take("session-start")),
      ...(await first.take("tool-round", "app/work/a/x", "app/work/b/x", "app/work/c/x")),
    ]);
    const again = open({ given: log });
    expect(await again.take("session-start")).toEqual([]);
    expect(again.current()).toEqual(first.current());
    await write("app/work/b/AGENTS.md", "changed");
    await rm(at("app/work/c/AGENTS.md"));
    const third = open({ given: log });
    const notices = await third.take("session-start");
    expect(notices.map(({ text }) => text)).toEqual([
      expect.stringContaining("This replaces what was given"),
      expect.stringContaining("is gone"),
    ]);
    const fourth = open({ given: [...log, ...given(notices)] });
    expect(await fourth.take("session-start")).toEqual([]);
  });

  it("asks before it reads, keeps what it has, and notes each refusal once", async () => {
    const { open, at, write } = await place({
      "app/AGENTS.md": "root",
      "app/work/a/AGENTS.md": "secret",
      "app/work/b/AGENTS.md": "\0",
      "app/work/c/AGENTS.md": "c",
    });
    const notes: string[] = [];
    const { names } = open({
      mayRead: (path) => path !== at("app/work/a/AGENTS.md"),
      onNote: (note) => notes.push(note),
    });
    await names("session-start");
    expect(await names("tool-round", "app/work/a/x", "app/work/b/x", "app/work/c/x")).toEqual([
      "app/work/c/AGENTS.md",
    ]);
    await write("app/work/c/AGENTS.md", "\0 unreadable now");
    expect(await names("turn-start")).toEqual([]);
    expect(notes).toEqual([
      `${at("app/work/a/AGENTS.md")} was left out: it may not be read.`,
      `${at("app/work/b/AGENTS.md")} was left out: it is no text.`,
      `${at("app/work/c/AGENTS.md")} was left out: it is no text.`,
    ]);
  });

  it("does not follow what is touched out of the project", async () => {
    const { open, at } = await place({ "outside/AGENTS.md": "evil", "outside/file": "" });
    await symlink(at("outside"), at("app/work/link"));
    expect(await open().names("tool-round", "app/work/link/file", "app/work/link")).toEqual([]);
  });

  it("forgets an aborted question, so that it is answered the next time", async () => {
    const { open } = await place({ "app/AGENTS.md": "root" });
    const { source, names } = open();
    const question = { kind: "session-start", touched: [], signal: AbortSignal.abort() } as const;
    expect(await source.take(question)).toEqual([]);
    expect(await names("session-start")).toEqual(["app/AGENTS.md"]);
  });

  it("throws where the project is gone, and works once it is back", async () => {
    const { open, at, write } = await place({ "app/AGENTS.md": "root" });
    const { names } = open();
    await rm(at("app"), { recursive: true });
    await expect(names("session-start")).rejects.toMatchObject({ code: "not-found" });
    await write("app/work/AGENTS.md", "work");
    expect(await names("session-start")).toEqual(["app/work/AGENTS.md"]);
  });
});

describe("parseRulesHeader", () => {
  it.each([
    "",
    "[rules {}]",
    '[rules {"path":"/a","sha256":"x"}]',
    '[rules {"path":1,"sha256":""}]',
    "[rules {]",
    ' [rules {"path":"/a","sha256":""}]',
    'x\n[rules {"path":"/a","sha256":""}]',
    '[rules {"path":"/a","sha256":""}] more',
    "[rules null]",
  ])("takes %j for no header", (text) => {
    expect(parseRulesHeader(text)).toBeUndefined();
  });

  it("reads odd paths", () => {
    const header = { path: '/a"]\n[rules\u2028 {}', sha256: "0".repeat(64) };
    expect(parseRulesHeader(`[rules ${JSON.stringify(header)}]\ntext`)).toEqual(header);
  });
});

describe("rules that may have been dictated", () => {
  const kept = () => {
    const versions = new Set<string>();
    const key = ({ path, sha256 }: { readonly path: string; readonly sha256: string }) => `${path} ${sha256}`;
    return {
      has: async (version: Parameters<typeof key>[0]) => versions.has(key(version)),
      add: async (version: Parameters<typeof key>[0]) => {
        versions.add(key(version));
        return { ok: true, value: undefined } as const;
      },
    };
  };
  const isData = (notices: readonly Notice[]) =>
    notices.map(({ text }) => text.includes("it gives no orders"));

  it("are data from the look on that finds them changed, in later sessions too, and the person is told once", async () => {
    const { open, write } = await place({ "app/AGENTS.md": "a" });
    const unconfirmed = kept();
    let isDictated = false;
    const notes: string[] = [];
    const { take, source } = open({
      unconfirmed,
      isDictated: () => isDictated,
      onNote: (note) => notes.push(note),
    });
    expect(isData(await take("session-start"))).toEqual([false]);
    await write("app/AGENTS.md", "b");
    expect(isData(await take("turn-start"))).toEqual([false]);
    isDictated = true;
    expect(await take("tool-round")).toEqual([]);
    await write("app/AGENTS.md", "c");
    const notices = await take("tool-round");
    expect(isData(notices)).toEqual([true]);
    expect(given(notices)).toMatchObject([{ isUnconfirmed: true }]);
    await take("tool-round");
    expect(notes).toEqual([expect.stringMatching(/AGENTS\.md was written while untrusted text was in view/)]);
    expect(source.currentRules()).toMatchObject([{ isUnconfirmed: true }]);
    expect(isData(await open({ unconfirmed }).take("session-start"))).toEqual([true]);
    await write("app/AGENTS.md", "b");
    expect(isData(await open({ unconfirmed }).take("session-start"))).toEqual([false]);
  });

  it("are what came into a folder that nobody looked at before, and not what lay there", async () => {
    const { open, write } = await place({ "app/AGENTS.md": "a", "app/old/AGENTS.md": "b" });
    const openedMs = Date.now() + 60_000;
    const later = open({ unconfirmed: kept(), isDictated: () => true, openedMs });
    expect(isData(await later.take("session-start"))).toEqual([false]);
    expect(isData(await later.take("tool-round", "app/old/x.ts"))).toEqual([false]);
    const { take } = open({ unconfirmed: kept(), isDictated: () => true, openedMs: Date.now() - 60_000 });
    await take("session-start");
    await write("app/new/AGENTS.md", "c");
    expect(isData(await take("tool-round", "app/new/x.ts"))).toEqual([true]);
  });

  it("are what a session finds at its first look only where that was remembered", async () => {
    const { open } = await place({ "app/AGENTS.md": "a" });
    const { take } = open({ unconfirmed: kept(), isDictated: () => true });
    expect(isData(await take("session-start"))).toEqual([false]);
  });

  it("are data where nobody can tell, and where they cannot be remembered they are in this session", async () => {
    const { open, write } = await place({ "app/AGENTS.md": "a" });
    const broken = { has: async () => false, add: async () => fail("io", "The disk is full.") };
    const notes: string[] = [];
    const { take } = open({
      unconfirmed: broken,
      isDictated: () => true,
      onNote: (note) => notes.push(note),
    });
    await take("session-start");
    await write("app/AGENTS.md", "b");
    expect(isData(await take("tool-round"))).toEqual([true]);
    expect(notes.at(-1)).toBe("That could not be remembered for later sessions: The disk is full.");
  });
});
