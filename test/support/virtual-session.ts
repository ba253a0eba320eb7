import { openSession, type SessionOptions } from "../../packages/core/src/session/open-session.ts";
import type { Entry, Session } from "../../packages/core/src/spec/index.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import type { VirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { createVirtualStore, virtualHome, virtualProject } from "./virtual-store.ts";

const clock = createVirtualClock();

/** A session on a virtual disk, with a clock that stands still and no layers but those it is given. */
export function beginSession(options: SessionOptions = {}): Promise<Session> {
  return openSession({ store: createVirtualStore(), clock, id: "one", layers: [], ...options });
}

export function resumeSession(options: SessionOptions): Promise<Session> {
  return openSession({ clock, id: "one", resume: true, layers: [], ...options });
}

export async function entriesOf(session: Session): Promise<readonly Entry[]> {
  const all: Entry[] = [];
  for await (const entry of session.entries()) all.push(entry);
  return all;
}

/** Where the session has its blobs. */
export const blobFolder = `${virtualHome}/projects/${virtualProject}/blobs/one`;

/** Removes blobs of the session, those that have at least that many bytes. */
export async function removeBlobs(disk: VirtualDisk, minBytes = 0): Promise<void> {
  const listed = await disk.list(blobFolder);
  if (!listed.ok) throw listed.error;
  for (const name of listed.value) {
    const path = `${blobFolder}/${name}`;
    if (disk.readWhole(path).length >= minBytes) await disk.remove(path);
  }
}
