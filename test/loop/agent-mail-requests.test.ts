import { describe, expect, it } from "vitest";
import { answerWaitMs, partingRequests } from "../../packages/palimpsest/src/loop/agents/run-agent.ts";
import { say } from "../../packages/testing/src/index.ts";
import { allOf, begin, isCalled, look, mailsOf, openMailProject, write } from "./agent-mail-support.ts";
import { resultsOf, run } from "./agent-project.ts";
import { gate } from "./fork-support.ts";

const requestId = "r1";

describe("a request to end", () => {
  /** A session that asks its agent to end; the agent answers, and then does what `after` says. */
  async function askToEnd(approve: boolean, after: () => ReturnType<typeof look> | ReturnType<typeof say>) {
    const sent = gate();
    const project = await openMailProject({
      root: async (last) => {
        if (last.includes("Do it.")) return begin("ada");
        if (last.includes("works in the background")) {
          await project.hasAsked("ada");
          return write("ada", { type: "shutdown_request", requestId, reason: "It is late." });
        }
        if (last.includes("Sent to ada")) sent.open();
        return say("Well.");
      },
      agents: {
        ada: async (last) => {
          await sent.opened;
          if (last.includes("shutdown_request"))
            return write("one", {
              type: "shutdown_response",
              requestId,
              approve,
              ...(!approve && { reason: "Nearly there." }),
            });
          return last.includes("tool_result") && last.includes("Sent to one") ? after() : look();
        },
      },
    });
    const opened = await project.openRoot();
    await run(opened.session);
    await opened.tree.tasks()[0]?.ended;
    return { ...opened, project };
  }

  it("that is agreed to ends the agent after its turn, whatever else waits for it", async () => {
    const { session, tree } = await askToEnd(true, () => say("Good night."));
    expect(tree.statuses()).toMatchObject([{ state: "done" }]);
    const mails = await mailsOf(session);
    expect(mails).toEqual([expect.stringContaining('kind="shutdown_response"')]);
    expect(mails[0]).toContain("approve: true");
  });

  it("that is agreed to ends an agent that goes on nevertheless", async () => {
    const { tree, project } = await askToEnd(true, look);
    const asked = project.emulator.requests.where(isCalled("ada")).map(allOf);
    const parting = asked.filter((text) => text.includes("Sent to one (queue)."));
    expect(parting).toHaveLength(partingRequests);
    expect(tree.statuses()).toMatchObject([
      { state: "stopped", reason: "It had agreed to end, and went on." },
    ]);
  });

  it("that is refused leaves it at work", async () => {
    const { session, tree } = await askToEnd(false, () => say("Now I am done."));
    expect(tree.tasks()[0]?.result()).toContain("Now I am done.");
    expect((await mailsOf(session))[0]).toContain("reason: Nearly there.");
  });
});

describe("a plan that waits for approval", () => {
  async function askForApproval(answer: object | null) {
    const project = await openMailProject({
      root: (last) => {
        if (last.includes("Do it.")) return begin("ada");
        if (last.includes("plan_approval_request") && answer)
          return write("ada", { type: "plan_approval_response", requestId, ...answer });
        return say("Well.");
      },
      agents: {
        ada: (last) => {
          if (last.includes("plan_approval_response"))
            return say(last.includes("approve: true") ? "Carried out." : "Left alone.");
          return last.includes("Sent to one")
            ? say("I wait.")
            : write("one", { type: "plan_approval_request", requestId, plan: "Paint it." });
        },
      },
    });
    const opened = await project.openRoot();
    await run(opened.session);
    await project.hasAsked("ada", 2);
    return { ...opened, project };
  }

  it.each([
    [{ approve: true }, "Carried out."],
    [{ approve: false, feedback: "Not red." }, "Left alone."],
  ])("is answered with %j, which the agent has waited for", async (answer, said) => {
    const { session, tree, project } = await askForApproval(answer);
    expect(tree.statuses()).toMatchObject([{ state: "running" }]);
    const events = await run(session, "And now?");
    expect(resultsOf(events).at(-1)?.text).toContain("Sent to ada (queue).");
    await tree.tasks()[0]?.ended;
    expect(tree.tasks()[0]?.result()).toContain(said);
    expect(allOf(project.emulator.requests.where(isCalled("ada")).at(-1) as never)).toContain(
      "plan_approval_response",
    );
    const again = await run(session, "Once more: say plan_approval_request.");
    expect(resultsOf(again)[0]).toMatchObject({ isError: true });
  });

  it("is answered once: a second answer is refused with the reason", async () => {
    const project = await openMailProject({
      root: (last) => {
        if (last.includes("Do it.")) return begin("ada");
        if (!last.includes("Answer twice.")) return say("Well.");
        const answer = { type: "plan_approval_response", requestId, approve: true };
        return [write("ada", { ...answer, requestId: "r2" }), write("ada", answer), write("ada", answer)];
      },
      agents: {
        ada: (last) => {
          if (last.includes("plan_approval_response")) return say("Thanks.");
          return last.includes("Sent to one")
            ? say("I wait.")
            : write("one", { type: "plan_approval_request", requestId, plan: "Paint it." });
        },
      },
    });
    const { session, tree } = await project.openRoot();
    await run(session);
    await project.hasAsked("ada", 2);
    const results = resultsOf(await run(session, "Answer twice.")).map(({ text }) => text);
    expect(results[0]).toContain("No plan_approval_request r2 is open");
    expect(results[1]).toContain("Sent to ada");
    expect(results[2]).toMatch(/was answered before: approved|There is no agent “ada”/);
    await tree.tasks()[0]?.ended;
  });

  it("does not keep its agent for ever", async () => {
    const { tree, clock } = await askForApproval(null);
    expect(tree.statuses()).toMatchObject([{ state: "running" }]);
    while (tree.statuses()[0]?.state === "running") await clock.advance(answerWaitMs);
    expect(tree.statuses()).toMatchObject([{ state: "done" }]);
  });
});
