import { describe, expect, it } from "vitest";
import { callTool, say } from "../../packages/testing/src/index.ts";
import { endOf, type Provider } from "../support/agent.ts";
import {
  brokenPrefixes,
  cacheKinds,
  cacheReads,
  inTurn,
  kindsOf,
  resultsOf,
  run,
  transcriptOf,
  useProject,
} from "./agent-project.ts";

const files = {
  "sum.mjs": "export const sum = (a, b) => a - b;\n",
  "sum.test.mjs": `import assert from "node:assert/strict";
import { test } from "node:test";
import { sum } from "./sum.mjs";
test("adds", () => assert.equal(sum(2, 3), 6 - 1));
`,
  "README.md": "# Sums\n",
};
const runTests = callTool("Bash", { command: "node --test sum.test.mjs" });
const allowTests = { permissions: { allow: ["Bash(node --test:*)"] } };

describe.each<Provider>(["anthropic", "openai"])("an agent with %s", (provider) => {
  it("reads, edits, runs the tests, sees them fail, mends it, and goes on after it was closed", async () => {
    const script = inTurn(
      [callTool("Read", { file_path: "sum.mjs" }), callTool("Read", { file_path: "README.md" })],
      callTool("Edit", { file_path: "sum.mjs", old_string: "a - b", new_string: "a * b" }),
      runTests,
      callTool("Edit", { file_path: "sum.mjs", old_string: "a * b", new_string: "a + b" }),
      runTests,
      say("It adds now."),
      callTool("Edit", { file_path: "sum.mjs", old_string: "a + b", new_string: "b + a" }),
      runTests,
      say("Still."),
    );
    const project = await useProject({ provider, script, files, settings: allowTests });
    const first = await project.open();
    const events = await run(first, "Make the tests pass.");

    expect(endOf(events)).toMatchObject({ reason: "done", text: "It adds now.", requests: 6 });
    expect(resultsOf(events).map(({ tool, isError }) => [tool, isError])).toEqual([
      ["Read", false],
      ["Read", false],
      ["Edit", false],
      ["Bash", true],
      ["Edit", false],
      ["Bash", false],
    ]);
    expect(resultsOf(events)[3]?.text).toContain("# fail 1");
    expect(resultsOf(events)[5]?.text).toContain("# pass 1");
    expect(await project.read("sum.mjs")).toBe("export const sum = (a, b) => a + b;\n");
    expect(await transcriptOf(first)).toEqual([
      "attachment surroundings",
      "user Make the tests pass.",
      "assistant tool_use Read",
      "assistant tool_use Read",
      "user tool_result",
      "user tool_result",
      "assistant tool_use Edit",
      "user tool_result",
      "assistant tool_use Bash",
      "user tool_result failed",
      "assistant tool_use Edit",
      "user tool_result",
      "assistant tool_use Bash",
      "user tool_result",
      "assistant text It adds now.",
    ]);
    await first.close();

    const second = await project.open({ resume: true });
    const more = await run(second, "Turn it around.");
    expect(endOf(more)).toMatchObject({ reason: "done", text: "Still." });
    expect(kindsOf(more)).toEqual([]);
    expect(await project.read("sum.mjs")).toBe("export const sum = (a, b) => b + a;\n");

    expect([...project.emulator.requests].map(({ status }) => status)).toEqual(Array(9).fill(200));
    expect(brokenPrefixes(project.emulator)).toEqual([]);
    const reads = cacheReads(project.emulator);
    expect(reads.slice(1)).toEqual(reads.slice(1).toSorted((one, other) => one - other));
    expect(reads[1]).toBeGreaterThan(0);
    if (provider === "anthropic") expect(cacheKinds(project.events)).toEqual(Array(8).fill("hit"));
  });
});
