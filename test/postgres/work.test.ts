import { readFile, writeFile } from "node:fs/promises";
import { afterAll, expect, it } from "vitest";
import { createRuntime } from "../../packages/core/src/runtime.ts";
import { openMemory } from "../../packages/core/src/session/memory/open-memory.ts";
import { ok, type WorkHandlers, type WorkOrder } from "../../packages/core/src/spec/index.ts";
import { openFileStore } from "../../packages/core/src/stores/files/index.ts";
import {
  createPostgresBackgroundWork,
  runPostgresWorker,
  type WorkerEvent,
} from "../../packages/core/src/stores/postgres/index.ts";
import { workSchemaOf } from "../../packages/core/src/stores/postgres/work/work-schema.ts";
import { openAgentLocation } from "../../packages/palimpsest/src/loop/agent/agent-location.ts";
import { createExtractionWork } from "../../packages/palimpsest/src/loop/work/create-extraction-work.ts";
import { runWorker, workHandlers } from "../../packages/palimpsest/src/surfaces/cli/worker/worker-command.ts";
import { silentTerminal } from "../../packages/palimpsest/src/surfaces/local/terminal.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { say } from "../../packages/testing/src/index.ts";
import { answers, extract, isExtraction, memoryFile, requestsOf } from "../loop/agent-memory-support.ts";
import { useProject } from "../loop/agent-project.ts";
import { collect, modelAt } from "../support/agent.ts";
import { cliHome, openElsewhere, userSays } from "../support/cli.ts";
import {
  describeOnPostgres,
  openBeside,
  openTestDatabase,
  postgresUrl,
} from "../support/postgres/use-postgres.ts";

const { clock, processes } = createRuntime();
const answer = {
  kind: "message",
  message: { type: "assistant", content: [{ type: "text", text: "I will." }] },
} as const;

