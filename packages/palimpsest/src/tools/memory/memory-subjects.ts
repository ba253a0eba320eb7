import type { ToolSubject } from "@palimpsest/core/spec";
import { readMemoryInput } from "./memory-input.ts";

/** The subjects of a call; the folder itself where the input names nothing that can be touched. */
export function memorySubjects(input: unknown, folder: string): readonly ToolSubject[] {
  const access = (input as { readonly command?: unknown } | null)?.command === "view" ? "read" : "write";
  const subject = (inTree: string): ToolSubject => ({
    kind: "path",
    value: inTree === "" ? folder : `${folder}/${inTree}`,
    access,
  });
  const command = readMemoryInput(input ?? {});
  if (!command.ok) return [subject("")];
  const { path } = command.value;
  const to = command.value.command === "rename" ? [subject(command.value.to.inTree)] : [];
  return [subject(path.inTree), ...to];
}
