import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileStamp, Tool, ToolContext, ToolOutcome } from "../../packages/core/src/spec/index.ts";
import { createFileTools, type FileToolOptions } from "../../packages/palimpsest/src/tools/files/index.ts";
import { createVirtualClock, createVirtualIds, type VirtualClock } from "../../packages/testing/src/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface FileToolBench {
  /** Where the tools work; its real path. */
  readonly folder: string;
  readonly tools: readonly Tool[];
  readonly clock: VirtualClock;
  /** What the calls so far have read and written, as a session would keep it. */
  readonly stamps: Map<string, FileStamp>;
  tool(name: string): Tool;
  call(name: string, input: unknown, context?: Partial<ToolContext>): Promise<ToolOutcome>;
  /** The text of an outcome; a failure begins with `ERROR: `. */
  textOf(name: string, input: unknown, context?: Partial<ToolContext>): Promise<string>;
  put(path: string, content: string | Uint8Array): Promise<string>;
  bytesOf(path: string): Promise<Buffer>;
}

/** The file tools on a real folder that is gone when the test is. */
export async function beginFileTools(options: FileToolOptions = {}): Promise<FileToolBench> {
  const folder = await realpath(await temporaryFolder());
  const tools = createFileTools(options);
  const stamps = new Map<string, FileStamp>();
  const clock = createVirtualClock();
  const ids = createVirtualIds();
  const tool = (name: string) => {
    const found = tools.find((one) => one.name === name);
    if (!found) throw new Error(`There is no tool ${name}.`);
    return found;
  };
  const call: FileToolBench["call"] = async (name, input, context = {}) => {
    const outcome = await tool(name).run?.(input, {
      toolUseId: "t1",
      session: { id: "s1", recall: neverCalled, search: neverCalled },
      cwd: folder,
      signal: new AbortController().signal,
      clock,
      ids,
      mode: "default",
      fileStamp: (path) => stamps.get(path),
      progress: () => {},
      ...context,
    });
    if (!outcome) throw new Error(`${name} does not run.`);
    for (const stamp of outcome.files ?? []) stamps.set(stamp.path, stamp);
    return outcome;
  };
  return {
    folder,
    tools,
    clock,
    stamps,
    tool,
    call,
    async textOf(name, input, context) {
      const { content, isError } = await call(name, input, context);
      const text = typeof content === "string" ? content : JSON.stringify(content);
      return isError ? `ERROR: ${text}` : text;
    },
    async put(path, content) {
      const place = join(folder, path);
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, content);
      return place;
    },
    bytesOf: (path) => readFile(join(folder, path)),
  };
}

function neverCalled(): never {
  throw new Error("The file tools use nothing of a session.");
}
