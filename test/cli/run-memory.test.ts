import { describe, expect, it } from "vitest";
import { fault, say } from "../../packages/testing/src/index.ts";
import { answers, extract, isExtraction, memoryFile } from "../loop/agent-memory-support.ts";
import { runCli } from "../support/cli.ts";
import { type AgentLocation, agentLocation } from "../support/run-agent.ts";

const push = memoryFile("feedback", "pushing to main", "Never push to main.");
const prompt = "Please remember: never push to main.";

async function remembered({ home, project }: AgentLocation): Promise<unknown> {
  return JSON.parse((await runCli(["memory", "list", "--json"], { home, cwd: project })).stdout);
}

describe("palimpsest run and memory", () => {
  it("has kept what was to be remembered when it ends, and prints the answer alone", async () => {
    const script = answers([say("Noted.")], [extract("push.md", push), say("done")]);
    const location = await agentLocation({ script, hasExtraction: true });
    expect(await location.run(["-p", prompt])).toEqual({ code: 0, stdout: "Noted.\n", stderr: "" });
    expect(await remembered(location)).toMatchObject([
      { path: "push.md", type: "feedback", trust: "trusted" },
    ]);
    await location.run(["-p", "May I push to main?"]);
    const [asked] = [...location.emulator.requests].filter((one) => !isExtraction(one)).slice(-1);
    expect(JSON.stringify(asked?.whole)).toContain("[pushing to main](push.md)");
  });

  it("tries an extraction that failed again at the end of the session's next turn", async () => {
    const failing = [fault.tooLarge(), extract("push.md", push), say("done")];
    const location = await agentLocation({ script: answers([], failing), hasExtraction: true });
    const { code, stdout } = await location.run(["-p", prompt, "--output", "json"]);
    expect({ code, remembered: await remembered(location) }).toEqual({ code: 0, remembered: [] });
    await location.run(["--resume", JSON.parse(stdout).session, "-p", "Go on."]);
    expect(await remembered(location)).toMatchObject([{ path: "push.md" }]);
  });

  it("does not keep a person waiting who interrupts it, and makes up for it in the next turn", async () => {
    let hearAsked: () => void;
    const asked = new Promise<void>((resolve) => {
      hearAsked = resolve;
    });
    const stall = () => {
      hearAsked();
      return fault.stall({ afterEvent: 1, answer: say("…") });
    };
    const extractions = [stall, extract("push.md", push), say("done")];
    const location = await agentLocation({
      script: answers([say("Noted.")], extractions),
      hasExtraction: true,
    });
    const running = location.start(["-p", prompt]);
    const { id } = await running.event("session");
    await asked;
    await running.event("run-end");
    running.child.kill("SIGINT");
    const { code, stderr } = await running.ended();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    await location.run(["--resume", String(id), "-p", "Go on."]);
    expect(await remembered(location)).toMatchObject([{ path: "push.md" }]);
  });
});
