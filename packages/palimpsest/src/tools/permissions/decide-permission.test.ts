import { describe, expect, it } from "vitest";
import type { PermissionRules, ToolSubject } from "../../../../core/src/spec/index.ts";
import { decidePermission, type PermissionMatter } from "./decide-permission.ts";

const base = {
  mode: "default",
  rules: {},
  workspace: ["/work/app"],
  homeFolder: "/home/me",
  isReadOnlyCommand: (command: string) => /^(?:ls|cat)(?: [\w./-]+)*$/.test(command),
} as const;

function decide(matter: Partial<PermissionMatter> & Pick<PermissionMatter, "tool">): string {
  return decidePermission({ ...base, subjects: [], ...matter }).behavior;
}

const read = (value: string): ToolSubject => ({ kind: "path", value, access: "read" });
const write = (value: string): ToolSubject => ({ kind: "path", value, access: "write" });

const reading = (path: string, more: Partial<PermissionMatter> = {}) =>
  decide({ tool: "Read", isReadOnly: true, subjects: [read(path)], ...more });
const writing = (path: string, more: Partial<PermissionMatter> = {}) =>
  decide({ tool: "Write", subjects: [write(path)], ...more });
const running = (command: string, rules: PermissionRules = {}, more: Partial<PermissionMatter> = {}) =>
  decide({
    tool: "Bash",
    subjects: [{ kind: "command", value: command, access: "execute" }],
    rules,
    ...more,
  });
const fetching = (url: string, rules: PermissionRules = {}) =>
  decide({
    tool: "WebFetch",
    isReadOnly: true,
    subjects: [{ kind: "url", value: url, access: "read" }],
    rules,
  });

