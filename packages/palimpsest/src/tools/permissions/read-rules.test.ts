import { describe, expect, it } from "vitest";
import type { CommandSubjectRead, PermissionRules } from "../../../../core/src/spec/index.ts";
import { decidePermission, type PermissionMatter } from "./decide-permission.ts";
import { readFilter } from "./read-filter.ts";
import { type NamedRead, readsOfCommand } from "./reads-of-command.ts";

const locations = { workspace: ["/work/app"], homeFolder: "/home/me" };

function running(
  reads: readonly CommandSubjectRead[],
  rules: PermissionRules,
  more: Partial<PermissionMatter> = {},
) {
  return decidePermission({
    ...locations,
    tool: "Bash",
    subjects: [{ kind: "command", value: "cat it", access: "execute", reads }],
    mode: "default",
    rules,
    isReadOnlyCommand: () => true,
    ...more,
  });
}

const deny = ["Read(secret/**)", "Read(**/*.pem)", "Read(.env)"];

describe("a command that changes nothing, under rules about reading", () => {
  it.each([
    [{ value: "/work/app/secret/key" }, "deny"],
    [{ value: "/work/app/SECRET/key" }, "deny"],
    [{ value: "/work/app/secret" }, "deny"],
    [{ value: "/work/app/link", realPath: "/work/app/secret/key" }, "deny"],
    [{ value: "/work/app/a/../secret/key" }, "deny"],
    [{ value: "/work/app/.env" }, "deny"],
    [{ value: "/work/app/a/b.pem" }, "deny"],
    [{ value: "/work/app/*", isPattern: true }, "deny"],
    [{ value: "/work/app/s*t/key", isPattern: true }, "deny"],
    [{ value: "/work/app/se[c]ret/k?y", isPattern: true }, "deny"],
    [{ value: "/work/app/.e*", isPattern: true }, "deny"],
    [{ value: "/work/app/a/*.p*", isPattern: true }, "deny"],
    [{ value: "/work/app", isRecursive: true }, "deny"],
    [{ value: "/work", isRecursive: true }, "deny"],
    [{ value: "/work/app/src", isRecursive: true }, "deny"],
    [{ value: "/work/app/src/a.ts" }, "allow"],
    [{ value: "/work/app/src/*.ts", isPattern: true }, "allow"],
    [{ value: "/work/app/README.md", isRecursive: true }, "allow"],
    [{ value: "/work/app/secrets.md" }, "allow"],
    [{ value: "/etc/hosts" }, "ask"],
    [{ value: "/work/app/up", realPath: "/etc/hosts" }, "ask"],
    [{ value: "/work/app/up", realPath: null }, "deny"],
    [{ value: "/dev/null" }, "allow"],
  ] as const)("%j: %s", (read, verdict) => {
    const whole = { realPath: read.value, ...read };
    const rules = "isRecursive" in read && read.value.endsWith(".md") ? { deny: deny.slice(0, 1) } : { deny };
    expect(running([whole], rules).behavior).toBe(verdict);
  });

  it("says which rule, and what to do instead", () => {
    expect(running([{ value: "/work/app/secret/key" }], { deny })).toEqual({
      behavior: "deny",
      reason: "The rule Read(secret/**) denies: the command reads /work/app/secret/key.",
      rule: "Read(secret/**)",
    });
    expect(running([{ value: "/work/app", isRecursive: true }], { ask: deny })).toEqual({
      behavior: "ask",
      reason:
        "The rule Read(secret/**) asks: the command could read what it names, since it reads /work/app. Use Read, Grep or Glob, which leave out what rules keep from being read, or name other files.",
      rule: "Read(secret/**)",
    });
  });

  it("is denied in every mode, and else allowed in plan mode inside the workspace and where the session keeps things", () => {
    const secret = [{ value: "/work/app/secret/key" }];
    for (const mode of ["default", "ask", "plan", "bypass"] as const)
      expect(running(secret, { deny, allow: ["Bash"] }, { mode }).behavior).toBe("deny");
    const kept = [{ value: "/work/app/a" }, { value: "/data/results/x" }];
    expect(running(kept, {}, { mode: "plan", readable: ["/data/results"] }).behavior).toBe("allow");
    expect(running(kept, {}, { mode: "plan" }).behavior).toBe("ask");
  });

  it("asks where what it reads cannot be told", () => {
    const subjects = [
      { kind: "command", value: "cat it", access: "execute", reads: [], mayReadMore: true },
    ] as const;
    expect(running([], {}, { subjects })).toEqual({
      behavior: "ask",
      reason: "What the command reads cannot be told.",
    });
  });
});

