import { openMemory } from "@palimpsest/core";
import { type Disk, PalimpsestError, type ProjectStore } from "@palimpsest/core/spec";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import { formatNumber } from "../format-amount.ts";
import { orThrow } from "../or-throw.ts";
import { openSessionPlaces } from "../sessions/session-places.ts";
import type { CommandContext } from "../terminal.ts";
import { type Check, good, wrong } from "./check.ts";

const leastNode = [20, 19] as const;

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const isEnough = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
  if (isEnough) return good("node", version);
  return wrong("node", {
    message: `${version} is too old.`,
    fix: `Use Node.js ${leastNode.join(".")} or newer.`,
  });
}

/** A data root that is not there yet is made by the first command that needs it. */
export async function checkDataRoot(home: string, disk: Disk = createNodeDisk()): Promise<Check> {
  const stat = await disk.stat(home);
  if (!stat.ok && stat.error.code === "not-found")
    return { name: "data root", state: "notice", message: `${home} is not there yet` };
  if (!stat.ok) return wrong("data root", stat.error);
  const path = `${home}/.doctor-${process.pid}`;
  const file = await disk.open(path, "create");
  if (!file.ok)
    return wrong("data root", {
      message: `Nothing can be written in ${home}: ${file.error.message}`,
      fix: "Give yourself the right to write there, or set PALIMPSEST_HOME.",
    });
  await file.value.close();
  await disk.remove(path);
  return good("data root", home);
}

/** The leases of this project's sessions, and the health of its memories. */
export async function checkProject(context: CommandContext): Promise<readonly Check[]> {
  try {
    const places = await openSessionPlaces(context);
    const project = orThrow(await places.currentProject());
    const store = places.store(project);
    const { logs, leases } = store;
    const sessions = orThrow(await logs.list());
    const held = await Promise.all(sessions.map(({ session }) => leases.holder(session)));
    const open = held.filter((holder) => holder.ok && holder.value !== null).length;
    const damaged = sessions.filter(({ problem }) => problem !== undefined);
    const said = `${formatNumber(sessions.length, "session")}, ${open} open now`;
    const [first] = damaged;
    const sessionCheck: Check = first
      ? wrong("sessions", {
          message: `${said}, ${damaged.length} damaged, such as ${first.session}: ${first.problem}`,
          fix: `palimpsest sessions repair ${first.session}`,
        })
      : good("sessions", said);
    return [sessionCheck, await checkMemories(context, store)];
  } catch (cause) {
    if (PalimpsestError.isInstance(cause)) return [wrong("sessions", cause)];
    throw cause;
  }
}

async function checkMemories({ home, folder: cwd }: CommandContext, store: ProjectStore): Promise<Check> {
  const memory = await openMemory({ home, store, project: store.project, cwd });
  try {
    const { memories, findings } = await memory.doctor();
    const said = formatNumber(memories, "memory", "memories");
    if (findings.length === 0) return good("memory", said);
    const message = `${said}; ${formatNumber(findings.length, "finding")}: see palimpsest memory doctor`;
    return { name: "memory", state: "notice", message };
  } finally {
    await memory.close();
  }
}