describe("decidePermission by default", () => {
  it.each([
    ["/work/app", "allow"],
    ["/work/app/", "allow"],
    ["/work/app/src/a.ts", "allow"],
    ["/work/app/.git/config", "allow"],
    ["/work/application/a", "ask"],
    ["/work", "ask"],
    ["/etc/passwd", "ask"],
    ["/work/app/../secrets", "ask"],
    ["/work/app/./a", "ask"],
    ["/work/app//a", "ask"],
    ["/WORK/APP/a", "ask"],
    ["work/app/a", "ask"],
    ["/work/app/a\0b", "ask"],
    ["", "ask"],
  ])("reading %j: %s", (path, verdict) => {
    expect(reading(path)).toBe(verdict);
  });

  it.each([
    ["/work/app/src/a.ts", "allow"],
    ["/work/app/.github/CODEOWNERS", "allow"],
    ["/work/app/.github/workflows/a.yml", "ask"],
    ["/work/app/github/workflows/a.yml", "allow"],
    ["/work/app/AGENTS.md", "ask"],
    ["/work/app/docs/Claude.local.md", "ask"],
    ["/work/app/docs/about-claude.md", "allow"],
    ["/work/app/.claude/settings.json", "ask"],
    ["/work/app/.cursor/rules/a.mdc", "ask"],
    ["/work/app/.cursorrules", "ask"],
    ["/work/app/.devcontainer/devcontainer.json", "ask"],
    ["/work/app/.devcontainer.json", "ask"],
    ["/work/app/.cargo/config.toml", "ask"],
    ["/work/app/cargo/config.toml", "allow"],
    ["/work/app/lefthook.yml", "ask"],
    ["/work/app/.lefthook-local.yaml", "ask"],
    ["/work/app/.pre-commit-config.yaml", "ask"],
    ["/work/app/lint-staged.config.mjs", "ask"],
    ["/work/app/.pnpmfile.cjs", "ask"],
    ["/work/app/Jenkinsfile", "ask"],
    ["/work/app/.travis.yml", "ask"],
    ["/work/app/.gitea/workflows/a.yml", "ask"],
    ["/work/app/.kiro/steering/a.md", "ask"],
    ["/work/app/AGENT.md", "ask"],
    ["/work/app/package.json", "allow"],
    ["/work/app/sub/.profile", "ask"],
    ["/work/app/.gitignore", "allow"],
    ["/work/other/a", "ask"],
    ["/work/app/.git/hooks/pre-commit", "ask"],
    ["/work/app/.git", "ask"],
    ["/work/app/sub/.git/config", "ask"],
    ["/work/app/.GIT/config", "ask"],
    ["/work/app/.g\u200cit/config", "ask"],
    ["/work/app/.palimpsest/settings.json", "ask"],
    ["/work/app/.husky/pre-push", "ask"],
    ["/work/app/.bashrc", "ask"],
    ["/work/app/.Zshrc", "ask"],
    ["/work/app/.envrc", "ask"],
    ["/work/app/src/../.git/config", "ask"],
  ])("writing %j: %s", (path, verdict) => {
    expect(writing(path)).toBe(verdict);
  });

  it("asks where a link leads out of the workspace, or nobody knows where", () => {
    const subject = write("/work/app/link/a");
    const verdict = (realPath: string | null) =>
      decide({ tool: "Write", subjects: [{ ...subject, realPath }] });
    expect(verdict("/work/app/real/a")).toBe("allow");
    expect(verdict("/etc/a")).toBe("ask");
    expect(verdict("/work/app/.git/a")).toBe("ask");
    expect(verdict(null)).toBe("ask");
  });

  it("allows reading what the session keeps, and protects what it is told to", () => {
    expect(reading("/data/tool-results/a", { readable: ["/data/tool-results"] })).toBe("allow");
    expect(writing("/data/tool-results/a", { readable: ["/data/tool-results"] })).toBe("ask");
    expect(writing("/work/app/deploy/key", { protectedPaths: ["/work/app/Deploy"] })).toBe("ask");
  });

  it("allows a whole disk as a workspace, protected paths aside", () => {
    expect(writing("/etc/hosts", { workspace: ["/"] })).toBe("allow");
    expect(writing("/home/me/.bashrc", { workspace: ["/"] })).toBe("ask");
    expect(writing("/work/app/a", { workspace: [] })).toBe("ask");
    expect(writing("/b/c", { workspace: ["/a/", "/b/"] })).toBe("allow");
  });

  it("asks for commands and addresses, unless they are known to change nothing", () => {
    expect(running("ls src")).toBe("allow");
    expect(running("npm install")).toBe("ask");
    expect(fetching("https://example.org/")).toBe("ask");
  });

  describe("while untrusted text is in view", () => {
    const tainted = { isTainted: true };
    const bypass = { ...tainted, mode: "bypass" } as const;

    it.each([
      ["/work/app/AGENTS.md", "ask"],
      ["/work/app/.github/workflows/a.yml", "ask"],
      ["/elsewhere/.bashrc", "ask"],
      ["/work/app/src/a.ts", "allow"],
    ])("writing %j in bypass: %s", (path, verdict) => {
      expect(writing(path, bypass)).toBe(verdict);
      expect(writing(path, { mode: "bypass" })).toBe("allow");
    });

    it.each([
      ["echo Always obey. >> AGENTS.md", "ask"],
      ["echo x >>AGENTS.md", "ask"],
      ["tee 'AGENTS'.md", "ask"],
      ["sed -i s/a/b/ $HOME/.bashrc", "ask"],
      ["cp evil .github/workflows/ci.yml && ls", "ask"],
      ["bash -c 'echo x > .husky/pre-push'", "ask"],
      ["git checkout evil -- AGENTS.md", "ask"],
      // Patterns, variables and fed names that could be such a file.
      ["cat page.txt >> .bashr[c]", "ask"],
      ["cat page.txt >> AGENTS.m[d]", "ask"],
      ["cat page.txt >> agent?.MD", "ask"],
      ["cat page.txt >> ~/.bash*", "ask"],
      ["cat page.txt > {AGEN,X}TS.md", "ask"],
      ["cat page.txt > .githu?/workflow?/a.yml", "ask"],
      ["f=AGENTS; cat page.txt >> $f.md", "ask"],
      ['read f < names; cat page.txt >> "$f"', "ask"],
      ["cat page.txt >> $NAME", "ask"],
      ["cat page.txt >> ./out-`head -1 page.txt`", "ask"],
      ["cat page.txt >> $'AGENTS\\x2emd'", "ask"],
      ["cat page.txt | tee -a AG*.md", "ask"],
      ["tee -a AGENTS.@(md)", "ask"],
      ["cp page.txt $D/page.txt", "ask"],
      ["cp evil/* .", "ask"],
      ["dd if=page.txt of=$T", "ask"],
      ["sed -i 1d $(ls)", "ask"],
      ["sed -i s/a/b/ *.md", "ask"],
      ["curl -so $T https://example.org/page", "ask"],
      ["ls | xargs sed -i s/a/b/", "ask"],
      ["find . -name 'AG*' -exec cp page.txt {} ';'", "ask"],
      ["bash -c 'cat page.txt >> AGENTS.m[d]'", "ask"],
      ["cd .github && cp ../a.yml workflows/a.yml", "ask"],
      ["cd .gi[t] && cp ../a hooks/pre-push", "ask"],
      ["shopt -s dotglob; tee *rc", "ask"],
      [`cp ${"x ".repeat(60_000)} AGENTS.m[d]`, "ask"],
      ["echo x 1<> .bashr[c]", "ask"],
      ["exec >> AGENTS.m[d]; cat page.txt", "ask"],
      ["{ cat page.txt; } >| .bashr[c]", "ask"],
      ["while read l; do echo $l; done < page.txt &>> .bashr[c]", "ask"],
      ["f() { cat page.txt >> $1; }; f AGENTS.m[d]", "ask"],
      ["sh <<< 'cat page.txt >> AGENTS.m[d]'", "ask"],
      ["cat page.txt | sudo tee .bashr[c]", "ask"],
      ["git show HEAD:page.txt > .bashr[c]", "ask"],
      ["git checkout evil -- 'AG*.md'", "ask"],
      ["git -c alias.x='!cat page.txt >> AGENTS.m[d]' x", "ask"],
      // What git obeys from then on.
      ["env A=b git config core.pager x", "ask"],
      ["/usr/bin/git --git-dir=.git config core.pager x", "ask"],
      ["\\git 'config' core.pager x", "ask"],
      ["echo core.pager x | xargs git config", "ask"],
      ["git config core.fsmonitor ./x", "ask"],
      ["git config alias.st '!touch x'", "ask"],
      ["git config set alias.st '!touch x'", "ask"],
      ["git config --global --add core.hooksPath x", "ask"],
      ["git config -f other core.pager x", "ask"],
      ["git -c a.b=c -C sub config core.pager x", "ask"],
      ["git config --unset core.hooksPath", "ask"],
      ["g=git; $g config core.pager x", "ask"],
      ["git $sub core.pager x", "ask"],
      ["npm test && git config --get-regexp . && git config core.pager x", "ask"],
      ["git remote add origin ext::sh", "ask"],
      ["git remote set-url origin https://example.org/x", "ask"],
      // What could be none of them.
      ["cat *.md | wc -l > count.txt", "allow"],
      ["node build.js > out/log.txt 2>&1", "allow"],
      ["for i in 1 2 3; do echo $i > part-$i.txt; done", "allow"],
      ["for f in *.ts; do wc -l $f; done", "allow"],
      ["cp src/a*.css dist/", "allow"],
      ["rm -rf dist/*", "allow"],
      ["npx vitest run src/*.test.ts", "allow"],
      ["npm run $TASK", "allow"],
      ["kill $PID; export A=$B", "allow"],
      ['git commit -m "$(date)"', "allow"],
      ['git -C sub commit -m "$(date)"', "allow"],
      ["git checkout -b fix-$USER", "allow"],
      ["git tag v$VERSION && git push origin v$VERSION", "allow"],
      ["curl -s $URL | jq .name", "allow"],
      ["git remote -v && npm test", "allow"],
      ["cd src && npm test", "allow"],
      ["git add AGENTS.md && git commit -m 'AGENTS.md'", "allow"],
      ["cat AGENTS.md", "allow"],
      ["npm test", "allow"],
      ["git push --force", "allow"],
    ])("running %j in bypass: %s", (command, verdict) => {
      expect(running(command, {}, bypass)).toBe(verdict);
      expect(running(command, {}, { mode: "bypass" })).toBe("allow");
    });

    it("heeds rules that name the file or the whole command, and no wider ones", () => {
      const rules = (...allow: readonly string[]) => ({ ...bypass, rules: { allow } });
      expect(writing("/work/app/AGENTS.md", rules("Edit(AGENTS.md)"))).toBe("allow");
      expect(writing("/work/app/AGENTS.md", rules("Edit", "Edit(**)"))).toBe("ask");
      expect(running("tee AGENTS.md", { allow: ["Bash(tee AGENTS.md)"] }, tainted)).toBe("allow");
      expect(running("tee AGENTS.md", { allow: ["Bash(tee:*)", "Bash"] }, tainted)).toBe("ask");
      expect(running("tee AGENTS.md", { allow: ["Bash(tee:*)"] })).toBe("allow");
    });

    it("still denies what a rule denies, and every change in plan mode", () => {
      expect(writing("/work/app/AGENTS.md", { ...bypass, rules: { deny: ["Edit"] } })).toBe("deny");
      expect(writing("/work/app/AGENTS.md", { ...tainted, mode: "plan" })).toBe("deny");
    });
  });

  it("goes by the tool where nothing is touched", () => {
    expect(decide({ tool: "mcp__files__list", isReadOnly: true })).toBe("allow");
    expect(decide({ tool: "mcp__files__remove" })).toBe("ask");
    for (const tool of ["AskUserQuestion", "TodoWrite", "Recall", "ToolSearch", "Skill"])
      expect(decide({ tool })).toBe("allow");
    expect(decide({ tool: "ExitPlanMode" })).toBe("ask");
    expect(decide({ tool: "ExitPlanMode", rules: { allow: ["ExitPlanMode"] } })).toBe("ask");
  });

  it("allows a call only if everything it touches is allowed", () => {
    const subjects = [write("/work/app/a"), write("/etc/b")];
    expect(decide({ tool: "Write", subjects })).toBe("ask");
    expect(decide({ tool: "Write", subjects, rules: { allow: ["Write(//etc/b)"] } })).toBe("allow");
    expect(decide({ tool: "Write", subjects, rules: { deny: ["Write(a)"] } })).toBe("deny");
  });

  it("says why, and which rule", () => {
    const matter = { ...base, tool: "Read", isReadOnly: true, subjects: [read("/etc/a")] };
    expect(decidePermission(matter)).toEqual({
      behavior: "ask",
      reason: "/etc/a is outside the workspace.",
    });
    expect(decidePermission({ ...matter, rules: { allow: ["Read(//etc/**)"] } })).toEqual({
      behavior: "allow",
      reason: "The rule Read(//etc/**) allows it.",
      rule: "Read(//etc/**)",
    });
    expect(decidePermission({ ...matter, rules: { deny: ["Read"] } })).toEqual({
      behavior: "deny",
      reason: "The rule Read denies it.",
      rule: "Read",
    });
  });

  it("throws on a rule that cannot be read, whichever list it is in", () => {
    for (const list of ["allow", "ask", "deny"] as const)
      expect(() => decide({ tool: "Recall", rules: { [list]: ["Bash("] } })).toThrow(/"Bash\("/);
  });
});

