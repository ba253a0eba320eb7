import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { systemShell } from "../../../../../core/src/runtime-shell.ts";
import { toCommandEnvironment } from "../command-environment.ts";
import { commandReads, isReadOnlyCommand } from "./command-reads.ts";
import { splitCommand } from "./split-command.ts";

describe("whether a command is known to change nothing", () => {
  it.each([
    ["nothing", ""],
    ["blanks", "  \t"],
    ["two lines", "ls\nrm a"],
    ["a line with a return", "ls\rrm a"],
    ["a line continued", "ls \\\n rm"],
    ["a NUL", "ls \0 rm"],
    ["a line break in quotes", "echo 'a\nb'"],
    ["an escape code", "ls \x1b[2J"],
    ["a vertical tab", "ls\vrm"],
    ["a space that is none", "ls\u00a0rm"],
    ["a line separator", "ls\u2028rm"],
    ["a look-alike", "ⅼs"],
    ["a name of Object.prototype", "constructor"],
    ["another one", "git constructor"],
    ["a very long one", `echo ${"a".repeat(20_000)}`],
  ])("does not know %s", (_, command) => {
    expect(isReadOnlyCommand(command)).toBe(false);
  });

  it("knows no line in which something is redirected, substituted or sent to the background", () => {
    const word = fc.constantFrom("ls", "-l", "a.txt", "'q q'", '"d d"', "|", "&&", ";", "git", "log");
    const trick = fc.constantFrom(
      ">",
      "<",
      "$(x)",
      "`x`",
      "$x",
      "&",
      "\n",
      "(",
      ")",
      "{a,b}",
      ">>",
      "2>&1",
      "#",
    );
    fc.assert(
      fc.property(fc.array(word), trick, fc.array(word), (before, middle, after) => {
        expect(isReadOnlyCommand([...before, middle, ...after].join(" "))).toBe(false);
      }),
    );
  });

  it("never fails, whatever it is given", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (command) => {
        expect(typeof isReadOnlyCommand(command)).toBe("boolean");
      }),
    );
  });
});

/** Plain paths as text, patterns as `pattern …`, and ` …` behind what is read with everything below. */
function readsOf(command: string): readonly string[] | undefined {
  return commandReads(command)?.map(
    ({ path, isPattern, isRecursive }) => `${isPattern ? "pattern " : ""}${path}${isRecursive ? " …" : ""}`,
  );
}

describe("what a command reads", () => {
  it("is told with its path, whether names grow in it, and whether it goes down", () => {
    expect(commandReads("cat a.ts; ls -R src/*")).toEqual([
      { path: "a.ts", isPattern: false, isRecursive: false },
      { path: "src/*", isPattern: true, isRecursive: true },
    ]);
  });

  it.each<[command: string, reads: readonly string[] | undefined]>([
    ["pwd", []],
    ["echo /etc/passwd", []],
    ["printf %s /etc/passwd", []],
    ["seq 3", []],
    ["echo secret/*", ["pattern secret/*"]],
    ["ls", ["."]],
    ["ls -a", ["."]],
    ["cat -n a b -", ["a", "b"]],
    ["cat -- -n", ["-n"]],
    ["cat ~/a '~/b' x'~'", ["~/a", "./~/b", "x~"]],
    ["head -n 5 a", ["a"]],
    ["head a -n 5 b", ["a", "b"]],
    ["grep foo a b", ["a", "b"]],
    ["grep -e foo a", ["a"]],
    ["grep a -e foo", ["a", "foo"]],
    ["grep -f words a", ["a", "words"]],
    ["grep -fwords a", ["a", "words"]],
    ["grep --file=words a", ["a", "words"]],
    ["grep --exclude-fr words foo a", ["a", "words"]],
    ["grep -r foo", [". …"]],
    ["grep -rn foo src", ["src …"]],
    ["grep --recurs foo src", ["src …"]],
    ["grep --dereference-recursive foo src", ["src …"]],
    ["grep -d recurse foo src", ["src …"]],
    ["grep foo *", ["foo …", "pattern * …"]],
    ["grep foo -- *", ["pattern *"]],
    ["rg foo", [". …"]],
    ["rg --files secret", ["secret …"]],
    ["rg -e foo secret", ["secret …"]],
    ["rg -f words foo", ["foo …", "words …"]],
    ["find", [". …"]],
    ["find src test -name a", ["src …", "test …"]],
    ["find \\( -name a \\)", [". …"]],
    ["find . -newer a", [". …", "a …"]],
    ["tree", [". …"]],
    ["du -sh src", ["src …"]],
    ["diff a b", ["a", "b"]],
    ["diff -r a b", ["a …", "b …"]],
    ["diff --from-file=a b", ["b", "a"]],
    ["sort -k 2 a", ["a"]],
    ["date -r a", ["a"]],
    ["jq .a x.json", ["x.json"]],
    ["jq --rawfile a b . x.json", ["x.json", "b"]],
    ["test -f a", ["a"]],
    ["sed -n 1p a b", ["a", "b"]],
    ["realpath --relative-to=a b", ["b", "a"]],
    ["cd src && cat a", ["src/a"]],
    ["cd src && cat /a ~/b", ["/a", "~/b"]],
    ["cd src && cd ../test && ls", ["test/."]],
    ["cd src; cat a", ["src/a", "a"]],
    ["cd src || cat a", ["src/a", "a"]],
    ["true || cd src && cat a", ["src/a", "a"]],
    ["cd ~ && cat a", ["~/a"]],
    ["cd && cat a", ["~/a"]],
    ["cd / && cat a", ["/a"]],
    ["git status", [". …"]],
    ["git log main", [". …", "main …"]],
    ["git log -p -- src", ["src …"]],
    ["git diff HEAD~1 -- '*.ts'", [". …"]],
    ["git diff HEAD~1 -- 'src/*.ts' src/a?/b", ["src/ …"]],
    ["git log -p --full-diff -- src", [". …", "src …"]],
    ["git log -p --follow -- src/a", [". …", "src/a …"]],
    ["git status -v -- src", [". …", "src …"]],
    ["git status -- src", ["src …"]],
    ["git grep -f words -- src", ["words …", "src …"]],
    ["git blame --ignore-revs-file=revs HEAD -- src/a", ["revs …", "src/a …"]],
    ["git ls-files -o --exclude-per-directory=../x/secret", [". …", "../x/secret …"]],
    ["git diff a:b -- src", [". …", "a:b …", "b …", "src …"]],
    ["git diff 1234abcd -- src", [". …", "1234abcd …", "src …"]],
    ["git show HEAD:secret/a", [". …", "HEAD:secret/a …", "secret/a …"]],
    ["git show HEAD -- src", [". …", "HEAD …", "src …"]],
    ["git log -- ':!src'", [". …", ":!src …"]],
    ["git grep foo -- src", ["src …"]],
    ["git branch", []],
    ["cat a > b", undefined],
    ["cat a; rm b", undefined],
  ])("is told of: %s", (command, reads) => {
    expect(readsOf(command)).toEqual(reads);
  });
});

