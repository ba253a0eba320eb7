import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Starts a process with an order, and lets it end as the order's `death` says: in a disk operation of its own, or killed
 * once it has said so many lines. Ends with what it said, and with what is wrong about its end.
 */
export function startVictim(script, order) {
  const child = spawn(process.execPath, [script, JSON.stringify(order)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const { afterLines, lateMs = 0 } = order.death;
  let text = "";
  let lines = 0;
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
    lines += chunk.split("\n").length - 1;
    if (afterLines === undefined || lines < afterLines) return;
    if (lateMs === 0) child.kill("SIGKILL");
    else setTimeout(() => child.kill("SIGKILL"), lateMs);
  });
  async function ended() {
    const [, signal] = await closed;
    const said = text
      .slice(0, text.lastIndexOf("\n") + 1)
      .split("\n")
      .slice(0, -1);
    const failures = said.filter((line) => line.startsWith("failed "));
    const problems = failures.map((line) => `${order.work} ${line}`);
    if (signal !== "SIGKILL" && failures.length === 0) problems.push(`${order.work} ended by itself`);
    return { order, problems, said: said.map((line) => line.split(" ")) };
  }
  return {
    pid: child.pid,
    isWaited: afterLines !== undefined,
    kill: () => child.kill("SIGKILL"),
    ended: ended(),
  };
}
