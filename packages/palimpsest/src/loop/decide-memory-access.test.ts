import { describe, expect, it } from "vitest";
import type { PermissionMode, ToolSubject } from "../../../core/src/spec/index.ts";
import { decidePermission } from "../tools/permissions/index.ts";
import { decideMemoryAccess } from "./create-judge.ts";
import type { CallMatter } from "./run.ts";

const folder = "/home/me/.palimpsest/projects/p/memory";
const path = (value: string, access: ToolSubject["access"], realPath?: string | null): ToolSubject => ({
  kind: "path",
  value,
  access,
  ...(realPath !== undefined && { realPath }),
});
const decide = (matter: CallMatter) =>
  decidePermission({
    ...matter,
    workspace: ["/work"],
    homeFolder: "/home/me",
    isReadOnlyCommand: () => false,
  });
const verdict = (tool: string, subjects: readonly ToolSubject[], more: Partial<CallMatter> = {}) =>
  decideMemoryAccess(
    { tool, subjects, isReadOnly: false, mode: "default", rules: {}, ...more },
    folder,
    decide,
  )?.behavior ?? null;
const [read, write] = [path(`${folder}/a.md`, "read"), path(`${folder}/a.md`, "write")];

describe("access to the memory folder", () => {
  it.each<[PermissionMode, string, string]>([
    ["default", "allow", "allow"],
    ["ask", "allow", "ask"],
    ["plan", "allow", "deny"],
    ["bypass", "allow", "allow"],
  ])("in mode %s the memory tool reads: %s, writes: %s", (mode, reads, writes) => {
    expect([verdict("memory", [read], { mode }), verdict("memory", [write], { mode })]).toEqual([
      reads,
      writes,
    ]);
  });

  it("keeps to the rules of the person", () => {
    expect(verdict("memory", [write], { rules: { deny: ["memory"] } })).toBe("deny");
    expect(verdict("memory", [write], { rules: { ask: ["memory"] } })).toBe("ask");
  });

  it.each<PermissionMode>(["default", "ask", "plan", "bypass"])(
    "lets no other tool write there in mode %s",
    (mode) => {
      const rules = { allow: ["Write", "Edit"] };
      for (const subjects of [
        [write],
        [path("/work/link.md", "write", `${folder}/a.md`)],
        [path("/work/a.md", "write"), write],
        [path(`${folder}/tool.sh`, "execute")],
      ])
        expect(verdict("Write", subjects, { mode, rules })).toBe("deny");
    },
  );

  it("is nobody's business elsewhere, and for reading by other tools", () => {
    expect(verdict("Write", [path("/work/a.md", "write")])).toBeNull();
    expect(verdict("Read", [read])).toBeNull();
    expect(verdict("memory", [])).toBeNull();
    expect(verdict("Write", [path(`${folder}-other/a.md`, "write")])).toBeNull();
  });

  it("does not let the memory tool out of its folder", () => {
    expect(verdict("memory", [write, path("/etc/passwd", "write")])).toBe("ask");
  });
});
