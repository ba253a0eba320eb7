import { describe, expect, it } from "vitest";
import { say } from "../../packages/testing/src/index.ts";
import { asksForSummary, summarised } from "../compaction/compacting-agent.ts";
import { agentLocation } from "../support/run-agent.ts";

const model = ["--model", "claude-opus-4-5"];
const long = `Yes. ${"And this is why, in many words. ".repeat(900)}`;

describe("palimpsest run -p /compact", () => {
  const location = () =>
    agentLocation({
      script: (request) => (asksForSummary(request) ? summarised("1. They talked.") : say(long)),
    });

  it("compacts a session that is resumed, with the words behind it as instructions", async () => {
    const { run, emulator } = await location();
    const { session } = JSON.parse((await run([...model, "-p", "Talk.", "--output", "json"])).stdout);
    const compacted = await run(["--resume", session, "-p", "/compact name the colours"]);
    expect(compacted).toMatchObject({ code: 0, stderr: "" });
    expect(compacted.stdout).toMatch(
      /^Compacted: [\d,]+ → [\d,]+ tokens, .+\. It can be undone: dec_\w+\.\n$/,
    );
    const [asked] = [...emulator.requests].filter(asksForSummary);
    expect(JSON.stringify(asked?.whole?.messages)).toContain("name the colours");
    const json = await run(["--resume", session, "-p", "/snip", "--output", "json"]);
    expect(JSON.parse(json.stdout)).toEqual({ session, rounds: 0, freedTokens: 0, refused: [] });
  });

  it("says what it needs where no session is resumed", async () => {
    const { run } = await location();
    const { code, stderr } = await run([...model, "-p", "/compact"]);
    expect(code).toBe(2);
    expect(stderr).toContain('use: palimpsest run --resume ID -p "/compact"');
  });
});
