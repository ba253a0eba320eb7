import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile, readlink } from "node:fs/promises";
import { homedir, hostname } from "node:os";
import { promisify } from "node:util";
import type { Clock, Ids, Processes, ProcessIdentity } from "./spec/index.ts";

/** The one place, besides the surfaces, that touches the machine's clock, chance and process. */
export interface Runtime {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly homeFolder: string;
  /** `linux`, `darwin`, … */
  readonly platform: string;
  workingFolder(): string;
  /** From 0 up to 1. */
  random(): number;
  /** Tells whoever runs the program, as Node does: on stderr, unless it was told otherwise. */
  warn(text: string): void;
}

export function createRuntime(): Runtime {
  return {
    clock: systemClock,
    ids: randomIds,
    processes: createSystemProcesses(),
    environment: process.env,
    homeFolder: homedir(),
    platform: process.platform,
    workingFolder: () => process.cwd(),
    random: () => Math.random(),
    warn: (text) => process.emitWarning(text, "PalimpsestWarning"),
  };
}

const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const timer = setTimeout(done, ms);
      timer.unref();
      signal?.addEventListener("abort", done, { once: true });
      function done(): void {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      }
    }),
};

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

const chanceCharacters = 16;

/** Chance for so many ids is fetched at a time: asking the system for it costs more than all the rest of an id. */
const fetchedIds = 128;
let fetched = Buffer.alloc(0);

function nextChance(): Uint8Array {
  if (fetched.length === 0) fetched = randomBytes(chanceCharacters * fetchedIds);
  const chance = fetched.subarray(0, chanceCharacters);
  fetched = fetched.subarray(chanceCharacters);
  return chance;
}

/** 26 characters: ten of time, so that ids sort by age, and sixteen of chance. */
const randomIds: Ids = {
  next(prefix) {
    let time = Date.now();
    let stamp = "";
    for (let digit = 0; digit < 10; digit += 1) {
      stamp = alphabet[time % 32] + stamp;
      time = Math.floor(time / 32);
    }
    let chance = "";
    for (const byte of nextChance()) chance += alphabet[byte & 31];
    return `${prefix}_${stamp}${chance}`;
  },
};

function createSystemProcesses(): Processes {
  const isLinux = process.platform === "linux";
  let self: Promise<ProcessIdentity> | undefined;

  async function identify(): Promise<ProcessIdentity> {
    const own = await look(process.pid);
    const machine = isLinux ? await fileText("/etc/machine-id") : "";
    return {
      pid: process.pid,
      startTime: own.state === "alive" ? own.startTime : "unknown",
      bootId: (isLinux ? await fileText("/proc/sys/kernel/random/boot_id") : await bootTime()) || "unknown",
      host: machine ? `${hostname()}/${machine}` : hostname(),
      pidNamespace: isLinux ? await readlink("/proc/self/ns/pid").catch(() => "unknown") : "none",
    };
  }

  const look: Processes["look"] = async (pid) => {
    if (!exists(pid)) return { state: "gone" };
    const started = isLinux ? await startFromProc(pid) : await startFromPs(pid);
    return started === null
      ? { state: "unknown" }
      : started === "gone"
        ? { state: "gone" }
        : { state: "alive", startTime: started };
  };

  return {
    self() {
      self ??= identify();
      return self;
    },
    look,
  };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Field 22 of `/proc/<pid>/stat`, counted behind the command, which may hold spaces and parentheses. */
async function startFromProc(pid: number): Promise<string | "gone" | null> {
  const stat = await fileText(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields.length < 20) return null;
  return fields[0] === "Z" || fields[0] === "X" ? "gone" : (fields[19] ?? null);
}

const run = promisify(execFile);

async function startFromPs(pid: number): Promise<string | "gone" | null> {
  const output = await run("ps", ["-o", "stat=,lstart=", "-p", String(pid)]).catch(() => null);
  const line = output?.stdout.trim();
  if (!line) return null;
  return line.startsWith("Z") ? "gone" : line.slice(line.indexOf(" ") + 1).trim();
}

async function bootTime(): Promise<string> {
  const output = await run("sysctl", ["-n", "kern.boottime"]).catch(() => null);
  return output?.stdout.trim() ?? "";
}

async function fileText(path: string): Promise<string> {
  return (await readFile(path, "utf8").catch(() => "")).trim();
}
