import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { openSession, type Session } from "palimpsest";
import { expect, it, onTestFinished } from "vitest";
import { readJsonFixture } from "../read-fixture.ts";
import { runCommand, temporaryFolder } from "./subject.ts";

interface LostValues {
  readonly smallSystem: string;
  readonly largeSystem: string;
  readonly largeTimes: number;
  readonly prompt: string;
}

const given = readJsonFixture<LostValues>("68-lost-values.json");
const largeSystem = given.largeSystem.repeat(given.largeTimes);

type Options = NonNullable<Parameters<typeof openSession>[0]>;

async function open(home: string, options: Options): Promise<Session> {
  const session = await openSession({ home, cwd: home, id: "one", ...options });
  onTestFinished(() => session.close());
  return session;
}

/** The data root of a session that began with a system prompt and lost all of its blobs. */
async function withoutBlobs(system: string): Promise<string> {
  const home = await temporaryFolder();
  const session = await open(home, system === "" ? {} : { system });
  await session.add({ role: "user", content: given.prompt });
  await session.close();
  for (const project of await readdir(join(home, "projects")))
    await rm(join(home, "projects", project, "blobs"), { recursive: true, force: true });
  return home;
}

const opened = (home: string, options: Options = {}) =>
  open(home, { resume: true, ...options }).catch((error: unknown) => error as Error);

it("68: a session without a system prompt needs no blob to go on", async () => {
  const session = await opened(await withoutBlobs(given.smallSystem));
  expect(session).not.toBeInstanceOf(Error);
  const { request } = await (session as Session).prepare();
  expect(request.messages).toHaveLength(1);
});

it("68: a session whose system prompt is lost opens, and says that requests go without it", async () => {
  const told: string[] = [];
  const session = await opened(await withoutBlobs(largeSystem), {
    onEvent: (event) => {
      if ("message" in event) told.push(String(event.message));
    },
  });
  expect(session).not.toBeInstanceOf(Error);
  expect(told.join("\n")).toMatch(/system prompt .* lost/);
  const { request } = await (session as Session).prepare();
  expect(request.system ?? []).toEqual([]);
});

it("68: repair names the value that is lost", async () => {
  const home = await withoutBlobs(largeSystem);
  const { stdout } = await runCommand(["sessions", "repair", "one"], { home });
  expect(stdout).not.toContain("Nothing to repair");
  expect(stdout).toContain("system prompt");
});
