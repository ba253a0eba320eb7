import { execFileSync } from "node:child_process";
import { repository } from "./repository.mjs";

/** What was measured: the commit with its day, and whether files differ from it; unknown without git. */
export function measuredCommit() {
  try {
    const [commit, day] = git("log", "-1", "--format=%h %cs").trim().split(" ");
    const changed = git("status", "--porcelain", "--", "packages", "bench", "scripts", "package.json")
      .split("\n")
      .filter((line) => line !== "" && !line.endsWith("bench/RESULTS.md"));
    return { commit, day, isChanged: changed.length > 0 };
  } catch {
    return { commit: "unknown", day: "unknown", isChanged: false };
  }
}

function git(...args) {
  return execFileSync("git", args, {
    cwd: repository,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}
