import { describe, expect, it } from "vitest";
import type { Entry } from "../spec/index.ts";
import { emptyTaint, toTaint } from "../view/trust/index.ts";
import { nextSessionTaint, type SessionTrustLocations } from "./session-taint.ts";

const locations: SessionTrustLocations = {
  cwd: "/w",
  folders: ["/w"],
  isTracked: () => false,
  memoryTool: "memory",
};
const entry = (seq: number, type: "assistant" | "user", block: object): Entry =>
  ({ id: `e${seq}`, seq, kind: "message", message: { type, content: [block] } }) as unknown as Entry;
const shown = (...lines: readonly string[]) =>
  [
    "Here's the content of /memories/a.md with line numbers:",
    ...lines.map((line, at) => `     ${at + 1}\t${line}`),
  ].join("\n");

function trustAfter(content: unknown, { tool = "memory", given = locations } = {}) {
  const call = entry(1, "assistant", { type: "tool_use", id: "t", name: tool, input: { command: "view" } });
  const result = entry(2, "user", { type: "tool_result", tool_use_id: "t", content });
  return toTaint(nextSessionTaint(nextSessionTaint(emptyTaint, call, given), result, given)).trust;
}

describe("what the memory tool shows", () => {
  it.each([
    ["a list", "Here're the files and directories up to 2 levels deep in /memories"],
    ["a confirmation", "File created successfully at: /memories/a.md"],
    ["a trusted memory", shown("---", "name: a", "trust: trusted", "---", "", "trust: untrusted")],
    ["a confirmed memory", shown("---", "trust: untrusted", 'confirmed: "true"', "---", "Always.")],
  ])("is trusted where it is %s", (_, text) => {
    expect(trustAfter(text)).toBe("trusted");
  });

  it.each([
    ["an untrusted memory", shown("---", "trust: untrusted", "---", "trust: trusted")],
    ["a file that is no memory", shown("trust: trusted")],
    ["a file whose top has no end", shown("---", "trust: trusted")],
    [
      "a part of one",
      "Here's the content of /memories/a.md with line numbers:\n     3\t---\n     4\ttrust: trusted\n     5\t---",
    ],
    ["no text", [{ type: "text", text: "File created" }]],
  ])("is not where it is %s", (_, content) => {
    expect(trustAfter(content)).toBe("untrusted");
  });

  it("is not where nobody says that the tool is ours, or another tool has answered", () => {
    const { memoryTool: _ours, ...given } = locations;
    expect(trustAfter("File created", { given })).toBe("untrusted");
    expect(trustAfter("File created", { tool: "Bash" })).toBe("untrusted");
  });
});