describeOnPostgres("a worker", async () => {
  const database = await openTestDatabase();
  const url = postgresUrl();
  const work = createPostgresBackgroundWork({ database, url });
  afterAll(async () => {
    const other = await openBeside(database);
    must(await other.query(`drop schema if exists "${workSchemaOf(database)}" cascade`));
  });

  async function once(handlers: WorkHandlers) {
    const events: WorkerEvent[] = [];
    const onEvent = (event: WorkerEvent) => void events.push(event);
    const never = new AbortController().signal;
    must(
      await runPostgresWorker({ database, url, handlers, clock, processes, isOnce: true, onEvent }, never),
    );
    return events.flatMap((event) =>
      event.type === "work-end" ? [`${event.outcome}: ${event.message}`] : [],
    );
  }

  async function useHome() {
    const { home, store, add } = await cliHome();
    const { project } = await openAgentLocation({ cwd: home, home });
    const context = { terminal: silentTerminal(), home, folder: home, now: () => clock.now() };
    const handlers = workHandlers(context, () => store);
    const paths = async () => (await (await openMemory({ home, project })).list()).map(({ path }) => path);
    const order = (session: string): WorkOrder => ({ kind: "extraction", project, session, cwd: home });
    return { home, project, store, add, context, handlers, paths, order };
  }

  it("extracts what a session left, and nothing when it is done again", async () => {
    const { add, handlers, paths, order } = await useHome();
    await add("one", [userSays("From now on always use pnpm, never npm."), answer]);
    must(await work.enqueue(order("one")));
    expect(await once(handlers)).toEqual([expect.stringMatching(/^done: Extracted: \S+\.md\.$/)]);
    const first = await paths();
    expect(first).toHaveLength(1);
    must(await work.enqueue(order("one")));
    expect(await once(handlers)).toEqual(["done: There was nothing to extract."]);
    expect(await paths()).toEqual(first);
  });

  it("changes nothing where it was killed behind the effect and before its note", async () => {
    const { add, store, handlers, paths, order } = await useHome();
    const log = await add("one", [userSays("From now on always use pnpm, never npm."), answer]);
    must(await work.enqueue(order("one")));
    await once(handlers);
    const [path = ""] = await paths();
    const versions = must(await store.tree("memory").history(path));
    const lines = (await readFile(log, "utf8")).split("\n");
    const withoutNote = lines.filter((line) => !line.includes('"topic":"extraction"'));
    expect(withoutNote).toHaveLength(lines.length - 1);
    await writeFile(log, withoutNote.join("\n"));
    must(await work.enqueue(order("one")));
    expect(await once(handlers)).toEqual(["done: Extracted: nothing new."]);
    expect(await paths()).toEqual([path]);
    expect(must(await store.tree("memory").history(path))).toEqual(versions);
  });

  it("looks again later where the session is open elsewhere, and lets go of one that is gone", async () => {
    const { add, store, handlers, project, order } = await useHome();
    await add("one", [userSays("Always use pnpm."), answer]);
    await openElsewhere(store, "one", 0);
    must(await work.enqueue(order("one")));
    must(await work.enqueue(order("gone")));
    expect([...(await once(handlers))].sort()).toEqual([
      "again: The session is open elsewhere.",
      "done: The session is gone: there is nothing to extract.",
    ]);
    const key = `${project}/one/extraction`;
    expect(must(await work.list())).toMatchObject([{ key, state: "waiting", attempts: 0 }]);
    must(await work.stop(key));
  });

  it("takes a session from a machine that was not heard of for long", async () => {
    const { add, store, handlers, order } = await useHome();
    await add("one", [userSays("Always use pnpm."), answer]);
    await openElsewhere(store, "one", 24 * 3_600_000);
    must(await work.enqueue(order("one")));
    expect(await once(handlers)).toEqual([expect.stringMatching(/^done: Extracted: /)]);
  });

  it("extracts by a model as the agent would, from the session's own prefix", async () => {
    const text = memoryFile("feedback", "Package manager", "Use pnpm.");
    const project = await useProject({
      script: answers([say("Fine.")], [extract("pnpm.md", text), say("done")]),
    });
    const session = await project.open({ id: "one" });
    await collect(session.run("Use pnpm here, please."));
    await session.close();
    const { cwd, home, emulator } = project;
    const store = must(await openFileStore({ home, cwd }));
    const location = await openAgentLocation({ cwd, home });
    const handlers = {
      extraction: createExtractionWork(async () =>
        ok({
          ...{ location, store, model: modelAt(emulator, "anthropic") },
          /** The session was opened without it, and keeps to that. */
          settings: { flags: { "memory-extraction": true } },
        }),
      ),
    };
    must(await work.enqueue({ kind: "extraction", project: location.project, session: "one", cwd }));
    expect(await once(handlers)).toEqual(["done: Extracted: pnpm.md."]);
    const [asked] = requestsOf(project, isExtraction);
    const [before] = requestsOf(project, (one) => !isExtraction(one));
    expect(asked?.whole?.tools).toEqual(before?.whole?.tools);
    expect(asked?.whole?.system).toEqual(before?.whole?.system);
    must(await work.enqueue({ kind: "extraction", project: location.project, session: "one", cwd }));
    expect(await once(handlers)).toEqual(["done: There was nothing to extract."]);
  });

  it("dreams where it is time, by fixed rules without a key, and not again when it is asked twice", async () => {
    const { add, handlers, project, home } = await useHome();
    await add("one", [userSays("hello"), answer]);
    await writeFile(`${home}/settings.json`, JSON.stringify({ dream: { minSessions: 1 } }));
    for (const outcome of [/^done: Dreamt: 0 changes\.$/, /^done: Not now: /]) {
      must(await work.enqueue({ kind: "dream", project, cwd: home }));
      expect(await once(handlers)).toEqual([expect.stringMatching(outcome)]);
    }
  });

  it("is a command that lists, stops and works", async () => {
    const { add, context, handlers, order, project } = await useHome();
    await add("one", [userSays("Always use pnpm."), answer]);
    must(await work.enqueue(order("one")));
    const other = must(await work.enqueue(order("two")));
    const written: string[] = [];
    const terminal = {
      ...silentTerminal(),
      write: async (part: string | Uint8Array) => void written.push(String(part)),
      say: (line: string) => void written.push(`${line}\n`),
    };
    const open = async () => ({ database, url, handlers, close: async () => undefined });
    const run = async (options: object) => {
      written.length = 0;
      await runWorker({ ...context, terminal }, { jobs: 1, ...options }, open);
      return written.join("");
    };
    const list = await run({ list: true });
    expect(list.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(list).toMatch(/ID +STATE +TRIES +WORK +LAST ERROR\n\d+ +waiting +0\/8 +\S+/);
    expect(await run({ stop: other.id })).toBe(`${other.id} is removed.\n`);
    must(await work.enqueue(order("two")));
    const second = await run({ stop: `${project}/two/extraction`, json: true });
    expect(JSON.parse(second)).toEqual({ work: `${project}/two/extraction`, outcome: "removed" });
    const lines = (await run({ once: true, json: true })).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { type: "work-start", order: { project, session: "one" }, attempt: 1 },
      { type: "work-end", outcome: "done" },
    ]);
    expect(await run({ list: true, json: true })).toBe("");
  });
});
