import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { decidePermission } from "./decide-permission.ts";

function behaviorOf(value: string, deny: readonly string[]) {
  return decidePermission({
    tool: "Bash",
    subjects: [{ kind: "command", value, access: "execute" }],
    mode: "bypass",
    rules: { deny },
    workspace: ["/work/app"],
    homeFolder: "/home/me",
    isReadOnlyCommand: () => false,
  }).behavior;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const escaped = (text: string) =>
  `$'${[...text].map((one) => `\\x${(one.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}`).join("")}'`;
const isAscii = (text: string) => /^[\x20-\x7e\n]*$/.test(text);

/** Each lets a shell run the command that it is given. */
const wrappings: readonly ((command: string) => string)[] = [
  (command) => `sh -c ${quoted(command)}`,
  (command) => `bash -lc ${quoted(command)}`,
  (command) => `eval ${quoted(command)}`,
  (command) => (isAscii(command) ? `eval ${escaped(command)}` : `eval ${quoted(command)}`),
  (command) => `trap ${quoted(command)} EXIT`,
  (command) => `sudo -u me sh -c ${quoted(command)}`,
  (command) => `timeout -k 1 5 bash -c ${quoted(command)}`,
  (command) => `env -S ${quoted(`sh -c ${quoted(command)}`)}`,
  (command) => `f() {\n${command}\n}\nf`,
  (command) => `(\n${command}\n)`,
  (command) => `{\n${command}\n}`,
  (command) => `if true; then\n${command}\nfi`,
  (command) => `for i in 1 2; do\n${command}\ndone`,
  (command) => `while :; do\n${command}\ndone`,
  (command) => `case x in\n(x)\n${command}\n;;\nesac`,
  (command) => `echo "$(\n${command}\n)"`,
  (command) => `cat <(\n${command}\n)`,
  (command) => `echo hi # it's\n${command}`,
  (command) => `true && ! false\n${command}\necho done`,
  (command) => `sh <<'END${command.length}'\n${command}\nEND${command.length}`,
  (command) => `cat <<'END${command.length}' | sh\n${command}\nEND${command.length}`,
  (command) => `sh <<< ${quoted(command)}`,
  (command) => `printf %s ${quoted(command)} | sh`,
  (command) => `. <(printf %s ${quoted(command)})`,
  (command) => `c=${quoted(command)}; eval "$c"`,
  (command) => `ssh -p 22 host ${quoted(command)}`,
  (command) => `find . -exec sh -c ${quoted(command)} \\;`,
  (command) => `xargs -I{} bash -c ${quoted(command)}`,
  (command) => `git submodule foreach ${quoted(command)}`,
];
const denied = fc.constantFrom<string>(
  "git push",
  "git -C x push",
  "/usr/bin/git push --force",
  "{git,push}",
  "g=git; $g push",
  "git \\\n push",
  "gi\\\nt push",
  "$'\\x67it' push",
  "nohup git push &",
);

describe("a command that a rule denies", () => {
  it("is denied in whatever it is wrapped, four deep", () => {
    const wrapped = fc
      .tuple(denied, fc.array(fc.constantFrom(...wrappings), { maxLength: 4 }))
      .map(([command, all]) => all.reduce<string>((text, wrap) => wrap(text), command));
    fc.assert(
      fc.property(wrapped, (command) => {
        expect(behaviorOf(command, ["Bash(git push:*)"])).toBe("deny");
      }),
      { numRuns: 1000 },
    );
  });

  it("is denied whenever a real shell runs it", async () => {
    const folder = await temporaryFolder();
    const [programs, marker] = [join(folder, "bin"), join(folder, "ran")];
    mkdirSync(programs);
    writeFileSync(join(programs, "good"), "#!/bin/sh\nexit 0\n");
    writeFileSync(join(programs, "evil"), `#!/bin/sh\n: > '${marker}'\n`);
    for (const name of ["good", "evil"]) chmodSync(join(programs, name), 0o755);
    const piece = fc.constantFrom(
      ..."evil|evil|evil|good|x|;|&&|\n|\n|\n|$(|)|(|`|'|'|\"|\"|\\|\\\n|#|<<E\n|<<'E'\n|<<-E\n|\tE\n|E\n|E|<<<|<|>out|{|}|{ |; }|f(){|;;|case x in|esac|if|then|fi|do|done|for x in evil|$x|ev|il|$'|\\x65|$\"|,|[|]|[[|]]|((|))|eval|sh -c|| sh|echo evil|!|=|x=|x=evil|${x|${x:-|time|command|exec|coproc|trap|EXIT|&|xargs|cat|~|*|?|2>&1|<(|@("
        .split(/(?<!\|)\|(?!\|)/)
        .concat("|", "| sh", "||"),
    );
    const command = fc
      .array(fc.tuple(piece, fc.constantFrom("", " ", " ")), { minLength: 1, maxLength: 9 })
      .map((pieces) => pieces.flat().join(""));
    let ran = 0;
    fc.assert(
      fc.property(command, (text) => {
        if (!text.includes("il") && !text.includes("ev")) return;
        if (behaviorOf(text, ["Bash(evil:*)"]) === "deny") {
          ran += 1;
          return;
        }
        try {
          execFileSync("bash", ["--norc", "--noprofile", "-c", text], {
            cwd: folder,
            env: { PATH: `${programs}:/usr/bin:/bin` },
            stdio: "ignore",
            timeout: 5_000,
          });
        } catch {}
        const hasRun = existsSync(marker);
        rmSync(marker, { force: true });
        expect(hasRun, JSON.stringify(text)).toBe(false);
      }),
      { numRuns: 500 },
    );
    expect(ran).toBeGreaterThan(50);
  });
});
