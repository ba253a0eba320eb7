import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import type { LoopEvent } from "../../../../../core/src/spec/index.ts";
import { createStyle } from "../../terminal/style.ts";
import { passingLine, progressLine } from "./watched-output.ts";

const place = { cwd: "/work/shop", columns: 80, style: createStyle(false) };
const started = (tool: string, input: unknown): LoopEvent => ({
  type: "tool-start",
  toolUseId: "t",
  tool,
  input,
});
const ended = (content: string, isError: boolean): LoopEvent => ({
  type: "tool-end",
  toolUseId: "t",
  tool: "Bash",
  content,
  isError,
  durationMs: 1,
});

describe("a line of progress", () => {
  it("names the tool and what it is about, paths from the folder on", () => {
    for (const [tool, input, line] of [
      ["Read", { file_path: "/work/shop/src/a.ts", limit: 3 }, "* Read src/a.ts"],
      ["Read", { file_path: "/etc/passwd" }, "* Read /etc/passwd"],
      ["Bash", { description: "look", command: "git status\n  --short" }, "* Bash git status --short"],
      ["Grep", { path: "src", pattern: "TODO" }, "* Grep TODO"],
      ["mcp__wiki__ask", { title: "Home", page: 1 }, "* mcp__wiki__ask Home"],
      ["TodoWrite", { todos: [] }, "* TodoWrite"],
      ["Odd", null, "* Odd"],
    ] as const)
      expect(progressLine(started(tool, input), place)).toBe(line);
  });

  it("says what failed, what is waited for and who goes on", () => {
    const message = "Anthropic is overloaded (529).";
    expect(progressLine(ended("fine", false), place)).toBeNull();
    expect(progressLine(ended("No such file\nor folder", true), place)).toBe("  ! No such file or folder");
    expect(
      progressLine({ type: "retry-wait", attempt: 1, delayMs: 1_500, code: "overloaded", message }, place),
    ).toBe(`~ again in 1.5 s: ${message}`);
    expect(progressLine({ type: "model-fallback", from: "a", to: "b", message }, place)).toBe(
      `~ going on with b: ${message}`,
    );
    expect(passingLine({ type: "model-start", model: "a", tokens: 1, attempt: 1 }, place)).toBe("… a");
  });

  it("fits into the width and obeys nothing, whatever is in it", () => {
    const hostile = `\u001b[2J\u001b]0;title\u0007${"宽".repeat(100)}\r\nforged`;
    for (const event of [
      started("Bash", { command: hostile }),
      started(hostile, {}),
      ended(hostile, true),
      { type: "notice-add", subtype: "rules", text: hostile },
      { type: "message-show", level: "info", text: hostile },
    ] as const) {
      const line = progressLine(event as LoopEvent, place) ?? "";
      expect(stringWidth(line)).toBeLessThanOrEqual(80);
      expect(line).not.toMatch(/\p{Cc}/u);
      expect(line).not.toBe("");
    }
  });
});
