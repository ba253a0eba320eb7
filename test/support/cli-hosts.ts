import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface CliOrder {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** In base64. */
  readonly input: string;
}

export interface CliEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const hostPath = fileURLToPath(new URL("../children/cli-host.mjs", import.meta.url));
const mostHosts = 2;
const idle: ChildProcess[] = [];
const waiting: ((host: ChildProcess) => void)[] = [];
let hosts = 0;

/** A process that has the program loaded. It ends with the process that started it. */
function startHost(): ChildProcess {
  const host = fork(hostPath, [], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
  host.unref();
  host.channel?.unref();
  return host;
}

async function takeHost(): Promise<ChildProcess> {
  const host = idle.pop();
  if (host) return host;
  if (hosts >= mostHosts) return new Promise((resolve) => waiting.push(resolve));
  hosts += 1;
  return startHost();
}

function giveBack(host: ChildProcess): void {
  const next = waiting.shift();
  if (next) next(host);
  else idle.push(host);
}

/** Runs the built program to its end in a process that has it loaded already; none runs two at the same time. */
export async function runInHost(order: CliOrder): Promise<CliEnd> {
  const host = await takeHost();
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null, signal: string | null) => {
      giveBack(startHost());
      reject(new Error(`${order.args.join(" ")} ended its process with ${code ?? signal}`));
    };
    host.once("exit", onExit);
    host.once("message", (end) => {
      host.off("exit", onExit);
      giveBack(host);
      resolve(end as CliEnd);
    });
    host.send(order);
  });
}
