import { describe, expect, it } from "vitest";
import { must, refused } from "../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock, createVirtualIds } from "../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../../../testing/src/virtual-processes.ts";
import { type AgentDirectory, PalimpsestError, type RegisteredAgent } from "../../spec/index.ts";
import { createFileAgentRecords } from "../../stores/files/agent-records.ts";
import { createFileMailbox } from "../../stores/files/mailbox/mailbox.ts";
import { createAgentDirectory } from "./create-agent-directory.ts";

const at = "2026-11-15T12:00:00.000Z";

/** Directories of several processes in one project. */
function createWorld() {
  const disk = createVirtualDisk();
  const clock = createVirtualClock({ startMs: Date.parse(at) });
  const world = createVirtualProcesses();
  let opened = 0;
  return {
    disk,
    open() {
      opened += 1;
      const parts = {
        disk,
        clock,
        ids: createVirtualIds(`p${opened}-`),
        processes: world.spawn(),
        root: "/p",
      };
      const mailbox = createFileMailbox(parts);
      const hasSession = async (id: string) => id === "ses_old";
      const records = createFileAgentRecords(parts);
      return {
        ...parts,
        mailbox,
        directory: createAgentDirectory({ ...parts, mailbox, records, hasSession }),
      };
    },
  };
}

async function register(directory: AgentDirectory, id: string, name: string, isPublic = true) {
  return must(await directory.register({ id, name, isPublic }));
}

const textsOf = (agent: RegisteredAgent) => agent.drain().map(({ message }) => message.content);
const text = (content: string) => ({ content });

