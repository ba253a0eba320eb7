import { describe, expect, it } from "vitest";
import type { ToolSubject } from "../../../../core/src/spec/index.ts";
import { toRule } from "./rule-match.ts";

const path = (value: string, realPath?: string | null): ToolSubject => ({
  kind: "path",
  value,
  access: "write",
  ...(realPath !== undefined && { realPath }),
});
const ruleOf = (tool: string, ...subjects: readonly ToolSubject[]) =>
  toRule({ tool, subjects }, ["/work/app"]);

describe("toRule", () => {
  it("names just what the call touches", () => {
    expect(ruleOf("mcp__files__remove")).toEqual({ allow: ["mcp__files__remove"] });
    expect(ruleOf("Write", path("/work/app/.git/config"))).toEqual({ allow: ["Write(.git/config)"] });
    expect(ruleOf("Read", path("/etc/hosts"))).toEqual({ allow: ["Read(//etc/hosts)"] });
    expect(ruleOf("Write", path("/work/app/link", "/etc/a*b"))).toEqual({ allow: ["Write(//etc/a\\*b)"] });
    expect(ruleOf("Write", path("/work/app/a"), path("/work/app/a"))).toEqual({ allow: ["Write(a)"] });
    expect(ruleOf("Bash", { kind: "command", value: " ls *.md; x:* ", access: "execute" })).toEqual({
      allow: ["Bash(ls \\*.md; x:\\*)"],
    });
    expect(ruleOf("WebFetch", { kind: "url", value: "https://A.example.org:1/x", access: "read" })).toEqual({
      allow: ["WebFetch(domain:a.example.org)"],
    });
  });

  it("has none for what no rule can name", () => {
    expect(ruleOf("ExitPlanMode")).toBeUndefined();
    expect(ruleOf("Write", path("/work/app/../a"))).toBeUndefined();
    expect(ruleOf("Write", path("/work/app/a", null))).toBeUndefined();
    expect(ruleOf("Write", path("/work/app/a"), path("relative"))).toBeUndefined();
    expect(ruleOf("Bash", { kind: "command", value: " ", access: "execute" })).toBeUndefined();
    expect(ruleOf("WebFetch", { kind: "url", value: "nothing", access: "read" })).toBeUndefined();
    expect(ruleOf("odd name")).toBeUndefined();
  });
});