describe("the words of a command", () => {
  it("are those the shell hands over", () => {
    const split = splitCommand(`grep "a\\"b\\.c" 'x y'z \\* *.ts | wc`);
    expect(split).toEqual([
      {
        words: [
          { text: "grep", isPattern: false, fixedChars: 4 },
          { text: 'a"b\\.c', isPattern: false, fixedChars: 6 },
          { text: "x yz", isPattern: false, fixedChars: 4 },
          { text: "*", isPattern: false, fixedChars: 1 },
          { text: "*.ts", isPattern: true, fixedChars: 0 },
        ],
      },
      { words: [{ text: "wc", isPattern: false, fixedChars: 2 }], after: "|" },
    ]);
  });

  it("say from where on they grow", () => {
    const [command] = splitCommand("~ ~/a '~'/b a~ --x='*'?c") ?? [];
    expect(command?.words).toEqual([
      { text: "~", isPattern: false, fixedChars: 0 },
      { text: "~/a", isPattern: false, fixedChars: 0 },
      { text: "~/b", isPattern: false, fixedChars: 3 },
      { text: "a~", isPattern: false, fixedChars: 2 },
      { text: "--x=*?c", isPattern: true, fixedChars: 5 },
    ]);
  });
});

/** Runs a script by bash in a folder and gives what it prints. */
async function bash(script: string, cwd: string): Promise<string> {
  let text = "";
  const run = systemShell.start("bash", ["-c", script], {
    cwd,
    environment: { ...toCommandEnvironment(process.env), HOME: cwd },
    onOutput: (bytes, stream) => {
      if (stream === "stdout") text += Buffer.from(bytes).toString();
    },
  });
  await run.ended;
  return text;
}

describe("against the real shell", () => {
  it("reads words as bash does", async () => {
    const piece = fc.constantFrom(..."ab -'\"\\$`*?[]{}~=:/.!^%,", "\\'", '\\"', "'x'", '"y"', " ");
    const line = fc.array(piece, { maxLength: 14 }).map((pieces) => `w${pieces.join("")}`);
    const known = fc
      .sample(line, 3_000)
      .flatMap((text) => {
        const [command, ...more] = splitCommand(text) ?? [];
        return command && more.length === 0 ? [{ text, words: command.words.map((word) => word.text) }] : [];
      })
      .filter(({ text }) => !text.includes("~"));
    const shown = await bash(
      `set -f; p() { printf '%s\\0' "$@"; printf '\\n\\0'; }\n${known.map(({ text }) => `p ${text}`).join("\n")}`,
      "/",
    );
    const heard = shown.split("\n\0").slice(0, -1);
    expect(known.length).toBeGreaterThan(100);
    expect(heard.map((words) => words.split("\0").slice(0, -1))).toEqual(known.map(({ words }) => words));
  });
});
