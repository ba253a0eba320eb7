import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import type { PermissionMode, PermissionRules, ToolSubject } from "../../../../core/src/spec/index.ts";
import { decidePermission, type PermissionMatter } from "./decide-permission.ts";
import { toRule } from "./rule-match.ts";

const pathText = fc
  .array(fc.constantFrom("src", "a.ts", ".git", "secrets", ".env", "SRC", "..", ".", ""), { maxLength: 4 })
  .map((names) => names.join("/"));
const commandText = fc
  .array(
    fc.constantFrom(
      "git",
      "status",
      "rm",
      "ls",
      "x",
      "A=b",
      ";",
      "&&",
      "|",
      "\n",
      "$(",
      ")",
      "`",
      "'",
      '"',
      ">",
      "sudo",
    ),
    { maxLength: 7 },
  )
  .map((words) => words.join(" "));
const subject: fc.Arbitrary<ToolSubject> = fc.oneof(
  fc.record({
    kind: fc.constant("path" as const),
    value: fc.tuple(fc.constantFrom("/work/app/", "/etc/", ""), pathText).map((parts) => parts.join("")),
    access: fc.constantFrom("read" as const, "write" as const),
  }),
  fc.record({
    kind: fc.constant("command" as const),
    value: commandText,
    access: fc.constant("execute" as const),
  }),
  fc.record({
    kind: fc.constant("url" as const),
    value: fc.constantFrom("https://example.org/", "https://a.example.org", "nothing"),
    access: fc.constant("read" as const),
  }),
);
const rule = fc.constantFrom(
  "Bash",
  "Bash(git status:*)",
  "Bash(rm:*)",
  "Bash(ls)",
  "Edit",
  "Edit(src/**)",
  "Edit(.git/**)",
  "Write(**)",
  "Read(secrets/**)",
  "Read(//etc/**)",
  "WebFetch(domain:*.example.org)",
  "mcp__files__*",
  "Recall",
);
const rules: fc.Arbitrary<Required<PermissionRules>> = fc.record({
  allow: fc.array(rule, { maxLength: 4 }),
  ask: fc.array(rule, { maxLength: 2 }),
  deny: fc.array(rule, { maxLength: 2 }),
});
const mode = fc.constantFrom<PermissionMode>("default", "ask", "plan", "bypass");
const matter: fc.Arbitrary<PermissionMatter> = fc.record({
  tool: fc.constantFrom(
    "Bash",
    "Read",
    "Write",
    "Edit",
    "Grep",
    "WebFetch",
    "mcp__files__x",
    "Recall",
    "ExitPlanMode",
  ),
  subjects: fc.array(subject, { maxLength: 3 }),
  isReadOnly: fc.boolean(),
  mode,
  rules,
  workspace: fc.constant(["/work/app"]),
  homeFolder: fc.constant("/home/me"),
  isReadOnlyCommand: fc.constant((command: string) => /^ls(?: x)*$/.test(command)),
});

const ranks = { deny: 0, ask: 1, allow: 2 };
const rankOf = (one: PermissionMatter) => ranks[decidePermission(one).behavior];
const withRule = (one: PermissionMatter, list: keyof PermissionRules, text: string): PermissionMatter => ({
  ...one,
  rules: { ...one.rules, [list]: [...(one.rules[list] ?? []), text] },
});

