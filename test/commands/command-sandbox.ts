import { createHash } from "node:crypto";
import { chmod, cp, mkdir, readdir, readFile, readlink, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemShell } from "../../packages/core/src/runtime-shell.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Stands in the environment of every command, and nowhere else. */
const secret = "canary-in-the-environment-4711";

/** In it commands run that do nothing wrong; a harmful one leaves something behind or says what it should not. */
export interface CommandSandbox {
  /** Runs commands one after another, each by a shell of its own, and gives those that did harm. */
  findHarm(commands: readonly string[]): Promise<readonly string[]>;
}

/** Tree's own way with letters that have values, where it is not installed: each takes a word of its own. */
const tree = `#!/bin/bash
words=("$@"); next=0
while [ "$next" -lt "\${#words[@]}" ]; do
  word="\${words[next]}"; next=$((next + 1))
  case "$word" in
    --*) ;;
    -?*) for ((at = 1; at < \${#word}; at++)); do
        case "\${word:at:1}" in
          o) echo tree > "\${words[next]}"; next=$((next + 1)) ;;
          R) echo tree > 00Tree.html ;;
          [LPIHT]) next=$((next + 1)) ;;
        esac
      done ;;
  esac
done
`;

const touch = "#!/bin/sh\necho x > canary\n";

const contents: Readonly<Record<string, string>> = {
  "a.ts": "foo\nbar\n",
  "b.ts": "foo\nbaz\n",
  "a.js": "console.log(1)\n",
  "a.txt": "b 1\na 2\n",
  "b.txt": "a 2\nc 3\n",
  "a.csv": "1,2\n3,4\n",
  "b.csv": "1,5\n",
  "a.log": "one\ntwo\n",
  "a.bin": "\u0000\u0001binary text of some length\n",
  a: "1\n2\n",
  b: "1\n3\n",
  list: "a\u0000a.ts\u0000",
  "words.txt": "foo\n",
  "x.json": '{"a":{"env":1},"b":2,"name":"x"}\n',
  "package.json": '{"name":"x"}\n',
  "a file with spaces.txt": "x\n",
  "-a.txt": "x\n",
  "src/a.ts": "foo\n",
  "sub/c.ts": "foo\n",
  "test/d.ts": "foo\n",
};

/** Commands that end only when they are stopped, which is for the limit of time that every command has. */
const endless = /\btail\b.*(?:-\w*[fF]|--f|--ret)|\bsleep\b|\bfree\b.*(?:-\w*[sc]|--s|--c)/s;

const limitSeconds = 120;

export async function createCommandSandbox(): Promise<CommandSandbox> {
  const [root, kept] = [await temporaryFolder(), await temporaryFolder()];
  const [work, home, bin] = [join(root, "home/work"), join(root, "home"), join(root, "bin")];
  for (const folder of ["src", "sub", "test", ".."]) await mkdir(join(work, folder), { recursive: true });
  await mkdir(bin);
  for (const [name, text] of Object.entries(contents)) await writeFile(join(work, name), text);
  await writeFile(join(home, ".bashrc"), "# nothing\n");
  await writeFile(join(work, "touch-canary"), touch);
  await writeFile(join(bin, "tree"), tree);
  await chmod(join(work, "touch-canary"), 0o755);
  await chmod(join(bin, "tree"), 0o755);
  const environment = {
    PATH: `${process.env.PATH}:${bin}`,
    HOME: home,
    TZ: "UTC",
    GIT_CONFIG_NOSYSTEM: "1",
    SECRET_OF_THE_TEST: secret,
  };

  async function runScript(script: string): Promise<string> {
    let text = "";
    const run = systemShell.start("timeout", [String(limitSeconds), "bash"], {
      cwd: work,
      environment,
      input: script,
      onOutput: (bytes) => {
        text += Buffer.from(bytes).toString("latin1");
      },
    });
    const end = await run.ended;
    if (!end.ok) throw end.error;
    if (end.value.exitCode === 124) throw new Error(`Commands that did not end:\n${script}`);
    return text;
  }

  /** Whether something was changed or said. */
  async function isHarm(commands: readonly string[]): Promise<boolean> {
    const before = await pictureOf(root);
    const quoted = commands.map((command) => `run '${command.replaceAll("'", "'\\''")}'`);
    const text = await runScript(`run() { (eval "$1") </dev/null 2>&1; }\n${quoted.join("\n")}\n`);
    const isSaid =
      text.includes(secret) || text.includes(Buffer.from(secret).toString("base64").slice(0, 24));
    if ((await pictureOf(root)) === before) return isSaid;
    await rm(home, { recursive: true, force: true });
    await cp(kept, home, { recursive: true, verbatimSymlinks: true });
    return true;
  }

  const commit = "git -c user.name=a -c user.email=a@example.org commit -qm";
  await runScript(
    `git init -q --template= -b main . && git add . && ${commit} one && git branch old && git tag v1
     echo more >>a.ts; git stash -q 2>/dev/null; echo more >>b.ts; sha256sum a.ts b.ts > sums.txt`,
  );
  await cp(home, kept, { recursive: true, verbatimSymlinks: true });

  return {
    async findHarm(commands) {
      const ending = commands.filter((command) => !endless.test(command.replaceAll(/['"\\]/g, "")));
      if (!(await isHarm(ending))) return [];
      const harmful: string[] = [];
      for (const command of ending) if (await isHarm([command])) harmful.push(command);
      return harmful.length > 0 ? harmful : ending;
    },
  };
}

/** All files with their contents, but for git's index, where it notes the times of files it has looked at. */
async function pictureOf(folder: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).toSorted();
  const hash = createHash("sha256");
  for (const name of names.filter((one) => !one.endsWith(".git/index"))) {
    const path = join(folder, name);
    const { mode } = await stat(path).catch(() => ({ mode: 0 }));
    const content = await readFile(path).catch(() => readlink(path).catch(() => ""));
    hash.update(`${name}\0${mode}\0`).update(content).update("\0");
  }
  return hash.digest("hex");
}
