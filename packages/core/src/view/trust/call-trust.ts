import { closedTools, taintKindOf } from "../../catalog/known-tools.ts";
import { isRecord } from "../../json/json-values.ts";
import type { ToolUseBlock } from "../../spec/index.ts";
import { readToolPurpose } from "../ledgers/tool-call.ts";
import { fileTrust, type TaintKind, type TrustLocations } from "./locations.ts";

/** The part of a call kept until its result is there. */
export interface TrustedCall {
  readonly tool: string;
  /** The file that a tool for files was asked for. */
  readonly path?: string;
}

export function readTrustedCall(use: Pick<ToolUseBlock, "name" | "input">): TrustedCall {
  const purpose = readToolPurpose(use);
  return purpose.purpose === "file" ? { tool: use.name, path: purpose.path } : { tool: use.name };
}

/** Of tools that nothing is known of: by words in their names. */
const kinds: readonly (readonly [RegExp, TaintKind])[] = [
  [/^mcp(?:__|$)/i, "mcp"],
  [/web|fetch|browser|http/i, "web"],
  [/mail|inbox|message/i, "agent"],
];

/** The flaw in the result of a call, and its name; `null` where it is trusted. */
export interface ResultFlaw {
  readonly kind: TaintKind;
  readonly name?: string;
}

/**
 * All tool output is untrusted, except files of the workspace under version control. A tool's stamps say which files it
 * really touched: all of them count. A result whose call is not known is untrusted.
 */
export function resultFlaw(
  call: TrustedCall | undefined,
  stamped: readonly string[],
  locations: TrustLocations,
): ResultFlaw | null {
  if (call === undefined) return { kind: "tool" };
  const { tool, path } = call;
  if (closedTools.has(tool)) return null;
  if (path === undefined) return { kind: kindOf(tool), name: tool };
  for (const file of [path, ...stamped]) {
    const standing = fileTrust(file, locations);
    if (standing !== "trusted") return { kind: standing, name: file };
  }
  return null;
}

function kindOf(tool: string): TaintKind {
  return taintKindOf(tool) ?? kinds.find(([pattern]) => pattern.test(tool))?.[1] ?? "tool";
}

/** The files that a message's stamps name for a call. Total. */
export function stampedPaths(files: unknown, toolUseId: string): readonly string[] {
  if (!Array.isArray(files)) return [];
  return files.flatMap((stamp: unknown) =>
    isRecord(stamp) && stamp.toolUseId === toolUseId && typeof stamp.path === "string" ? stamp.path : [],
  );
}
