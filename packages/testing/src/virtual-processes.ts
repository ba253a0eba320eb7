import { PalimpsestError, type Processes, type ProcessIdentity } from "@palimpsest/core/spec";

type ProcessState = Awaited<ReturnType<Processes["look"]>>;

/** One process among others. A paused process is one that is alive and does nothing. */
export interface VirtualProcesses extends Processes {
  readonly identity: ProcessIdentity;
  /** Starts another process. What is not given is as here, with a pid and a start time of its own. */
  spawn(self?: Partial<ProcessIdentity>): VirtualProcesses;
  /** This process is gone; its pid may be used again. */
  exit(): void;
  /** Every process of this host is gone; those spawned from now on have a new boot id. */
  reboot(): void;
  /** Plants another process that this one can see. */
  setAlive(pid: number, startTime: string): void;
  setGone(pid: number): void;
  /** From now on it cannot be told whether `pid` is alive. */
  setUnknown(pid: number): void;
}

/** All hosts, and in each what their namespaces can see. Pids mean something only inside one namespace. */
interface ProcessTable {
  readonly hosts: Map<
    string,
    { bootId: string; readonly namespaces: Map<string, Map<number, ProcessState>> }
  >;
  nextPid: number;
  nextStart: number;
  nextBoot: number;
}

function hostOf(table: ProcessTable, host: string, bootId?: string) {
  let found = table.hosts.get(host);
  if (found === undefined) {
    found = { bootId: bootId ?? `boot-${table.nextBoot++}`, namespaces: new Map() };
    table.hosts.set(host, found);
  }
  return found;
}

function start(table: ProcessTable, wanted: Partial<ProcessIdentity>): VirtualProcesses {
  const { host = "host-1", pidNamespace = "namespace-1" } = wanted;
  const machine = hostOf(table, host, wanted.bootId);
  while (machine.namespaces.get(pidNamespace)?.has(table.nextPid)) table.nextPid++;
  const identity: ProcessIdentity = {
    pid: wanted.pid ?? table.nextPid++,
    startTime: wanted.startTime ?? `start-${table.nextStart++}`,
    bootId: wanted.bootId ?? machine.bootId,
    host,
    pidNamespace,
  };

  function visible(): Map<number, ProcessState> {
    const { namespaces } = hostOf(table, host);
    let pids = namespaces.get(pidNamespace);
    if (pids === undefined) {
      pids = new Map();
      namespaces.set(pidNamespace, pids);
    }
    return pids;
  }

  if (visible().get(identity.pid)?.state === "alive") {
    throw new PalimpsestError("invalid-input", `Process ${identity.pid} is alive on ${host}: end it first.`);
  }
  visible().set(identity.pid, { state: "alive", startTime: identity.startTime });

  return {
    identity,
    self: async () => identity,
    look: async (pid) => visible().get(pid) ?? { state: "gone" },
    spawn: (self = {}) => start(table, { host, pidNamespace, ...self }),
    exit() {
      const seen = visible().get(identity.pid);
      if (seen?.state === "alive" && seen.startTime === identity.startTime) visible().delete(identity.pid);
    },
    reboot() {
      const rebooted = hostOf(table, host);
      rebooted.namespaces.clear();
      rebooted.bootId = `boot-${table.nextBoot++}`;
    },
    setAlive: (pid, startTime) => void visible().set(pid, { state: "alive", startTime }),
    setGone: (pid) => void visible().delete(pid),
    setUnknown: (pid) => void visible().set(pid, { state: "unknown" }),
  };
}

/** The first process of a world of its own; `spawn` adds others to the same world. */
export function createVirtualProcesses(self: Partial<ProcessIdentity> = {}): VirtualProcesses {
  return start({ hosts: new Map(), nextPid: 1000, nextStart: 1, nextBoot: 1 }, self);
}