describe("permissions of any call", () => {
  it("are never widened by a rule that denies or asks, nor narrowed by one that allows", () => {
    fc.assert(
      fc.property(matter, rule, (one, text) => {
        const rank = rankOf(one);
        expect(rankOf(withRule(one, "deny", text))).toBeLessThanOrEqual(rank);
        expect(rankOf(withRule(one, "ask", text))).toBeLessThanOrEqual(rank);
        expect(rankOf(withRule(one, "allow", text))).toBeGreaterThanOrEqual(rank);
      }),
      { numRuns: 1000 },
    );
  });

  it("are no wider for more that is touched", () => {
    fc.assert(
      fc.property(matter, subject, (one, more) => {
        fc.pre(one.subjects.length > 0);
        expect(rankOf({ ...one, subjects: [...one.subjects, more] })).toBeLessThanOrEqual(rankOf(one));
      }),
    );
  });

  it("never ask in bypass, and are nowhere wider than there", () => {
    fc.assert(
      fc.property(matter, (one) => {
        const bypassed = rankOf({ ...one, mode: "bypass" });
        expect(bypassed).not.toBe(ranks.ask);
        expect(rankOf(one)).toBeLessThanOrEqual(bypassed);
        expect(rankOf({ ...one, mode: "ask" })).toBeLessThanOrEqual(rankOf({ ...one, mode: "default" }));
        expect(rankOf({ ...one, mode: "plan" })).toBeLessThanOrEqual(rankOf({ ...one, mode: "default" }));
      }),
    );
  });

  it("never reach outside the workspace by themselves", () => {
    fc.assert(
      fc.property(matter, (one) => {
        fc.pre(
          one.mode !== "bypass" &&
            one.subjects.some(({ kind, value }) => kind === "path" && !value.startsWith("/work/app/")),
        );
        expect(rankOf({ ...one, rules: {} })).toBeLessThan(ranks.allow);
      }),
    );
  });

  it("are there for good once the rule of the answer is added, where no other says no", () => {
    fc.assert(
      fc.property(matter, fc.string({ unit: "binary" }), (one, text) => {
        const given: ToolSubject = { kind: "command", value: text, access: "execute" };
        const call = { ...one, mode: "default" as const, subjects: [...one.subjects, given] };
        const added = toRule(call, call.workspace);
        if (added === undefined) return;
        expect(decidePermission({ ...call, rules: added }).behavior).toBe("allow");
      }),
      { numRuns: 500 },
    );
  });

  it("are, for commands in a row, what they are for each", () => {
    const simple = fc.constantFrom("git status", "ls", "ls x", "rm x", "npm i", "git status -s");
    const run = (value: string) =>
      decidePermission({
        tool: "Bash",
        subjects: [{ kind: "command", value, access: "execute" }],
        mode: "default",
        rules: { allow: ["Bash(git status:*)", "Bash(npm:*)"], deny: ["Bash(rm:*)"] },
        workspace: [],
        homeFolder: "/",
        isReadOnlyCommand: (command) => /^ls(?: x)*$/.test(command),
      }).behavior;
    fc.assert(
      fc.property(
        fc.array(simple, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(";", " && ", "|", "\n", " & "),
        (all, by) => {
          fc.pre(all.some((one) => !one.startsWith("ls")));
          expect(ranks[run(all.join(by))]).toBe(Math.min(...all.map((one) => ranks[run(one)])));
        },
      ),
    );
  });
});

describe("what a rule for a beginning allows", () => {
  it("runs nothing else in a real shell", async () => {
    const folder = await temporaryFolder();
    const [programs, marker] = [join(folder, "bin"), join(folder, "ran")];
    mkdirSync(programs);
    writeFileSync(join(programs, "good"), "#!/bin/sh\nexit 0\n");
    writeFileSync(join(programs, "evil"), `#!/bin/sh\n: > '${marker}'\n`);
    for (const name of ["good", "evil"]) chmodSync(join(programs, name), 0o755);
    const piece = fc.constantFrom(
      "good",
      "evil",
      "evil",
      "x",
      "-c",
      ";",
      "&&",
      "||",
      "|",
      "&",
      "\n",
      "\r",
      "$(evil)",
      "`evil`",
      "$(",
      ")",
      "(",
      "`",
      "'",
      '"',
      "\\",
      "\\\n",
      "$",
      "{",
      "}",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's, not ours.
      "${x:=$(evil)}",
      "$((x[$(evil)]))",
      "<(evil)",
      ">(evil)",
      "<<E\n",
      "E\n",
      "<<<",
      "2>&1",
      ">/dev/null",
      "#",
      "!",
      "A=b",
      "good=evil",
      "good()",
      "if",
      "then",
      "fi",
      "eval",
      "exec",
      "$'\\n'",
      "$x",
      "\t",
      "~",
      "*",
      "[[",
      "]]",
      ";;",
      "coproc",
      "time",
      "\u00a0",
      "trap evil EXIT",
      "PATH=x",
    );
    const command = fc
      .array(fc.tuple(piece, fc.constantFrom("", " ", " ")), { minLength: 1, maxLength: 6 })
      .map((pieces) => `good ${pieces.flat().join("")}`);
    let allowed = 0;
    const question = (value: string): PermissionMatter => ({
      tool: "Bash",
      subjects: [{ kind: "command", value, access: "execute" }],
      mode: "default",
      rules: { allow: ["Bash(good:*)"] },
      workspace: [],
      homeFolder: "/",
      isReadOnlyCommand: () => false,
    });
    fc.assert(
      fc.property(command, (text) => {
        if (decidePermission(question(text)).behavior !== "allow") return;
        allowed += 1;
        try {
          execFileSync("bash", ["--norc", "--noprofile", "-c", text], {
            cwd: folder,
            env: { PATH: `${programs}:/usr/bin:/bin` },
            stdio: "ignore",
          });
        } catch {}
        const hasRun = existsSync(marker);
        rmSync(marker, { force: true });
        expect(hasRun, JSON.stringify(text)).toBe(false);
      }),
      { numRuns: 500 },
    );
    expect(allowed).toBeGreaterThan(20);
  });
});
