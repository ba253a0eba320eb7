import { memoryChangingTools, memoryToolName } from "../../../catalog/known-tools.ts";
import { isBlock, type ToolUseBlock, type ViewItem } from "../../../spec/index.ts";

/** Where memories are, as tools name it. */
export interface MemoryLocation {
  /** Absolute. */
  readonly folder: string;
  /** Absolute: what relative paths begin at; absent: they lead nowhere. */
  readonly cwd?: string;
}

const memoryChanges: ReadonlySet<unknown> = new Set(["create", "str_replace", "insert", "delete", "rename"]);

/** Whether a call behind a sequence number has changed memory, and succeeded. */
export function hasOwnWrites(items: readonly ViewItem[], since: number, place: MemoryLocation): boolean {
  const writing = new Set<string>();
  for (const { block, seq } of items) {
    if (seq > since && isBlock(block, "tool_use") && changesMemory(block, place)) writing.add(block.id);
    if (isBlock(block, "tool_result") && block.is_error !== true && writing.has(block.tool_use_id))
      return true;
  }
  return false;
}

function changesMemory({ name, input }: ToolUseBlock, place: MemoryLocation): boolean {
  const { command, file_path: path } = (input ?? {}) as Readonly<Record<string, unknown>>;
  if (name === memoryToolName) return memoryChanges.has(command);
  return memoryChangingTools.includes(name) && typeof path === "string" && isBelow(path, place);
}

function isBelow(path: string, { folder, cwd }: MemoryLocation): boolean {
  const whole = path.startsWith("/") ? path : cwd === undefined ? null : `${cwd}/${path}`;
  return whole !== null && `${settled(whole)}/`.startsWith(`${settled(folder)}/`);
}

/** A path without what leads to itself or back. */
function settled(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
