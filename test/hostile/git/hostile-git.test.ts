import { realpathSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { toGitEnvironment } from "../../../packages/core/src/git/git-environment.ts";
import { readTrackedFiles } from "../../../packages/core/src/session/trust/index.ts";
import type { ToolContext } from "../../../packages/core/src/spec/index.ts";
import { createNodeDisk } from "../../../packages/core/src/stores/files/index.ts";
import { readGitState } from "../../../packages/palimpsest/src/loop/agent/surroundings-notice.ts";
import { createWorktrees } from "../../../packages/palimpsest/src/loop/agents/worktree.ts";
import {
  createShellTasks,
  createShellTools,
  isReadOnlyCommand,
} from "../../../packages/palimpsest/src/tools/shell/index.ts";
import { createVirtualClock } from "../../../packages/testing/src/index.ts";
import { createVirtualIds } from "../../../packages/testing/src/virtual-clock.ts";
import { spread } from "../../support/amount.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { treeShell } from "../../support/tree-shell.ts";
import { hostileRepositories } from "./hostile-repositories.ts";
import { createRepositories, type PlantedRepository } from "./plant-repository.ts";

/** What an agent may run without being asked, and what looks at most. */
const looks = [
  "git status --ignore-submodules=none",
  "git diff",
  "git diff --cached HEAD~1",
  "git log -p",
  "git show",
  "git blame a.txt",
  "git ls-files -m -o",
  "git ls-tree -r HEAD",
  "git grep hi",
  "git describe --all",
  "git cat-file -p HEAD",
  "git shortlog HEAD",
  "git rev-list --objects --all",
  "git stash list",
  "git branch -v",
].join(" ; ");

const clock = createVirtualClock();

/** Runs a text of the shell as a person would who has heard of no danger. */
async function runPlainly({ cwd, environment }: PlantedRepository, text: string): Promise<void> {
  const worktree = "git worktree add ../plain && cd ../plain && git status";
  const { ended } = treeShell.start("sh", ["-c", `${text} ; ${worktree}`], { cwd, environment });
  await ended;
}

async function runLooks({ cwd, environment }: PlantedRepository): Promise<string> {
  const ids = createVirtualIds();
  const tasks = createShellTasks({ shell: treeShell, ids });
  const [bash] = createShellTools({
    shell: treeShell,
    disk: createNodeDisk(),
    ids,
    environment,
    commandEnvironment: { pass: ["GIT_*"] },
    tasks,
    scratchFolder: join(cwd, "../scratch"),
  });
  const context = {
    session: { id: "s" },
    cwd,
    signal: new AbortController().signal,
    clock,
    ids,
    progress() {},
  };
  const outcome = await bash?.run?.({ command: looks }, context as unknown as ToolContext);
  return String(outcome?.content);
}

/** Every place at which the product starts git. */
async function useEverywhere(planted: PlantedRepository, folder: string): Promise<string> {
  const { cwd, environment } = planted;
  const options = { shell: treeShell, clock, environment, workspace: [cwd] };
  await readTrackedFiles({ ...options, cwd, folders: [cwd] });
  await readGitState({ ...options, cwd });
  const made = await createWorktrees({ ...options, folder: join(folder, "worktrees") })(cwd, "agent_1");
  if (made.ok) {
    await readTrackedFiles({ ...options, cwd: made.value.cwd, folders: [made.value.cwd] });
    await readGitState({ ...options, cwd: made.value.cwd });
    await made.value.leave();
  }
  return runLooks(planted);
}

const live: string[] = [];

afterAll(() => {
  const inert = spread(hostileRepositories, 22)
    .filter(({ name }) => !live.includes(name))
    .map(({ name }) => name);
  console.log(
    `hostile repositories tried: ${live.length + inert.length}, of which plain git runs ${live.length}; not: ${inert.join(", ")}`,
  );
});

describe("a hostile repository", () => {
  it("is in a list of at least 60, each with a name of its own", () => {
    expect(new Set(hostileRepositories.map(({ name }) => name)).size).toBe(hostileRepositories.length);
    expect(hostileRepositories.length).toBeGreaterThanOrEqual(60);
    expect(isReadOnlyCommand(looks)).toBe(true);
  });

  it("runs nothing wherever git is started", async () => {
    const root = realpathSync(await temporaryFolder());
    const { plant } = createRepositories(root);
    const ran: string[] = [];
    const tried = spread(hostileRepositories, 22);
    for (const [index, repository] of tried.entries()) {
      const control = plant(repository, `control-${index}`);
      await runPlainly(control, looks);
      if (control.hasRun()) live.push(repository.name);
      const planted = plant(repository, `planted-${index}`);
      await useEverywhere(planted, join(root, `planted-${index}`));
      if (planted.hasRun()) ran.push(repository.name);
    }
    expect(ran).toEqual([]);
    // 45 of all: the others need a newer git, or a person.
    expect(live.length / tried.length).toBeGreaterThanOrEqual(0.65);
  });

  it("fetches nothing either with a git that cannot be told not to", async () => {
    const root = realpathSync(await temporaryFolder());
    const { plant } = createRepositories(root);
    const ran: string[] = [];
    const sparse = hostileRepositories.filter(({ shape }) => shape === "sparse");
    for (const [index, repository] of sparse.entries()) {
      const planted = plant(repository, `planted-${index}`);
      const { cwd, environment } = planted;
      const guarded = toGitEnvironment({ environment, folders: [cwd], settings: [] });
      const { GIT_NO_LAZY_FETCH: _, ...older } = guarded;
      await treeShell.start("git", ["ls-files", "--stage"], { cwd, environment: older }).ended;
      if (planted.hasRun()) ran.push(repository.name);
    }
    expect({ ran, tried: sparse.length }).toEqual({ ran: [], tried: 13 });
  });
});
