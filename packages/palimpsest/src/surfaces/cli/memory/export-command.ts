import { resolve } from "node:path";
import { createRuntime, folderOf, writeWholeFile } from "@palimpsest/core/internal";
import { type Disk, fail, type Ids, type MemoryDocument } from "@palimpsest/core/spec";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import { formatNumber } from "../format-amount.ts";
import { toHarmless, toJson } from "../harmless.ts";
import { orThrow } from "../or-throw.ts";
import { createFileSink } from "../sessions/export-sink.ts";
import type { CommandContext } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { openMemoryTarget, type TargetOptions } from "./memory-target.ts";

export interface ExportOptions extends TargetOptions {
  readonly out?: string;
  readonly folder?: string;
  readonly force?: boolean;
}

export async function runExport(context: CommandContext, options: ExportOptions): Promise<void> {
  const { terminal, folder } = context;
  if (options.out !== undefined && options.folder !== undefined) {
    throw new UsageError(
      "--out and --folder exclude each other; use: palimpsest memory export [--out FILE | --folder DIR]",
    );
  }
  const { memory } = await openMemoryTarget(context, options);
  const disk = createNodeDisk();
  const { ids } = createRuntime();
  const document = await memory.export();
  const count = formatNumber(document.files.length, "file");
  if (options.folder !== undefined) {
    const target = resolve(folder, options.folder);
    await writeFolder(disk, ids, target, document);
    terminal.say(`wrote ${count} to ${toHarmless(target)}`);
  } else if (options.out !== undefined) {
    const path = resolve(folder, options.out);
    await writeFile(disk, ids, path, document, options.force ?? false);
    terminal.say(`wrote ${count} to ${toHarmless(path)}`);
  } else await terminal.write(toJson(document));
}

async function writeFile(
  disk: Disk,
  ids: Ids,
  path: string,
  document: MemoryDocument,
  force: boolean,
): Promise<void> {
  const sink = orThrow(await createFileSink(disk, ids, path, { force }));
  try {
    orThrow(await sink.write(Buffer.from(toJson(document))));
    orThrow(await sink.commit());
  } finally {
    await sink.discard();
  }
}

async function writeFolder(disk: Disk, ids: Ids, folder: string, { files }: MemoryDocument): Promise<void> {
  const present = await disk.list(folder);
  if (present.ok && present.value.length > 0) {
    throw fail("exists", `${folder} is not empty.`, { path: folder, fix: "Name a new folder." }).error;
  }
  if (!present.ok && present.error.code !== "not-found") throw present.error;
  for (const { path, text } of files) {
    const file = `${folder}/${path}`;
    orThrow(await disk.makeDirectory(folderOf(file)));
    const temporary = `${folderOf(file)}/.${ids.next("export")}`;
    orThrow(
      await writeWholeFile(disk, file, Buffer.from(text), { temporary, durable: false, when: "absent" }),
    );
  }
}
