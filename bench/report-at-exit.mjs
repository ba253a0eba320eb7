// Imported before a program: when it ends, the last line of its standard error says how long it ran and worked, and the
// most memory it had.
import { isMainThread } from "node:worker_threads";

if (isMainThread)
  process.on("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const cpuMs = (userCPUTime + systemCPUTime) / 1000;
    process.stderr.write(`\n${JSON.stringify({ ms: performance.now(), cpuMs, rss: maxRSS * 1024 })}\n`);
  });