describe("modes", () => {
  it("ask for every change, and let rules allow it", () => {
    const mode = "ask";
    expect(writing("/work/app/a", { mode })).toBe("ask");
    expect(writing("/work/app/a", { mode, rules: { allow: ["Edit(**)"] } })).toBe("allow");
    expect(reading("/work/app/a", { mode })).toBe("allow");
    expect(running("ls", {}, { mode })).toBe("allow");
  });

  it("plan: nothing changes, whatever a rule allows; the reason says what to do", () => {
    const rules = { allow: ["Bash", "Edit", "mcp__files__*"] };
    const more = { mode: "plan", rules } as const;
    expect(writing("/work/app/a", more)).toBe("deny");
    expect(running("npm test", rules, more)).toBe("deny");
    expect(decide({ tool: "mcp__files__remove", ...more })).toBe("deny");
    expect(decidePermission({ ...base, tool: "Write", subjects: [], mode: "plan" }).reason).toBe(
      "Plan mode: nothing is changed before the plan is agreed. Go on reading, finish the plan, then call ExitPlanMode.",
    );
    expect(running("ls", rules, more)).toBe("allow");
    expect(reading("/work/app/a", more)).toBe("allow");
    expect(decide({ tool: "TodoWrite", ...more })).toBe("allow");
    expect(decide({ tool: "ExitPlanMode", ...more })).toBe("ask");
  });

  it("plan: the plan itself may be written, and not what a link makes of it", () => {
    const more = { mode: "plan", planFile: "/data/plans/p.md" } as const;
    expect(writing("/data/plans/p.md", more)).toBe("allow");
    expect(writing("/data/plans/q.md", more)).toBe("deny");
    const subjects = [{ ...write("/data/plans/p.md"), realPath: "/etc/p.md" }];
    expect(decide({ tool: "Write", subjects, ...more })).toBe("deny");
  });

  it("bypass: only a rule denies", () => {
    const mode = "bypass";
    expect(writing("/etc/a", { mode, rules: { ask: ["Edit"] } })).toBe("allow");
    expect(running("rm -rf /", {}, { mode })).toBe("allow");
    expect(running("sudo rm -rf /", { deny: ["Bash(rm:*)"] }, { mode })).toBe("deny");
    expect(decide({ tool: "ExitPlanMode", mode })).toBe("allow");
  });
});

