import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { systemShell } from "../../../../core/src/runtime-shell.ts";
import { createNodeDisk } from "../../../../core/src/stores/files/index.ts";
import { createVirtualClock } from "../../../../testing/src/virtual-clock.ts";
import { createWorktrees } from "../../loop/agents/worktree.ts";
import { createAutoAllowedEnvironment } from "./auto-allowed-environment.ts";
import { isReadOnlyCommand } from "./read-only/command-reads.ts";

const secret = "OUTSIDE-SECRET";

/** Every one of them is run without being asked, in this order. */
const looks = [
  "git diff",
  "git diff HEAD",
  "git grep OUTSIDE",
  "git blame secret.txt",
  "git log -p --all",
  "git show HEAD:secret.txt",
  "git show stolen",
  "git config --list",
  "git ls-files",
  "git reflog",
  "git status -v",
  "git shortlog HEAD",
  "git check-ignore -v --no-index a.txt",
].join(" ; ");

async function openWorkspace() {
  const root = realpathSync(await temporaryFolder());
  const [work, outside] = [join(root, "work"), join(root, "outside")];
  const environment = { PATH: process.env.PATH ?? "", HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (cwd: string, ...args: readonly string[]) =>
    execFileSync(
      "git",
      ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always", ...args],
      { cwd, env: environment, encoding: "utf8", stdio: "pipe" },
    ).trim();
  const found = (folder: string, text: string) => {
    mkdirSync(folder);
    git(folder, "init", "-q", "-b", "main");
    writeFileSync(join(folder, "secret.txt"), text);
    writeFileSync(join(folder, "a.txt"), "a\n");
    git(folder, "add", ".");
    git(folder, "commit", "-q", "-m", text.trim());
  };
  found(work, "inside\n");
  found(outside, `${secret}\n`);
  writeFileSync(join(outside, "cred"), `[user]\n\ttoken = ${secret}\n`);
  const clock = createVirtualClock();
  return {
    root,
    work,
    outside,
    git,
    clock,
    environment,
    look: async (folder: string, folders: { cwd?: string; workspace?: readonly string[] } = {}) => {
      const { cwd = folder, workspace = [] } = folders;
      const environmentFor = createAutoAllowedEnvironment({
        shell: systemShell,
        disk: createNodeDisk(),
        environment,
        workspace,
      });
      const given = await environmentFor(looks, { folder, cwd, clock });
      if (!given.ok) return { refusal: given.error.message };
      const { stdout, stderr } = spawnSync("sh", ["-c", looks], {
        cwd: folder,
        env: given.value,
        encoding: "utf8",
      });
      return { shown: stdout + stderr };
    },
    lookPlainly: (folder: string) =>
      spawnSync("sh", ["-c", looks], { cwd: folder, env: environment, encoding: "utf8" }),
  };
}

type Workspace = Awaited<ReturnType<typeof openWorkspace>>;

const replaceGitFolder = ({ work }: Workspace) => rmSync(join(work, ".git"), { recursive: true });
const configure = ({ work }: Workspace, text: string) => appendFileSync(join(work, ".git/config"), text);

/** A name for a commit of the other repository, which has to find its objects somewhere. */
function nameStolen({ work, outside, git }: Workspace) {
  writeFileSync(join(work, ".git/refs/heads/stolen"), `${git(outside, "rev-parse", "HEAD")}\n`);
}

const attacks: Readonly<Record<string, (workspace: Workspace) => void>> = {
  "a working tree elsewhere": (one) => configure(one, `[core]\n\tworktree = ${one.outside}\n`),
  "a working tree elsewhere, by the settings of a worktree": (one) => {
    configure(one, "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n");
    writeFileSync(join(one.work, ".git/config.worktree"), "[core]\n\tworktree = ../../outside\n");
  },
  "a file that names another git folder": (one) => {
    replaceGitFolder(one);
    writeFileSync(join(one.work, ".git"), `gitdir: ${one.outside}/.git\n`);
  },
  "a link to another git folder": (one) => {
    replaceGitFolder(one);
    symlinkSync(join(one.outside, ".git"), join(one.work, ".git"));
  },
  "a link to the file of another's worktree": (one) => {
    one.git(one.outside, "worktree", "add", "-q", "../tree");
    replaceGitFolder(one);
    symlinkSync(join(one.root, "tree/.git"), join(one.work, ".git"));
  },
  "a file that names the git folder of another's worktree": (one) => {
    one.git(one.outside, "worktree", "add", "-q", "../tree");
    replaceGitFolder(one);
    writeFileSync(join(one.work, ".git"), `gitdir: ${one.outside}/.git/worktrees/tree\n`);
  },
  "a forged worktree of another repository": (one) => {
    renameSync(join(one.work, ".git"), join(one.work, "forged"));
    writeFileSync(join(one.work, ".git"), "gitdir: forged\n");
    writeFileSync(join(one.work, "forged/gitdir"), `${one.work}/.git\n`);
    writeFileSync(join(one.work, "forged/commondir"), `${one.outside}/.git\n`);
  },
  "a shared folder elsewhere": (one) =>
    writeFileSync(join(one.work, ".git/commondir"), `${one.outside}/.git\n`),
  "borrowed objects": (one) => {
    nameStolen(one);
    writeFileSync(join(one.work, ".git/objects/info/alternates"), `${one.outside}/.git/objects\n`);
  },
  "borrowed objects, by a path in quotes": (one) => {
    nameStolen(one);
    writeFileSync(join(one.work, ".git/objects/info/alternates"), `"${one.outside}/.git/objects"\n`);
  },
  "objects borrowed in two steps": (one) => {
    nameStolen(one);
    mkdirSync(join(one.work, "step/info"), { recursive: true });
    writeFileSync(join(one.work, ".git/objects/info/alternates"), "../../step\n");
    writeFileSync(join(one.work, "step/info/alternates"), `${one.outside}/.git/objects\n`);
  },
  "a link in the place of the objects": (one) => {
    nameStolen(one);
    rmSync(join(one.work, ".git/objects"), { recursive: true });
    symlinkSync(join(one.outside, ".git/objects"), join(one.work, ".git/objects"));
  },
  "a link behind a link in the place of packed objects": (one) => {
    nameStolen(one);
    one.git(one.outside, "gc", "-q");
    rmSync(join(one.work, ".git/objects/pack"), { recursive: true, force: true });
    mkdirSync(join(one.work, "packs"));
    cpSync(join(one.outside, ".git/objects/pack"), join(one.root, "packs"), { recursive: true });
    symlinkSync("../../packs", join(one.work, ".git/objects/pack"));
    for (const name of execFileSync("ls", [join(one.root, "packs")], { encoding: "utf8" })
      .trim()
      .split("\n"))
      symlinkSync(join(one.root, "packs", name), join(one.work, "packs", name));
  },
  "a link in the place of a log": (one) => {
    rmSync(join(one.work, ".git/logs/HEAD"));
    symlinkSync(join(one.outside, ".git/logs/HEAD"), join(one.work, ".git/logs/HEAD"));
  },
  "a link in the place of the configuration": (one) => {
    rmSync(join(one.work, ".git/config"));
    symlinkSync(join(one.outside, "cred"), join(one.work, ".git/config"));
  },
  "included settings": (one) => configure(one, `[include]\n\tpath = ${one.outside}/cred\n`),
  "settings included from home": (one) => configure(one, "[include]\n\tpath = ~/outside/cred\n"),
  "settings included on a condition": (one) =>
    configure(one, `[includeIf "onbranch:main"]\n\tpath = ${one.outside}/cred\n`),
  "settings included in two steps": (one) => {
    configure(one, "[include]\n\tpath = more\n");
    writeFileSync(join(one.work, ".git/more"), "[include]\n\tpath = ../../outside/cred\n");
  },
  "settings included through a link": (one) => {
    configure(one, "[include]\n\tpath = ../more\n");
    symlinkSync(join(one.outside, "cred"), join(one.work, "more"));
  },
  "a value of an included file that git repeats in its complaint": (one) => {
    writeFileSync(join(one.outside, "cred"), `[core]\n\tbare = ${secret}\n`);
    configure(one, `[include]\n\tpath = ${one.outside}/cred\n`);
  },
  "commits that blame passes over": (one) =>
    configure(one, `[blame]\n\tignoreRevsFile = ../outside/secret.txt\n`),
  "names in another file": (one) => {
    writeFileSync(join(one.outside, "names"), `${secret} <a@b>\n`);
    configure(one, `[mailmap]\n\tfile = ${one.outside}/names\n`);
  },
  "patterns of ignored files": (one) => {
    writeFileSync(join(one.outside, "patterns"), `a.tx[t${secret}]\n`);
    configure(one, `[core]\n\texcludesFile = ${one.outside}/patterns\n`);
  },
  "patterns of ignored files, by a link": (one) => {
    rmSync(join(one.work, ".git/info/exclude"));
    writeFileSync(join(one.outside, "patterns"), `a.tx[t${secret}]\n`);
    symlinkSync(join(one.outside, "patterns"), join(one.work, ".git/info/exclude"));
  },
  attributes: (one) => {
    writeFileSync(join(one.outside, "attributes"), `* ${secret}!\n`);
    configure(one, `[core]\n\tattributesFile = ${one.outside}/attributes\n`);
  },
  "a template of messages": (one) => configure(one, `[commit]\n\ttemplate = ${one.outside}/cred\n`),
  "an order of files": (one) => configure(one, `[diff]\n\torderFile = ${one.outside}/cred\n`),
  "a link in the place of a folder with tracked files": (one) => {
    mkdirSync(join(one.work, "deep/deeper"), { recursive: true });
    writeFileSync(join(one.work, "deep/deeper/secret.txt"), "inside\n");
    one.git(one.work, "add", ".");
    one.git(one.work, "commit", "-q", "-m", "deep");
    rmSync(join(one.work, "deep/deeper"), { recursive: true });
    symlinkSync(one.outside, join(one.work, "deep/deeper"));
  },
  "a submodule with another's git folder": (one) => {
    mkdirSync(join(one.work, "sub"));
    writeFileSync(join(one.work, "sub/.git"), `gitdir: ${one.outside}/.git\n`);
    const id = one.git(one.outside, "rev-parse", "HEAD");
    one.git(one.work, "update-index", "--add", "--cacheinfo", `160000,${id},sub`);
  },
};

describe("git that runs unasked", () => {
  it("is made of looks alone", () => {
    expect(isReadOnlyCommand(looks)).toBe(true);
  });

  it.each(Object.entries(attacks))("reads nothing outside of the workspace: %s", async (_, attack) => {
    const workspace = await openWorkspace();
    attack(workspace);
    const { refusal, shown } = await workspace.look(workspace.work);
    expect({ refusal, shown }).toEqual({
      refusal: expect.stringMatching(
        /^The command was not run: (?:the repository makes git read outside of the workspace, by |git cannot read its configuration: )/,
      ),
      shown: undefined,
    });
    expect(refusal).not.toContain(secret);
  });

  it("would show what lies outside after all but four of them", async () => {
    const harmless: string[] = [];
    for (const [name, attack] of Object.entries(attacks)) {
      const workspace = await openWorkspace();
      attack(workspace);
      const { stdout, stderr } = workspace.lookPlainly(workspace.work);
      if (!(stdout + stderr).includes(secret)) harmless.push(name);
    }
    expect(harmless).toEqual([
      "a link in the place of a log",
      "a template of messages",
      "an order of files",
      "a submodule with another's git folder",
    ]);
  });

  it("borrows no objects by a path that some versions of git and the system take differently", async () => {
    const workspace = await openWorkspace();
    nameStolen(workspace);
    const deep = join(workspace.work, "1/2/3/4/5/6/7/8/9");
    mkdirSync(deep, { recursive: true });
    symlinkSync(deep, join(workspace.work, ".git/objects/x"));
    const line = "x/../../../../outside/.git/objects\n";
    writeFileSync(join(workspace.work, ".git/objects/info/alternates"), line);
    const { refusal } = await workspace.look(workspace.work);
    expect(refusal).toContain("(objects/info/alternates)");
  });

  it("does not take the index for its own to write", () => {
    expect(isReadOnlyCommand("git describe --always")).toBe(true);
    // It writes the index, whatever it is told of locks.
    const writing = ["--dirty", "--dirty=x", "--broken", "--broken=x"];
    expect(writing.filter((option) => isReadOnlyCommand(`git describe --always ${option}`))).toEqual([]);
  });

  it("is told what leads outside, and what can be done", async () => {
    const { work, outside, environment, clock } = await openWorkspace();
    appendFileSync(join(work, ".git/config"), `[core]\n\tworktree = ${outside}\n`);
    const environmentFor = createAutoAllowedEnvironment({
      shell: systemShell,
      disk: createNodeDisk(),
      environment,
    });
    const folders = { folder: work, cwd: work, clock };
    expect(await environmentFor("git diff", folders)).toMatchObject({
      ok: false,
      error: {
        code: "denied",
        message: `The command was not run: the repository makes git read outside of the workspace, by its working tree (core.worktree): ${outside}`,
        fix: expect.stringContaining("write the command as `git -C . …`: a person is asked then"),
      },
    });
    expect(isReadOnlyCommand("git -C . diff")).toBe(false);
    expect(await environmentFor("git -C . diff", folders)).toEqual({ ok: true, value: environment });
  });
});

const legitimate: Readonly<Record<string, (workspace: Workspace) => string | Promise<string>>> = {
  "a folder below the top of a repository": ({ work }) => {
    mkdirSync(join(work, "deep/deeper"), { recursive: true });
    cpSync(join(work, "a.txt"), join(work, "deep/deeper/a.txt"));
    return join(work, "deep/deeper");
  },
  "a worktree of a repository elsewhere": ({ root, work, git }) => {
    git(work, "worktree", "add", "-q", "../tree");
    return join(root, "tree");
  },
  "a folder in a worktree of a repository elsewhere": ({ root, work, git }) => {
    git(work, "worktree", "add", "-q", "../tree");
    mkdirSync(join(root, "tree/deep"));
    return join(root, "tree/deep");
  },
  "a worktree of a bare repository": ({ root, work, git }) => {
    git(root, "clone", "-q", "--bare", work, "bare.git");
    git(join(root, "bare.git"), "worktree", "add", "-q", "../tree", "main");
    return join(root, "tree");
  },
  "a worktree whose repository includes settings of its own": ({ root, work, git }) => {
    writeFileSync(join(work, "shared.inc"), "[core]\n\tabbrev = 12\n");
    git(work, "config", "include.path", "../shared.inc");
    git(work, "worktree", "add", "-q", "../tree");
    return join(root, "tree");
  },
  "a worktree of an agent": async ({ root, work, clock, environment }) => {
    const open = createWorktrees({ shell: systemShell, clock, environment, folder: join(root, "worktrees") });
    const made = await open(work, "agent_1");
    return made.ok ? made.value.cwd : made.error.message;
  },
  "a submodule": ({ root, work, git }) => {
    git(root, "init", "-q", "-b", "main", "whole");
    git(join(root, "whole"), "submodule", "--quiet", "add", work, "sub");
    return join(root, "whole/sub");
  },
  "a folder in a submodule": ({ root, work, git }) => {
    git(root, "init", "-q", "-b", "main", "whole");
    git(join(root, "whole"), "submodule", "--quiet", "add", work, "sub");
    mkdirSync(join(root, "whole/sub/deep"));
    return join(root, "whole/sub/deep");
  },
  "a worktree of a submodule": ({ root, work, git }) => {
    git(root, "init", "-q", "-b", "main", "whole");
    git(join(root, "whole"), "submodule", "--quiet", "add", work, "sub");
    git(join(root, "whole/sub"), "worktree", "add", "-q", join(root, "tree"));
    return join(root, "tree");
  },
  "a repository with a submodule": ({ root, work, git }) => {
    git(root, "clone", "-q", work, "whole");
    git(join(root, "whole"), "submodule", "--quiet", "add", work, "sub");
    return join(root, "whole");
  },
  "a folder beside a submodule": ({ root, work, git }) => {
    git(root, "clone", "-q", work, "whole");
    git(join(root, "whole"), "submodule", "--quiet", "add", work, "sub");
    mkdirSync(join(root, "whole/deep"));
    return join(root, "whole/deep");
  },
  "a git folder beside its files": ({ work }) => {
    renameSync(join(work, ".git"), join(work, "store"));
    writeFileSync(join(work, ".git"), "gitdir: store\n");
    return work;
  },
  "settings that the user includes everywhere": ({ root, work }) => {
    writeFileSync(
      join(root, ".gitconfig"),
      "[include]\n\tpath = ~/mine.inc\n[core]\n\texcludesFile = ~/ignored\n",
    );
    writeFileSync(join(root, "mine.inc"), "[mailmap]\n\tfile = ~/names\n");
    writeFileSync(join(root, "ignored"), "*.log\n");
    writeFileSync(join(root, "names"), "");
    return work;
  },
  "links between folders of the workspace": ({ work, git }) => {
    mkdirSync(join(work, "real"));
    writeFileSync(join(work, "real/b.txt"), "b\n");
    git(work, "add", ".");
    git(work, "commit", "-q", "-m", "real");
    renameSync(join(work, "real"), join(work, "moved"));
    symlinkSync("moved", join(work, "real"));
    return work;
  },
  "files of settings inside of the workspace": ({ work, git }) => {
    writeFileSync(join(work, "ignored-commits"), `${git(work, "rev-parse", "HEAD")}\n`);
    git(work, "config", "blame.ignoreRevsFile", "ignored-commits");
    git(work, "config", "commit.template", "missing");
    return work;
  },
};

describe("git that runs unasked in a repository as people have them", () => {
  it.each(Object.entries(legitimate))("works: %s", async (_, make) => {
    const workspace = await openWorkspace();
    const folder = await make(workspace);
    const { refusal, shown } = await workspace.look(folder);
    expect(refusal).toBeUndefined();
    expect(shown).toContain("inside");
  });

  it("works where the borrowed objects and included settings lie in another folder of the workspace", async () => {
    const { work, outside, root, git, look } = await openWorkspace();
    git(root, "clone", "-q", "--shared", work, "clone");
    git(join(root, "clone"), "config", "include.path", join(outside, "cred"));
    const folder = join(root, "clone");
    expect((await look(folder)).refusal).toContain("outside of the workspace");
    expect((await look(folder, { workspace: [work] })).refusal).toContain("include");
    expect((await look(folder, { workspace: [work, outside] })).shown).toContain(secret);
  });

  it("works outside of a repository too", async () => {
    const { root, look } = await openWorkspace();
    expect((await look(root)).refusal).toBeUndefined();
  });
});
