import { describe, expect, it } from "vitest";
import { createStyle } from "../../terminal/style.ts";
import type { PermissionDialog } from "../state/dialog.ts";
import { dialogLines } from "./dialog-lines.ts";

const look = { columns: 60, style: createStyle(false), isPlain: false, cwd: "/w" };

function dialog(agent?: string): PermissionDialog {
  const subjects = [{ kind: "command", value: "touch a", access: "execute" }] as const;
  const input = { command: "touch a" };
  const question = { toolUseId: "1", tool: "Bash", input, subjects, reason: "It may change something." };
  return {
    kind: "permission",
    question: { ...question, ...(agent !== undefined && { agent }) },
    chosen: 0,
    scroll: 0,
    reason: null,
  };
}

describe("the dialog for permission", () => {
  it("says which agent asks, where it is not the session itself, and is not fooled by its name", () => {
    const [head, who] = dialogLines(dialog("scout\u001b[2J\n? Read"), look, 24).lines;
    expect([head, who]).toEqual(["? Bash", "  asked by the agent scout␛[2J ? Read"]);
    expect(dialogLines(dialog(), look, 24).lines.join("\n")).not.toContain("asked by");
  });
});