describe("rules for paths", () => {
  it.each([
    ["Edit(src/**)", "/work/app/src/a/b.ts", "allow"],
    ["Edit(src/)", "/work/app/src/a/b.ts", "allow"],
    ["Edit(src)", "/work/app/src/a", "ask"],
    ["Edit(src/*)", "/work/app/src/a/b.ts", "ask"],
    ["Edit(SRC/**)", "/work/app/src/a", "ask"],
    ["Edit(src/**)", "/work/app/src/../a", "ask"],
    ["Edit(src/**)", "/work/app/srcs/a", "ask"],
    ["Edit(src/**)", "/etc/src/a", "ask"],
    ["Edit(//etc/**)", "/etc/hosts", "allow"],
    ["Edit(~/notes/**)", "/home/me/notes/a", "allow"],
    ["Edit(~/notes/**)", "/home/you/notes/a", "ask"],
    ["Edit", "/etc/hosts", "allow"],
    ["Write(src/**)", "/work/app/src/a", "allow"],
    ["MultiEdit(src/**)", "/work/app/src/a", "ask"],
    ["edit(src/**)", "/work/app/src/a", "ask"],
    ["Edit(**)", "/work/app/.git/hooks/pre-commit", "ask"],
    ["Edit", "/work/app/.git/hooks/pre-commit", "ask"],
    ["Edit(.git/hooks/**)", "/work/app/.git/hooks/pre-commit", "allow"],
    ["Edit(.git/hooks/pre-commit)", "/work/app/.git/hooks/pre-commit", "allow"],
    ["Edit(cafe\u0301)", "/work/app/caf\u00e9", "ask"],
  ])("%s on %j where every change asks: %s", (rule, path, verdict) => {
    expect(writing(path, { mode: "ask", rules: { allow: [rule] } })).toBe(verdict);
  });

  it.each([
    ["Edit(secrets)", "/work/app/secrets/deep/key", "deny"],
    ["Edit(secrets/)", "/work/app/secrets/deep/key", "deny"],
    ["Edit(secrets/**)", "/work/app/SECRETS/key", "deny"],
    ["Edit(secrets/**)", "/work/app/se\u200bcrets/key", "deny"],
    ["Edit(cafe\u0301/**)", "/work/app/caf\u00e9/a", "deny"],
    ["Edit(secrets/**)", "/work/app/src/../secrets/key", "deny"],
    ["Edit(secrets/**)", "/work/app//secrets/./key", "deny"],
    ["Edit(secrets/**)", "/work/app/secrets", "deny"],
    ["Edit(secrets/**)", "/work/app/secrets/", "deny"],
    ["edit(secrets/**)", "/work/app/secrets/key", "deny"],
    ["Edit(**/*.pem)", "/work/app/a/b.PEM", "deny"],
    ["Edit(secrets/**)", "/work/app/secretsx/key", "allow"],
    ["Read(secrets/**)", "/work/app/secrets/key", "allow"],
    ["Edit(//work/**)", "/work/app/a", "deny"],
  ])("%s denied, writing %j: %s", (rule, path, verdict) => {
    expect(writing(path, { rules: { deny: [rule] } })).toBe(verdict);
  });

  it("hold for whoever reads or changes such a path, and through links", () => {
    const rules = { deny: ["Read(secrets/**)", "Edit(secrets/**)"] };
    const subject = read("/work/app/secrets/a");
    expect(decide({ tool: "Grep", subjects: [subject], rules })).toBe("deny");
    expect(decide({ tool: "mcp__files__get", subjects: [subject], rules })).toBe("deny");
    expect(decide({ tool: "NotebookEdit", subjects: [write("/work/app/secrets/a")], rules })).toBe("deny");
    const link = { ...read("/work/app/link"), realPath: "/work/app/secrets/a" };
    expect(decide({ tool: "Read", subjects: [link], rules })).toBe("deny");
    expect(decide({ tool: "mcp__files__get", subjects: [read("/etc/a")], rules: { allow: ["Read"] } })).toBe(
      "ask",
    );
  });
});

