import { createGzip } from "node:zlib";
import { folderOf } from "@palimpsest/core/internal";
import { type Disk, fail, type Ids, ok, type Result } from "@palimpsest/core/spec";
import type { Terminal } from "../../local/terminal.ts";

/** Where an export goes. Nothing is there for others to see before `commit`. */
export interface ExportSink {
  write(bytes: Uint8Array): Promise<Result<void>>;
  commit(): Promise<Result<void>>;
  /** Leaves nothing behind; fine after `commit`. */
  discard(): Promise<void>;
}

export function createOutputSink(terminal: Terminal): ExportSink {
  return {
    async write(bytes) {
      await terminal.write(bytes);
      return terminal.signal.aborted ? fail("aborted", "The export was stopped.") : ok();
    },
    commit: async () => ok(),
    discard: async () => undefined,
  };
}

/** Appears under its name whole, or not at all; only the owner may read it. Gzip if the name ends in `.gz`. */
export async function createFileSink(
  disk: Disk,
  ids: Ids,
  path: string,
  options: { readonly force: boolean },
): Promise<Result<ExportSink>> {
  const present = await disk.stat(path);
  if (present.ok && present.value.kind === "directory") {
    return fail("is-directory", `${path} is a folder.`, { path, fix: "Name a file in it." });
  }
  if (present.ok && !options.force) return alreadyThere(path);
  if (!present.ok && present.error.code !== "not-found") return present;
  const temporary = `${folderOf(path)}/.${ids.next("export")}`;
  const created = await disk.open(temporary, "create");
  if (!created.ok) return created;
  const file = created.value;
  let isOpen = true;
  const zip = path.endsWith(".gz") ? createZip() : null;

  async function close(): Promise<Result<void>> {
    isOpen = false;
    return file.close();
  }

  async function place(): Promise<Result<void>> {
    if (options.force) return disk.rename(temporary, path);
    const linked = await disk.link(temporary, path);
    if (!linked.ok) return linked.error.code === "exists" ? alreadyThere(path) : disk.rename(temporary, path);
    return disk.remove(temporary);
  }

  return ok({
    async write(bytes) {
      return file.append(zip === null ? bytes : await zip.write(bytes));
    },
    async commit() {
      const ended = zip === null ? ok() : await file.append(await zip.end());
      const synced = ended.ok ? await file.sync() : ended;
      const closed = await close();
      if (!synced.ok || !closed.ok) return synced.ok ? closed : synced;
      return place();
    },
    async discard() {
      if (isOpen) await close();
      await disk.remove(temporary);
    },
  });
}

function alreadyThere(path: string): Result<never> {
  return fail("exists", `${path} exists already.`, {
    path,
    fix: "Choose another name, or replace it with --force.",
  });
}

/** Gives what is ready after each part. */
function createZip(): { write(bytes: Uint8Array): Promise<Buffer>; end(): Promise<Buffer> } {
  const gzip = createGzip();
  let ready: Buffer[] = [];
  gzip.on("data", (chunk: Buffer) => ready.push(chunk));
  const take = () => {
    const taken = Buffer.concat(ready);
    ready = [];
    return taken;
  };
  return {
    write: (bytes) => new Promise((resolve) => gzip.write(bytes, () => resolve(take()))),
    end: () => new Promise((resolve) => gzip.on("end", () => resolve(take())).end()),
  };
}
