import { openSession, PalimpsestError, type Session } from "palimpsest";
import { anthropic } from "palimpsest/models/anthropic";
import { expect, it, onTestFinished } from "vitest";
import { readJsonFixture } from "../read-fixture.ts";
import { temporaryFolder } from "./subject.ts";

interface FiveCompactions {
  readonly model: string;
  readonly compactions: number;
  /** How often each request is made before each compaction. */
  readonly timesBetween: number;
  readonly requests: readonly string[];
  /** Paragraphs of every answer. */
  readonly report: readonly string[];
}

const { model, compactions, timesBetween, requests, report } =
  readJsonFixture<FiveCompactions>("43-five-compactions.json");
const oldestFirst = Array.from({ length: compactions }, (_, index) => index + 1);
const newestFirst = oldestFirst.toReversed();

/** No key is found: the scribe writes. */
const keyless = { environment: {} };

/** A session with the conversation, compacted after each part if it is to be, and the compactions' ids. */
async function converse(isCompacted: boolean) {
  const home = await temporaryFolder();
  const session = await openSession({ home, cwd: home, model: anthropic(model, keyless) });
  onTestFinished(() => session.close());
  const decisions: string[] = [];
  for (const part of oldestFirst) {
    for (let time = 1; time <= timesBetween; time += 1) {
      for (const request of requests) {
        await session.add({ role: "user", content: `${part}.${time} ${request}` });
        await session.add({ role: "assistant", content: report.join("\n\n") });
      }
    }
    if (isCompacted) decisions.push((await session.compact()).decision);
  }
  await session.add({ role: "user", content: "Go on." });
  return {
    session,
    numberOf: (id: string) => decisions.indexOf(id) + 1,
    idOf: (n: number) => decisions[n - 1],
  };
}

/** The messages of the next request, to the byte; marks for the cache are put on a copy and do not count. */
async function bytesOf(session: Session): Promise<string> {
  const { request } = await session.prepare();
  return JSON.stringify(request.messages, (key, value) => (key === "cache_control" ? undefined : value));
}

async function bytesWithoutCompaction(): Promise<string> {
  const { session } = await converse(false);
  return bytesOf(session);
}

it("43: each of five undos changes the request, and after the last it is that of a session without compactions", async () => {
  const { session, numberOf } = await converse(true);
  const changing: number[] = [];
  let bytes = await bytesOf(session);
  for (const _ of oldestFirst) {
    const { decision } = await session.undo();
    const before = bytes;
    bytes = await bytesOf(session);
    if (bytes !== before) changing.push(numberOf(decision));
  }
  expect(changing).toEqual(newestFirst);
  expect(bytes).toBe(await bytesWithoutCompaction());
  await expect(session.undo()).rejects.toMatchObject({ code: "not-found" });
});

it("43: a compaction under others is undone once those are that its refusals name", async () => {
  const { session, numberOf, idOf } = await converse(true);
  const first = idOf(1);
  const undone: number[] = [];
  for (const _ of oldestFirst) {
    const refused = await session.undo(first).then(
      () => null,
      (error: unknown) => error,
    );
    if (refused === null) {
      undone.push(1);
      break;
    }
    if (!PalimpsestError.isInstance(refused)) throw refused;
    const named = String(refused.facts.first);
    expect(refused.fix).toContain(named);
    await session.undo(named);
    undone.push(numberOf(named));
  }
  expect(undone).toEqual(newestFirst);
  expect(await bytesOf(session)).toBe(await bytesWithoutCompaction());
});