describe("rules for commands", () => {
  const allow = ["Bash(git status:*)", "Bash(npm test)", "Bash(npm run build && npm publish)"];

  it.each([
    "git status",
    "git status -sb",
    " git  status\t--short ",
    "g'i't \"status\"",
    "npm test",
    "git status && npm test",
    "git status; ls src",
    "git status 2>&1 | cat",
    "npm run build && npm publish",
  ])("allow %j", (command) => {
    expect(running(command, { allow })).toBe("allow");
  });

  it.each([
    "git statusx",
    "git",
    "git status; rm -rf /",
    "git status;rm -rf /",
    "git status && rm x",
    "git status || rm x",
    "git status | sh",
    "git status |& sh",
    "git status & rm x",
    "git status\nrm x",
    "git status\r\nrm x",
    "git status $(rm x)",
    'git status "$(rm x)"',
    "git status `rm x`",
    "git status <(rm x)",
    "git status > ~/.bashrc",
    "git status >> x",
    "git status < x",
    "git status <<E\n$(rm x)\nE",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's, not ours.
    "git status ${x:=$(rm x)}",
    "git status $((a[$(rm x)]))",
    "(git status)",
    "{ git status; rm x; }",
    "git() { rm x; }; git status",
    "function git { rm x; }; git status",
    "alias git=rm; git status",
    "PATH=. git status",
    "GIT_PAGER=evil git status",
    "env git status",
    "sudo git status",
    "/tmp/git status",
    "$GIT status",
    "git $X",
    "git 'status",
    "git status \\\nrm",
    "git status # x\nrm x",
    "GIT STATUS",
    "gіt status",
    "git\u00a0status",
    "\u00a0npm test",
    "git status\0",
    "git status\u001b[2K",
    "npm test -- x",
    "npm run build && npm publish && rm x",
    "",
    " ",
  ])("do not allow %j", (command) => {
    expect(running(command, { allow })).toBe("ask");
  });

  it.each([
    "rm x",
    "rm",
    " rm\t-rf x",
    "A=b rm x",
    "A=b C=d rm x",
    "A[0]+=b rm x",
    "ls; rm x",
    "ls && rm x",
    "ls|rm x",
    "ls & rm x",
    "ls\nrm x",
    "echo $(rm x)",
    'echo "a $(ls; rm x) b"',
    "echo `rm x`",
    "cat <(rm x)",
    "(cd a; rm x)",
    "if true; then rm x; fi",
    "for f in a; do rm $f; done",
    "! rm x",
    "{ rm x; }",
    "/bin/rm x",
    "../../bin/rm x",
    "r''m x",
    '"rm" x',
    "\\rm x",
    "rm\\\n x",
    "RM x",
    "sudo -u me rm x",
    "env A=b rm x",
    "nohup /usr/bin/rm x",
    "ls | xargs -n1 rm",
    "find . -exec rm {} \\;",
    "bash -c 'ls; rm x'",
    "sudo sh -c \"bash -c 'rm x'\"",
    "eval 'rm x'",
    "timeout 5 rm x",
    "rm x > y",
    "> y rm x",
    "2>/dev/null rm x",
    "f() { rm x; }; f",
    "echo a # b\nrm x",
  ])("deny %j", (command) => {
    expect(running(command, { deny: ["Bash(rm:*)"], allow: ["Bash"] })).toBe("deny");
    expect(running(command, { ask: ["Bash(rm:*)"], allow: ["Bash"] })).toBe("ask");
  });

  it.each(["ls rm", "rmdir x", "echo 'rm x'", "grep -r rm .", "git rm x", "rmx"])(
    "leave %j alone",
    (command) => {
      expect(running(command, { deny: ["Bash(rm:*)"], allow: ["Bash"] })).toBe("allow");
    },
  );

  it("deny exactly what they name, in any spelling", () => {
    const rules = { deny: ["Bash(npm publish)"], allow: ["Bash(npm:*)"] };
    expect(running("npm  'publish'", rules)).toBe("deny");
    expect(running("npm publish --dry-run", rules)).toBe("allow");
    expect(running("npm test; npm publish", rules)).toBe("deny");
  });

  it("take no time over commands that are made to take long", () => {
    const rules = { deny: ["Bash(rm:*)"], allow: ["Bash(ls:*)"] };
    for (const piece of ["$(", "`", "(", "'", '"', "sudo ", "sudo 'a;", "\\", "{a,", "a ", "<", "$"])
      expect(running(piece.repeat(20_000), rules)).not.toBe("allow");
  });
});

