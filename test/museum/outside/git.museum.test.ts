import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { openAgent } from "palimpsest";
import { anthropic } from "palimpsest/models/anthropic";
import { callTool, createEmulator, say } from "palimpsest/testing";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "./subject.ts";

interface UnpackedRepository {
  readonly name: string;
  readonly config: string;
  readonly isMissing?: boolean;
}

const fixture = new URL("../fixtures/49-repositories.json", import.meta.url);
const repositories: readonly UnpackedRepository[] = JSON.parse(readFileSync(fixture, "utf8"));

const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];

/** A repository as somebody packed it, and where its program leaves a trace. */
function unpack(folder: string, { config, isMissing = false }: UnpackedRepository) {
  const [cwd, trace, payload] = [join(folder, "work"), join(folder, "trace"), join(folder, "payload")];
  mkdirSync(join(cwd, "docs"), { recursive: true });
  const git = (...args: readonly string[]) =>
    execFileSync("git", [...identity, ...args], { cwd, encoding: "utf8", stdio: "pipe" }).trim();
  const write = (path: string, text: string) => writeFileSync(join(cwd, path), text);
  git("init", "-q");
  write("a.txt", "one\n");
  write("docs/b.txt", "b\n");
  write(".gitattributes", "a.txt filter=images.large diff=images.large\n");
  git("add", ".");
  git("commit", "-q", "-m", "one");
  write(
    "commit",
    git("cat-file", "-p", "HEAD").replace(
      "\n\n",
      "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n\n",
    ),
  );
  git("reset", "-q", "--soft", git("hash-object", "-t", "commit", "-w", "commit"));
  rmSync(join(cwd, "commit"));
  if (isMissing) {
    git("sparse-checkout", "init", "--cone", "--sparse-index");
    git("sparse-checkout", "set");
    const tree = git("rev-parse", "HEAD:docs");
    rmSync(join(cwd, ".git/objects", tree.slice(0, 2), tree.slice(2)));
  }
  write("a.txt", "two\n");
  writeFileSync(payload, `#!/bin/sh\n: > '${trace}'\n`, { mode: 0o755 });
  appendFileSync(join(cwd, ".git/config"), config.replaceAll("PAYLOAD", payload));
  return { cwd, hasRun: () => existsSync(trace) };
}

it.each(repositories)(
  "49: a repository with $name is opened and looked at, and nothing of it runs",
  async (one) => {
    const folder = realpathSync(await temporaryFolder());
    const { cwd, hasRun } = unpack(folder, one);
    const looks = callTool("Bash", { command: "git status ; git diff ; git log -p ; git ls-files" });
    const worktree = callTool("Agent", { description: "Look", prompt: "Look.", isolation: "worktree" });
    const emulator = await createEmulator({
      script: ({ whole }) => {
        const texts = JSON.stringify(whole?.messages);
        if (!texts.includes("Do it.")) return say("Seen.");
        if (!texts.includes("toolu_") && !texts.includes("tool_result")) return looks;
        return texts.split('"tool_result"').length === 2 ? worktree : say("Done.");
      },
    });
    onTestFinished(() => emulator.close());
    const session = await openAgent({
      cwd,
      home: join(folder, "home"),
      model: anthropic("claude-opus-4-5", { baseURL: emulator.url, apiKey: "any" }),
      settings: { flags: { "memory-extraction": false } },
    });
    const tools: string[] = [];
    let reason = "never";
    for await (const event of session.run("Do it.")) {
      if (event.type === "tool-end") tools.push(event.tool);
      if (event.type === "run-end") reason = event.reason;
    }
    await session.close();
    expect({ hasRun: hasRun(), tools, reason }).toEqual({
      hasRun: false,
      tools: ["Bash", "Agent"],
      reason: "done",
    });
  },
);
