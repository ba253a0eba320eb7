import { describe, expect, it } from "vitest";
import { callTool, say } from "../../packages/testing/src/index.ts";
import { usePrograms } from "../mcp/support.ts";
import type { Provider } from "../support/agent.ts";
import { inTurn, resultsOf, run, useProject } from "./agent-project.ts";

const touch = (name: string) => callTool("Bash", { command: `touch ${name}` });
const show = callTool("Bash", { command: "sh show.sh" });

describe.each<Provider>(["anthropic", "openai"])(
  "a project that nobody trusts, with %s (museum 31)",
  (provider) => {
    it("runs no hook and no server, allows nothing and sets no variable, until somebody does", async () => {
      const programs = await usePrograms();
      const project = await useProject({
        provider,
        files: {
          "show.sh": "printenv MARK || echo unset\n",
          "hook.sh": "touch hook-ran\n",
        },
        settings: { permissions: { allow: ["Bash(sh show.sh)"] } },
        projectSettings: {
          hooks: Object.fromEntries(
            ["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd"].map((name) => [
              name,
              [{ hooks: [{ command: ["sh", "hook.sh"] }] }],
            ]),
          ),
          mcp: { theirs: programs.settings() },
          permissions: { allow: ["Bash"], deny: ["Bash(touch denied)"] },
          environment: { MARK: "set" },
        },
      });
      const rounds = [[touch("allowed"), touch("denied"), show], say("Done.")];
      project.emulator.setScript(inTurn(...rounds, ...rounds));

      const before = await project.open();
      const [first, second, third] = resultsOf(await run(before));
      expect([first?.isError, second?.isError, third?.text]).toEqual([true, true, "unset"]);
      await before.close();
      expect(["hook-ran", "allowed", "denied"].filter(project.has)).toEqual([]);
      expect(programs.ids()).toEqual([]);
      const ignored = project.events.filter(({ type }) => type === "setting-ignored");
      expect(JSON.stringify(ignored)).toContain("hooks");

      await project.trustSettings();
      const after = await project.open({ id: "two" });
      const again = resultsOf(await run(after));
      expect(again.map(({ isError, text }) => (isError ? "failed" : text))).toEqual([
        "[The command has no output.]",
        "failed",
        "set",
      ]);
      expect(["hook-ran", "allowed", "denied"].filter(project.has)).toEqual(["hook-ran", "allowed"]);
      expect(programs.running()).toHaveLength(1);
      await after.close();
      expect(programs.running()).toEqual([]);
    });
  },
);
