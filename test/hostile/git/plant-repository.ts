import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { HostileRepository } from "./hostile-repositories.ts";

type Shape = NonNullable<HostileRepository["shape"]>;

/** A copy of a repository that waits for somebody to look at it. */
export interface PlantedRepository {
  /** Where somebody works. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether a program that the repository names has run. */
  hasRun(): boolean;
}

/** Makes repositories below a folder: of each shape one, and copies of it. */
export function createRepositories(root: string) {
  const home = join(root, "home");
  mkdirSync(home, { recursive: true });
  const environment = { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (cwd: string, ...args: readonly string[]) =>
    execFileSync(
      "git",
      ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always", ...args],
      {
        cwd,
        env: environment,
        encoding: "utf8",
        stdio: "pipe",
      },
    );
  const shapes = new Map<Shape, string>();

  function templateOf(shape: Shape): string {
    const known = shapes.get(shape);
    if (known !== undefined) return known;
    const folder = join(root, `template-${shape}`);
    makeShape(git, folder, shape);
    shapes.set(shape, folder);
    return folder;
  }

  return {
    environment,
    /** The payload of each copy has a canary of its own. */
    plant(
      { shape = "whole", config = "", files = {}, script, environment: more = {} }: HostileRepository,
      name: string,
    ): PlantedRepository {
      const folder = join(root, name);
      const work = join(folder, "work");
      cpSync(templateOf(shape), work, { recursive: true, preserveTimestamps: true });
      const [payload, canary] = [join(folder, "payload"), join(folder, "canary")];
      writeFileSync(payload, `#!/bin/sh\n: > '${canary}'\n`, { mode: 0o755 });
      const gitFolder =
        shape === "bare" ? join(work, "inside") : join(work, shape === "elsewhere" ? "store" : ".git");
      const fill = (text: string) =>
        text.replaceAll("PAYLOAD", payload).replaceAll("GIT/", `${gitFolder}/`).replaceAll("WORK", work);
      appendFileSync(join(gitFolder, "config"), fill(config));
      for (const [path, text] of Object.entries(files)) {
        const file = path.startsWith("GIT/") ? join(gitFolder, path.slice(4)) : join(work, path);
        mkdirSync(dirname(file), { recursive: true });
        if (file.endsWith(".more")) appendFileSync(file.slice(0, -5), fill(text));
        else writeFileSync(file, fill(text));
        if (text.startsWith("#!")) chmodSync(file, 0o755);
      }
      if (script !== undefined)
        execFileSync("sh", ["-ec", fill(script)], { cwd: work, env: environment, stdio: "pipe" });
      for (const touched of ["a.txt", "sub/s.txt"])
        if (existsSync(join(work, touched))) utimesSync(join(work, touched), 1, 1);
      const added = Object.fromEntries(Object.entries(more).map(([key, value]) => [key, fill(value)]));
      const { PATH } = environment;
      return {
        cwd: shape === "bare" ? join(work, "inside") : work,
        environment: {
          ...environment,
          ...added,
          PATH: added.PATH === undefined ? PATH : `${added.PATH}:${PATH}`,
        },
        hasRun: () => existsSync(canary),
      };
    },
  };
}

type Run = (cwd: string, ...args: readonly string[]) => string;

function makeShape(git: Run, folder: string, shape: Shape): void {
  mkdirSync(join(folder, "d/e"), { recursive: true });
  git(folder, "init", "-q", "-b", "main");
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  write("a.txt", "hi\n");
  write("c.txt", "same\n");
  write("b.bin", "a\0b");
  write("d/b.txt", "b\n");
  write("d/e/c.txt", "c\n");
  write(".gitattributes", "c.txt filter=committed diff=committed\n");
  git(folder, "add", ".");
  git(folder, "commit", "-q", "-m", "one");
  for (const [path, text] of [
    ["a.txt", "ho\n"],
    ["c.txt", "other\n"],
  ] as const)
    write(path, text);
  git(folder, "commit", "-q", "-a", "-m", "two");
  sign(git, folder);
  if (shape === "submodules" || shape === "former-submodule") addSubmodule(git, folder);
  if (shape === "former-submodule") {
    git(folder, "rm", "-q", "--cached", "sub", ".gitmodules");
    git(folder, "commit", "-q", "-m", "four");
  }
  if (shape === "sparse") loseTree(git, folder);
  if (shape === "elsewhere") {
    renameSync(join(folder, ".git"), join(folder, "store"));
    write(".git", "gitdir: store\n");
  }
  if (shape === "bare") {
    renameSync(join(folder, ".git"), join(folder, "inside"));
    write("inside/config", readFileSync(join(folder, "inside/config"), "utf8").replace("bare = false", ""));
  }
  if (shape !== "sparse") {
    write("a.txt", "ha\n");
    write("c.txt", "third\n");
  }
}

/** The newest commit has a signature that somebody could check. */
function sign(git: Run, folder: string): void {
  const text = git(folder, "cat-file", "-p", "HEAD");
  const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n\n";
  const file = join(folder, "commit");
  writeFileSync(file, text.replace("\n\n", `\n${signature}`));
  git(folder, "reset", "-q", "--soft", git(folder, "hash-object", "-t", "commit", "-w", "commit").trim());
  rmSync(file);
}

function addSubmodule(git: Run, folder: string): void {
  const other = `${folder}-sub`;
  mkdirSync(other);
  git(other, "init", "-q", "-b", "main");
  writeFileSync(join(other, "s.txt"), "s\n");
  git(other, "add", ".");
  git(other, "commit", "-q", "-m", "one");
  git(folder, "submodule", "--quiet", "add", other, "sub");
  git(folder, "commit", "-q", "-m", "three");
  writeFileSync(join(folder, "sub/s.txt"), "t\n");
}

/** Its index stands for a folder by a tree that is not there: whoever lists files asks for it. */
function loseTree(git: Run, folder: string): void {
  git(folder, "sparse-checkout", "init", "--cone", "--sparse-index");
  git(folder, "sparse-checkout", "set");
  const tree = git(folder, "rev-parse", "HEAD:d").trim();
  rmSync(join(folder, ".git/objects", tree.slice(0, 2), tree.slice(2)));
}
