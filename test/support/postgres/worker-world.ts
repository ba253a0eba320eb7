import { onTestFinished } from "vitest";
import { createRuntime } from "../../../packages/core/src/runtime.ts";
import type { EntryDraft, ProjectStores, WorkOrder } from "../../../packages/core/src/spec/index.ts";
import { openDatabase, openPostgresStores } from "../../../packages/core/src/stores/postgres/index.ts";
import { must } from "../../../packages/testing/src/conformance/outcomes.ts";
import { type RecordedRequest, type Reply, say } from "../../../packages/testing/src/index.ts";
import { extract, memoryFile, saidIn } from "../../loop/agent-memory-support.ts";
import { userSays } from "../cli.ts";
import { emulate } from "../emulator.ts";
import { testKey } from "../run-agent.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { newDatabaseUrl } from "./both-stores.ts";
import { startWorkerProcess } from "./worker-process.ts";

const { clock } = createRuntime();
/** A process takes its time to begin. */
export const patiently = { interval: 20, timeout: 60_000 };
export const project = "shop";
const file = memoryFile("feedback", "Package manager", "Use pnpm.");
const answered: EntryDraft = {
  kind: "message",
  message: { type: "assistant", content: [{ type: "text", text: "I will." }] },
};

/** Whether a tool was called before. */
export const isWritten = (request: RecordedRequest) =>
  JSON.stringify(request.whole?.messages).includes("tool_result");

/** Answers an extraction: first the memory is written, then it is said that this is all. */
export function extracts(request: RecordedRequest): Reply {
  const [, session] = /Use pnpm in (\w+)/.exec(saidIn(request)) ?? [];
  return isWritten(request) ? say("done") : extract(`${session}.md`, file)(request);
}

/** A database with sessions that nobody has extracted yet, and a model that workers can reach. */
export async function createWorkerWorld(
  reply: (request: RecordedRequest) => Reply | Promise<Reply> = extracts,
) {
  const url = await newDatabaseUrl();
  const { emulator } = await emulate({ script: reply });
  const stores: ProjectStores = must(await openPostgresStores({ url }));
  const database = must(await openDatabase({ url, clock }));
  onTestFinished(() => Promise.all([stores.close(), database.close()]).then(() => undefined));
  const home = await temporaryFolder();
  const store = stores.store(project);
  const environment = { ANTHROPIC_BASE_URL: emulator.url, ANTHROPIC_API_KEY: testKey, DATABASE_URL: url };
  const order = (session: string): WorkOrder => ({ kind: "extraction", project, session, cwd: home });
  const work = stores.work as NonNullable<ProjectStores["work"]>;
  return {
    url,
    home,
    emulator,
    environment,
    store,
    work,
    start: (more: Readonly<Record<string, string>> = {}, args: readonly string[] = []) =>
      startWorkerProcess({ home, environment: { ...environment, ...more }, args }),
    async leave(session: string) {
      const first = { kind: "session", session: { id: session, project, cwd: home } } as const;
      const writer = must(await store.logs.create(first));
      must(await writer.append([userSays(`Use pnpm in ${session}, please.`), answered]));
      must(await writer.close());
      must(await work.enqueue(order(session)));
    },
    /** How often a session's log says that it was extracted. */
    async notes(session: string) {
      let count = 0;
      must(
        await store.logs.scan(session, ({ kind, ...entry }) => {
          if (kind === "note" && JSON.stringify(entry).includes('"topic":"extraction"')) count += 1;
        }),
      );
      return count;
    },
    /** How often the memory of a session was written. */
    versions: async (session: string) => must(await store.tree("memory").history(`${session}.md`)).length,
    /** As if a minute had passed since anybody was heard of, and everything that waits may be done. */
    async skipTime() {
      const before = "clock_timestamp() - interval '10 minutes'";
      must(await database.query(`update palimpsest.work_process set seen_at = ${before}`));
      must(await database.query(`update palimpsest.lease set heartbeat_at = ${before}`));
      must(await database.query("update palimpsest_worker._private_jobs set run_at = now()"));
    },
  };
}

/** A reply that comes when the test wants it. */
export function createGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

export const outcomes = (events: readonly object[]) =>
  events.flatMap((event) => ("outcome" in event ? [event.outcome] : []));
