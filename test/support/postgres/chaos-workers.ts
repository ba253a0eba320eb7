import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ChaosRecord } from "./find-chaos-problems.ts";

const script = fileURLToPath(new URL("../../children/postgres-worker.mjs", import.meta.url));

/** Processes that each take themselves for the only one of their machine, and write what they were told into a file. */
export interface ChaosWorkers {
  readonly hosts: readonly string[];
  /** As `kill -9`; the next one of that machine begins at once. */
  replace(at: number): Promise<void>;
  /** Lets each end what it does, and waits for it. */
  finish(): Promise<void>;
  /** Those of each worker in the order in which it wrote them. */
  records(): Promise<readonly ChaosRecord[]>;
}

export function startChaosWorkers(
  count: number,
  {
    folder,
    seed,
    order,
  }: {
    readonly folder: string;
    readonly seed: number;
    readonly order: object;
  },
): ChaosWorkers {
  const hosts = Array.from({ length: count }, (_, at) => `machine-${at}`);
  const fileOf = (host: string) => join(folder, `${host}.jsonl`);
  const lives = hosts.map(() => 0);
  const deaths: ChaosRecord[] = [];

  function start(at: number): ChildProcess {
    const life = (lives[at] ?? 0) + 1;
    lives[at] = life;
    const host = hosts[at] as string;
    const told = { ...order, host, hosts, life, file: fileOf(host), seed: seed + at * 1_000 + life };
    const child = spawn(process.execPath, [script, JSON.stringify(told)], {
      stdio: ["pipe", "ignore", "pipe"],
    });
    let said = "";
    child.stderr?.on("data", (chunk) => {
      said = `${said}${chunk}`.slice(-2_000);
    });
    child.once("exit", (code) => {
      if (code !== 0 && code !== null)
        deaths.push({ kind: "problem", what: `${host} has ended`, code: String(code), said });
    });
    return child;
  }

  const children = hosts.map((_, at) => start(at));
  const ended = (child: ChildProcess) =>
    child.exitCode === null && child.signalCode === null ? once(child, "exit") : Promise.resolve();

  return {
    hosts,
    async replace(at) {
      const child = children[at] as ChildProcess;
      child.kill("SIGKILL");
      await ended(child);
      children[at] = start(at);
    },
    async finish() {
      for (const child of children) child.stdin?.end();
      await Promise.all(children.map(ended));
    },
    async records() {
      const texts = await Promise.all(hosts.map((host) => readFile(fileOf(host), "utf8").catch(() => "")));
      // A line that was cut by a kill was never whole, and tells nothing.
      const told = texts.flatMap((text) =>
        text.split("\n").flatMap((line) => (line.endsWith("}") ? [JSON.parse(line) as ChaosRecord] : [])),
      );
      return [...deaths, ...told];
    },
  };
}
