import type { ToolSubject } from "@palimpsest/core/spec";

/** The one file that a tool's input names, as it is written there: `resolveSubjects` says where it leads. */
export function pathSubjects(
  field: string,
  access: ToolSubject["access"],
  whenAbsent?: string,
): (input: unknown) => readonly ToolSubject[] {
  return (input) => {
    const given =
      typeof input === "object" && input !== null ? (input as Record<string, unknown>)[field] : undefined;
    const value = typeof given === "string" ? given : whenAbsent;
    return value === undefined ? [] : [{ kind: "path", value, access }];
  };
}