describe("the agent directory", () => {
  it("puts messages for an agent of the same process into its queue, in order, once", async () => {
    const { directory } = createWorld().open();
    await register(directory, "ses_1", "main");
    const tester = await register(directory, "ses_1/agent_1", "tester", false);
    let heard = 0;
    const stop = tester.onMessage(() => {
      heard += 1;
    });
    for (const content of ["one", "two"]) must(await directory.send("ses_1", "tester", text(content)));
    stop();
    must(await directory.send("ses_1", "session:ses_1/agent_1", { content: "three", summary: "s" }));
    const drained = tester.drain();
    expect(drained.at(-1)).toEqual({
      id: "mail_p1-000003",
      from: "ses_1",
      fromName: "main",
      at,
      seq: Date.parse(at) + 2,
      message: { content: "three", summary: "s" },
    });
    expect(drained.map(({ message }) => message.content)).toEqual(["one", "two", "three"]);
    expect([heard, tester.drain()]).toEqual([2, []]);
  });

  it("writes to all but the sender, whatever process they are in", async () => {
    const { open } = createWorld();
    const [here, there] = [open(), open()];
    const main = await register(here.directory, "ses_1", "main");
    const tester = await register(here.directory, "ses_1/agent_1", "tester", false);
    await register(there.directory, "ses_2", "other");
    await register(there.directory, "ses_2/agent_1", "hidden", false);
    expect(must(await here.directory.send("ses_1", "*", text("All hands."))).delivered).toEqual([
      { id: "mail_p1-000001", to: "ses_2", name: "other", route: "mailbox" },
      { id: "mail_p1-000002", to: "ses_1/agent_1", name: "tester", route: "queue" },
    ]);
    expect([textsOf(main), textsOf(tester)]).toEqual([[], ["All hands."]]);
    expect(must(await there.mailbox.take("ses_2", 9))).toMatchObject([
      { from: "ses_1", to: "ses_2", body: { content: "All hands." } },
    ]);
  });

  it("says who can be reached where nobody has the address, and writes nothing", async () => {
    const { open } = createWorld();
    const [here, there] = [open(), open()];
    await register(here.directory, "ses_1", "main");
    await register(there.directory, "ses_2", "other");
    for (const to of ["nobody", "session:ses_9"]) {
      const sent = await here.directory.send("ses_1", to, text("?"));
      expect(!sent.ok && [sent.error.code, sent.error.fix]).toEqual([
        "not-found",
        "Reachable: other (session:ses_2).",
      ]);
    }
    expect(refused(await here.directory.send("ses_1", "main", text("?")))).toBe("invalid-input");
    expect(refused(await here.directory.send("ses_1", "../main", text("?")))).toBe("invalid-input");
  });

  it("keeps mail for a session that does not run", async () => {
    const { directory, mailbox } = createWorld().open();
    expect(must(await directory.send("ses_1", "bridge:ses_old", text("Later."))).delivered).toEqual([
      { id: "mail_p1-000001", to: "ses_old", name: "session:ses_old", route: "mailbox" },
    ]);
    expect(must(await mailbox.take("ses_old", 9))).toMatchObject([{ from: "ses_1" }]);
  });

  it("gives a name to one, and to the next once that one is gone or its process dead", async () => {
    const { open } = createWorld();
    const [first, second, third] = [open(), open(), open()];
    const agent = await register(first.directory, "ses_1", "main");
    const again = { id: "ses_2", name: "main", isPublic: true };
    expect(refused(await second.directory.register(again))).toBe("exists");
    expect(refused(await first.directory.register({ id: "ses_1", name: "x" }))).toBe("exists");
    await agent.unregister();
    await agent.unregister();
    expect(await second.directory.list()).toEqual([]);
    await register(second.directory, "ses_2", "main");
    second.processes.exit();
    expect(await third.directory.list()).toEqual([]);
    await register(third.directory, "ses_3", "main");
    expect(await first.directory.list()).toEqual([{ id: "ses_3", name: "main", route: "mailbox" }]);
  });

  it("keeps no file of agents that have left or whose processes are dead", async () => {
    const { open, disk } = createWorld();
    const filesOf = async () => must(await disk.list("/p/agents")).length;
    for (let number = 0; number < 30; number += 1) {
      const { directory, processes } = open();
      const agent = await register(directory, `ses_${number}`, `agent-${number}`);
      if (number % 2 === 0) processes.exit();
      else await agent.unregister();
      expect(await filesOf()).toBeLessThanOrEqual(2);
    }
    const { directory } = open();
    const last = await register(directory, "ses_last", "agent-0");
    expect(await directory.list()).toMatchObject([{ name: "agent-0" }]);
    await last.unregister();
    expect(await filesOf()).toBe(0);
  });

  it("gives a name to one of many that want it at once, while what dead ones left is removed", async () => {
    const { open } = createWorld();
    for (let round = 0; round < 10; round += 1) {
      const dead = open();
      await register(dead.directory, "ses_dead", "main");
      dead.processes.exit();
      const worlds = Array.from({ length: 5 }, () => open());
      const all = await Promise.all(
        worlds.map(({ directory }, index) =>
          directory.register({ id: `ses_${index}`, name: "main", isPublic: true }),
        ),
      );
      const won = all.filter((one) => one.ok);
      expect(won).toHaveLength(1);
      expect((await open().directory.list()).map(({ name }) => name)).toEqual(["main"]);
      for (const one of won) if (one.ok) await one.value.unregister();
    }
  });

  it("believes no record whose name is not held, and follows no link", async () => {
    const { open, disk } = createWorld();
    const { directory } = open();
    await register(directory, "ses_1", "main");
    const [record = ""] = must(await disk.list("/p/agents")).filter((name) => name.endsWith(".json"));
    must(await disk.rename(`/p/agents/${record}`, `/p/agents/${"0".repeat(32)}.json`));
    expect(await open().directory.list()).toEqual([]);
  });

  it("goes on with the mailbox where nobody listens at the socket, and says what else failed", async () => {
    const { open } = createWorld();
    const [here, there] = [open(), open()];
    must(await there.directory.register({ id: "ses_2", name: "other", isPublic: true, socket: "/s/2.sock" }));
    const records = createFileAgentRecords(here);
    const codes = ["disconnected", "unauthenticated"] as const;
    const routes = [];
    for (const code of codes) {
      const sendOverSocket = async () => ({ ok: false as const, error: refusal(code) });
      const directory = createAgentDirectory({ ...here, records, sendOverSocket });
      const sent = await directory.send("ses_1", "other", text("x"));
      routes.push(sent.ok ? sent.value.delivered[0]?.route : sent.error.code);
    }
    expect(routes).toEqual(["mailbox", "unauthenticated"]);
  });

  it("sends no request to everybody, and nothing that is no message", async () => {
    const { directory } = createWorld().open();
    await register(directory, "ses_2", "other");
    const request = { type: "shutdown_request", requestId: "r1" } as const;
    expect(refused(await directory.send("ses_1", "*", { content: request }))).toBe("invalid-input");
    expect(refused(await directory.send("ses_1", "other", { content: { type: "reboot" } as never }))).toBe(
      "invalid-input",
    );
  });
});

function refusal(code: "disconnected" | "unauthenticated") {
  return new PalimpsestError(code, code);
}
