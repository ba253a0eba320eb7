import { spawn } from "node:child_process";
import { repository } from "./repository.mjs";

const reportAtExit = new URL("../../bench/report-at-exit.mjs", import.meta.url).href;

/**
 * Runs one part to its end: its JSON with what it took, or the reason for which there is none. Never throws: one part
 * that fails does not hide the others.
 */
export async function runPart(part, signal) {
  if (signal?.aborted) return { ok: false, reason: stopped };
  if (part.absent !== undefined) return { ok: false, reason: part.absent };
  const started = performance.now();
  const { code, endedBy, stdout, stderr } = await run(["--import", reportAtExit, ...part.args], signal);
  const wallMs = performance.now() - started;
  if (signal?.aborted) return { ok: false, reason: stopped, wallMs };
  if (code !== 0) return { ok: false, reason: reasonOf(code, endedBy, stderr), wallMs };
  try {
    return { ok: true, value: JSON.parse(stdout), took: { wallMs, ...lastReport(stderr) } };
  } catch {
    return { ok: false, reason: "what it printed is no JSON", wallMs };
  }
}

const stopped = "stopped by the person who ran it";

function run(args, signal) {
  return new Promise((resolve) => {
    const stdio = ["ignore", "pipe", "pipe"];
    const child = spawn(process.execPath, args, { cwd: repository, stdio, signal });
    const parts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"])
      child[name].setEncoding("utf8").on("data", (text) => {
        parts[name] += text;
      });
    child.on("error", (error) => resolve({ code: null, endedBy: error.message, ...parts }));
    child.on("close", (code, endedBy) => resolve({ code, endedBy, ...parts }));
  });
}

/** What report-at-exit.mjs has said: CPU time and peak memory of the process. */
function lastReport(stderr) {
  const line = stderr.split("\n").findLast((one) => one.startsWith('{"ms":'));
  const { cpuMs = null, rss = null } = line ? JSON.parse(line) : {};
  return { cpuMs, rss };
}

/** The last words of a process in one line, without paths of this machine. */
function reasonOf(code, endedBy, stderr) {
  const lines = stderr.split("\n").map((line) => line.trim());
  const words = lines.filter((line) => line !== "" && !line.startsWith('{"ms":') && !line.startsWith("at "));
  const last = words.find((line) => /error|cannot|no /i.test(line)) ?? words.at(-1) ?? "it said nothing";
  const end = code === null ? `ended by ${endedBy}` : `exit ${code}`;
  return `${end}: ${withoutPaths(last).slice(0, 300)}`;
}

export function withoutPaths(text) {
  return text.replaceAll(/(?:file:\/\/)?(?<![\w.])\/(?:[\w.@-]+\/)+[\w.@-]*/g, "…");
}