describe("what a command reads", () => {
  const reading = (command: string): readonly NamedRead[] | undefined => {
    const [program, ...rest] = command.split(" ").map((word) => word.replaceAll("'", ""));
    if (program !== "cat" || /[<>$(;&|]/.test(command)) return undefined;
    return rest.map((path) => ({ path, isPattern: path.includes("*"), isRecursive: false }));
  };

  it.each([
    ["cat a", ["a"], false],
    ["cat a > b", ["a"], true],
    ["x=$(cat a)", ["a"], true],
    ["bash -c 'cat a'", ["a"], true],
    ["sudo cat a | wc", ["a"], true],
    ["for f in a b; do cat $f; done", ["a", "b"], true],
    ["cat s/$x", ["s/*"], true],
    ["sh < a", ["a"], true],
    ["cat <<< $(< a)", ["a"], true],
    ["cd s; cat a > b", ["a", "s/a"], true],
    ["npm test", [], true],
  ])("%j: %j", (command, paths, mayReadMore) => {
    const found = readsOfCommand(command, reading);
    const known = found.reads.filter(({ isWord }) => isWord !== true).map(({ path }) => path);
    expect({ ...found, reads: known }).toEqual({ reads: paths, mayReadMore });
  });

  it.each([
    ["awk 1 a/b", ["1", "a/b"]],
    ["dd if=a of=b", ["if=a", "a", "of=b", "b"]],
    ["x -fa --file=b", ["-fa", "a", "--file=b", "b"]],
    ["x -xfa", ["-xfa", "fa", "a"]],
    ["curl -d @a file:///b%20c file://host/d", ["-d", "a", "/b c", "/d"]],
    ["curl https://example.org/a:b,c", []],
    ["docker -v a:/b", ["-v", "a:/b", "a", "/b"]],
    ["x y=z=a", ["y=z=a", "z=a", "a"]],
    ["a/b", ["a/b"]],
    ['x "$PWD/a"', ["a"]],
    ['x *b "$PWD/a"', ["*b", "*/a", "a"]],
    ["x $y", []],
    [`x ${"a".repeat(256)} ${"a/".repeat(2_100)}`, []],
  ])("of a program that is not known is what its words name: %j", (command, paths) => {
    const words = readsOfCommand(command, () => undefined).reads.filter(({ isWord }) => isWord);
    expect(words.map(({ path }) => path)).toEqual(paths);
  });
});

describe("tools that read besides", () => {
  const calling = (tool: string, subject: PermissionMatter["subjects"][number]) =>
    decidePermission({
      ...locations,
      tool,
      subjects: [subject],
      mode: "bypass",
      rules: { deny },
      isReadOnlyCommand: () => false,
    }).behavior;

  it("are denied what they would show of a file they change", () => {
    for (const tool of ["Edit", "MultiEdit", "NotebookEdit"])
      expect(calling(tool, { kind: "path", value: "/work/app/secret/a.ipynb", access: "write" })).toBe(
        "deny",
      );
    expect(calling("Write", { kind: "path", value: "/work/app/secret/a", access: "write" })).toBe("allow");
  });

  it("are denied resources that are such files, in any encoding", () => {
    for (const value of [
      "file:///work/app/secret/key",
      "FILE:///work/app/%73ecret/key",
      "file:/work/app/x/../secret/k",
    ])
      expect(calling("mcp__files__read", { kind: "url", value, access: "read" })).toBe("deny");
    expect(calling("mcp__files__read", { kind: "url", value: "file:///work/app/a", access: "read" })).toBe(
      "allow",
    );
  });
});

describe("what a call may read of the files it comes upon", () => {
  const walk = { tool: "Grep", paths: ["/work/app"], mode: "default" } as const;
  const kept = (rules: PermissionRules, more: object = {}) => {
    const mayRead = readFilter({ ...walk, rules, ...more }, locations);
    return ["/work/app/secret/a", "/work/app/src/a"].map((path) => mayRead?.(path) ?? "any");
  };

  it("is what no rule denies or asks about", () => {
    expect(kept({ deny: ["Read(secret/**)"] })).toEqual([false, true]);
    expect(kept({ ask: ["Read(secret/**)"] })).toEqual([false, true]);
    expect(kept({ deny: ["Grep(secret/**)"] })).toEqual([false, true]);
    expect(kept({ deny: ["read(SECRET/**)"] })).toEqual([false, true]);
    expect(kept({ deny: ["Glob(secret/**)", "Edit(secret/**)", "Bash(cat:*)"] })).toEqual(["any", "any"]);
  });

  it("is also what was asked about for the call itself, or is not asked in the mode", () => {
    expect(kept({ ask: ["Read(secret/**)"] }, { paths: ["/work/app/secret"] })).toEqual(["any", "any"]);
    expect(kept({ ask: ["Read(secret/**)"] }, { mode: "bypass" })).toEqual(["any", "any"]);
    expect(kept({ deny: ["Read(secret/**)"] }, { mode: "bypass" })).toEqual([false, true]);
    expect(kept({ ask: ["Read"], deny: ["WebFetch"] })).toEqual(["any", "any"]);
  });
});
