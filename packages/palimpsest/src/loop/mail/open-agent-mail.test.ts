import { describe, expect, it, onTestFinished } from "vitest";
import { collect, modelAt } from "../../../../../test/support/agent.ts";
import { emulate } from "../../../../../test/support/emulator.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { createRuntime } from "../../../../core/src/runtime.ts";
import type { Entry, Session } from "../../../../core/src/spec/index.ts";
import { createNodeDisk, openFileStore } from "../../../../core/src/stores/files/index.ts";
import { must } from "../../../../testing/src/conformance/outcomes.ts";
import { callTool, type Script, say } from "../../../../testing/src/index.ts";
import { openSession } from "../open-session.ts";
import { openAgentMail } from "./open-agent-mail.ts";

const project = "test-00000000";

/** A session with mail, as a process of its own has it. */
async function openMailed(home: string, id: string, script: Script = () => say("Done."), resume = false) {
  const { emulator } = await emulate({ script });
  const store = must(await openFileStore({ home, project }));
  const runtime = createRuntime();
  const warnings: string[] = [];
  const shared = { runtime, clock: runtime.clock, disk: createNodeDisk(), home, project, store };
  const mail = await openAgentMail({ ...shared, id, warn: (text) => warnings.push(text) });
  const session = await openSession({
    store,
    id,
    resume,
    layers: [],
    model: modelAt(emulator),
    tools: [mail.tool],
    permissions: { allow: ["SendMessage"] },
    notices: (context) => [mail.source(context)],
    onClose: mail.close,
  });
  onTestFinished(() => session.close());
  return { session, mail, emulator, warnings };
}

async function mailsIn(session: Session): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const entry of session.entries() as AsyncIterable<Entry>)
    if (entry.kind === "message" && entry.message.subtype === "mail")
      texts.push(JSON.stringify(entry.message.content));
  return texts;
}

/** The first request is answered by a call of SendMessage, the others by a word. */
function sending(input: object): Script {
  let asked = 0;
  return () => {
    asked += 1;
    return asked === 1 ? callTool("SendMessage", input) : say("Done.");
  };
}

describe("the mail of sessions", () => {
  it("goes over the socket to a session that runs, which is told at its next turn, once", async () => {
    const home = await temporaryFolder();
    const receiver = await openMailed(home, "ses_b");
    const sender = await openMailed(
      home,
      "ses_a",
      sending({ to: "session:ses_b", message: "The tests are green." }),
    );
    const events = await collect(sender.session.run("Tell the other one."));
    expect(JSON.stringify(events)).toContain("Sent to ses_b (socket).");
    await collect(receiver.session.run("Go on."));
    await collect(receiver.session.run("Go on."));
    const mails = await mailsIn(receiver.session);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain("The tests are green.");
    expect(mails[0]).toContain("ses_a");
    expect([...sender.warnings, ...receiver.warnings]).toEqual([]);
  });

  it("waits for a session that does not run, and says who there is where there is none", async () => {
    const home = await temporaryFolder();
    const first = await openMailed(home, "ses_b");
    await collect(first.session.run("Begin."));
    await first.session.close();
    const sender = await openMailed(home, "ses_a", sending({ to: "session:ses_b", message: "For later." }));
    expect(JSON.stringify(await collect(sender.session.run("Tell it.")))).toContain("(mailbox)");
    const lost = await sender.mail.directory.send("ses_a", "session:ses_c", { content: "x" });
    expect(!lost.ok && lost.error.fix).toBe("Nobody else can be reached now.");
    const again = await openMailed(home, "ses_b", () => say("Done."), true);
    await collect(again.session.run("Go on."));
    expect(await mailsIn(again.session)).toHaveLength(1);
  });

  it("reaches an agent of the same process at its next round of tools", async () => {
    const home = await temporaryFolder();
    const { mail, session } = await openMailed(home, "ses_a", sending({ to: "nobody", message: "x" }));
    const helper = must(await mail.directory.register({ id: "ses_a/agent_1", name: "helper" }));
    must(await mail.directory.send("ses_a/agent_1", "ses_a", { content: "Found it." }));
    must(await mail.directory.send("ses_a", "helper", { content: "Stop looking." }));
    expect(helper.drain().map(({ from, message }) => [from, message.content])).toEqual([
      ["ses_a", "Stop looking."],
    ]);
    const events = JSON.stringify(await collect(session.run("Go on.")));
    expect(events).toContain("There is no agent “nobody”. Reachable: helper (session:ses_a/agent_1).");
    const [found] = await mailsIn(session);
    expect(found).toContain("Found it.");
    expect(found).toContain("helper");
  });
});