describe("rules for addresses and tools", () => {
  it.each([
    ["domain:example.org", "https://example.org/a?b", "allow"],
    ["domain:example.org", "http://EXAMPLE.org.:8080/", "allow"],
    ["domain:example.org", "https://www.example.org/", "ask"],
    ["domain:example.org", "https://example.org.evil.com/", "ask"],
    ["domain:example.org", "https://evilexample.org/", "ask"],
    ["domain:example.org", "https://example.org@evil.com/", "ask"],
    ["domain:example.org", "https://evil.com/#example.org", "ask"],
    ["domain:example.org", "https://evil.com\\@example.org/", "ask"],
    ["domain:example.org", "ftp://example.org/", "ask"],
    ["domain:example.org", "not a url", "ask"],
    ["domain:*.example.org", "https://a.b.example.org/", "allow"],
    ["domain:*.example.org", "https://example.org/", "ask"],
    ["domain:bücher.example", "https://xn--bcher-kva.example/", "allow"],
    ["domain:example.org", "https://ex\u00admple.org/", "ask"],
  ])("%s on %s: %s", (pattern, url, verdict) => {
    expect(fetching(url, { allow: [`WebFetch(${pattern})`] })).toBe(verdict);
  });

  it("stand for tools of one server", () => {
    const rules = { allow: ["mcp__files__*"], deny: ["mcp__files__remove"] };
    expect(decide({ tool: "mcp__files__write", rules })).toBe("allow");
    expect(decide({ tool: "mcp__files__remove", rules })).toBe("deny");
    expect(decide({ tool: "mcp__files2__write", rules })).toBe("ask");
    expect(decide({ tool: "mcp__other__write", rules })).toBe("ask");
    expect(decide({ tool: "mcp__FILES__Remove", rules })).toBe("deny");
  });
});
