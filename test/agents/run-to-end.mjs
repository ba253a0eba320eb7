import { spawn } from "node:child_process";

const patienceMs = 180_000;

/** Runs a program. One that never ends is ended; its code is then `null`. */
export function runToEnd([program, ...args], { cwd, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const patience = setTimeout(() => child.kill("SIGKILL"), patienceMs);
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8").on("data", (text) => {
        output[name] += text;
      });
    }
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(patience);
      resolve({ code, ...output });
    });
  });
}
