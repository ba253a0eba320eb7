import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRuntime } from "../../packages/core/src/runtime.ts";
import type { ProjectStores, SpendingLedger } from "../../packages/core/src/spec/index.ts";
import {
  createFileSpendingLedger,
  createNodeDisk,
  openFileStores,
} from "../../packages/core/src/stores/files/index.ts";
import { openPostgresStores } from "../../packages/core/src/stores/postgres/index.ts";
import { createLedgerDayBook } from "../../packages/palimpsest/src/loop/agents/create-agents.ts";
import { createDaySpend } from "../../packages/palimpsest/src/loop/agents/tree-meter.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import {
  callTool,
  createVirtualClock,
  fault,
  type RecordedRequest,
  say,
} from "../../packages/testing/src/index.ts";
import { model, smallWindow, stage } from "../gateway/gateway-stage.ts";
import { useProject } from "../loop/agent-project.ts";
import { lastOf } from "../loop/fork-support.ts";
import { collect } from "../support/agent.ts";
import { newDatabaseUrl } from "../support/postgres/both-stores.ts";
import { describeOnPostgres } from "../support/postgres/use-postgres.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const { clock, ids } = createRuntime();
const dayOf = (nowMs: number) => new Date(nowMs).toISOString().slice(0, 10);

interface SpendingStores {
  readonly stores: ProjectStores;
  readonly ledger: SpendingLedger;
}

/** Where sessions are, and the ledger that everybody who has them shares. */
const kinds = {
  async files(home: string): Promise<SpendingStores> {
    const ledger = createFileSpendingLedger({ home, disk: createNodeDisk(), clock, ids });
    return { stores: await openFileStores(home), ledger };
  },
  async postgres(): Promise<SpendingStores> {
    const stores = must(await openPostgresStores({ url: await newDatabaseUrl() }));
    onTestFinished(() => stores.close());
    return { stores, ledger: stores.store("any").spending as SpendingLedger };
  },
};

const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
};

describeOnPostgres("a day's budget", () => {
  describe.each(["files", "postgres"] as const)("on %s", (kind) => {
    const summary = "<summary>The user asked many questions, all of them answered.</summary>";
    const isSummary = ({ body }: RecordedRequest) =>
      /<summary>/.test(JSON.stringify(body ?? {}).slice(-4_000));

    /** A conversation through the gateway that has to be compacted. */
    async function talkThroughGateway(dollarsPerDay: number) {
      const home = await temporaryFolder();
      const { stores, ledger } = await kinds[kind](home);
      const settings = { budget: { dollarsPerDay } };
      await writeFile(join(home, "settings.json"), JSON.stringify(settings));
      const begunMs = clock.now();
      const { anthropic, gateway, emulator } = await stage(
        { ...smallWindow(16_000), script: (request) => say(isSummary(request) ? summary : "Fine.") },
        { compactBy: "model", home, stores },
      );
      const messages = Array.from({ length: 31 }, (_, at) => ({
        role: at % 2 === 0 ? ("user" as const) : ("assistant" as const),
        content: `Question ${at}: ${"and some more to think about ".repeat(150)}`,
      }));
      const { stop_reason: reason } = await anthropic.messages
        .stream({ model, max_tokens: 500, messages })
        .finalMessage();
      await gateway.idle();
      const days = new Set([dayOf(begunMs), dayOf(clock.now())]);
      const sums = await Promise.all([...days].map(async (day) => must(await ledger.spent("all", day))));
      const spent = sums.reduce((sum, { dollars, reserved }) => sum + dollars + reserved, 0);
      return { reason, spent, asked: emulator.requests.where(isSummary).length };
    }

    it("counts what the gateway asks by itself", async () => {
      const { reason, spent, asked } = await talkThroughGateway(100);
      expect(reason).toBe("end_turn");
      expect(asked).toBeGreaterThan(0);
      expect(spent).toBeGreaterThan(0);
    });

    it("keeps the gateway from asking by itself where it is used up; clients are answered", async () => {
      const { reason, spent, asked } = await talkThroughGateway(0.000_001);
      expect({ reason, spent, asked }).toEqual({ reason: "end_turn", spent: 0, asked: 0 });
    });

    it("counts the few words that say what a background agent does", async () => {
      const isAgent = ({ whole }: RecordedRequest) => {
        const said = JSON.stringify(whole?.messages ?? []);
        return said.includes("Look into it.") && !said.includes("Begin it.");
      };
      const isProgress = (request: RecordedRequest) => lastOf(request).includes("<newest>");
      const project = await useProject({
        settings: { agents: { summaryModel: "claude-opus-4-5" } },
        script(request) {
          if (isProgress(request)) return say("Reading the lease test");
          if (lastOf(request).includes("Begin it."))
            return callTool("Agent", {
              description: "a part",
              prompt: `Look into it. ${"word ".repeat(6_000)}`,
              background: true,
            });
          if (!isAgent(request)) return say("Well.");
          if (lastOf(request).includes("tool_result")) return fault.stall();
          return callTool("Glob", { pattern: "*.txt" });
        },
      });
      const { stores, ledger } = await kinds[kind](project.home);
      const time = createVirtualClock();
      const settings = { budget: { dollarsPerDay: 100 } };
      const session = await project.open({ stores, clock: time, settings });
      await collect(session.run("Begin it."));
      const { requests } = project.emulator;
      await until(() => [...requests].some((one) => isAgent(one) && lastOf(one).includes("tool_result")));
      const day = dayOf(time.now());
      const before = must(await ledger.spent("all", day));
      await time.advance(30_000);
      await until(() => project.events.some(({ type }) => type === "agent-update"));
      expect(requests.where(isProgress)).toHaveLength(1);
      const after = must(await ledger.spent("all", day));
      expect(after.dollars).toBeGreaterThan(before.dollars);
      expect(after.reserved).toBe(before.reserved);
    });
  });

  it("of agents is one sum for all machines, though each adds to it by itself", async () => {
    const { ledger } = await kinds.postgres();
    let day = "2026-01-31";
    const warnings: string[] = [];
    const warn = (text: string) => void warnings.push(text);
    const open = () => createDaySpend({ book: createLedgerDayBook(ledger), today: () => day, warn });
    const [one, two] = [open(), open()];
    one.add(0.25);
    two.add(0.5);
    expect([one.dollars(), two.dollars()]).toEqual([0.25, 0.5]);
    await Promise.all([one.settle(), two.settle()]);
    await Promise.all([one.load(), two.load()]);
    expect([one.dollars(), two.dollars()]).toEqual([0.75, 0.75]);
    day = "2026-02-01";
    await one.load();
    expect([one.dollars(), warnings]).toEqual([0, []]);
  });
});
