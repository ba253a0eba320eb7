import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import type { Entry, Settings } from "../../packages/core/src/spec/index.ts";
import { openFileStores } from "../../packages/core/src/stores/files/index.ts";
import { eventLines } from "../../packages/palimpsest/src/surfaces/cli/gateway/gateway-command.ts";
import type { Terminal } from "../../packages/palimpsest/src/surfaces/local/terminal.ts";
import { createStyle } from "../../packages/palimpsest/src/surfaces/terminal/style.ts";
import { createVirtualClock, fault, otherwise, say, when } from "../../packages/testing/src/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { clientsOf, model, requestEnds, smallWindow, startGateway } from "./gateway-stage.ts";
import {
  createClient,
  isRead,
  longSystem,
  minute,
  passIn,
  pausedClient,
  textOf,
  type WarmStage,
  warmStage,
} from "./keep-warm-stage.ts";

const withKeepWarm = (keepWarm: Settings["keepWarm"]) => ({
  settings: { keepWarm: { enabled: true, ...keepWarm } },
});
const spentIn = (one: WarmStage) => one.of("keep-warm").reduce((sum, { dollars }) => sum + dollars, 0);
const reasonsIn = (one: WarmStage) => one.of("warming-end").map(({ reason }) => reason);

describe("what turns it on", () => {
  it("is off by default: nothing is read, held or told", async () => {
    const one = await warmStage({ settings: {} });
    await pausedClient(one);
    await one.pass(20 * minute);
    expect(one.reads()).toEqual([]);
    expect(one.gateway.status()).toMatchObject({
      isKeepingWarm: false,
      keepWarm: { reads: 0, misses: 0, dollars: 0 },
      sessions: [{ isKeptWarm: false }],
    });
    expect(one.events.map(({ type }) => type)).toEqual(["request-end", "request-end"]);
  });

  it("is on by an option, a variable, or a settings file", async () => {
    const inFile = await temporaryFolder();
    await writeFile(join(inFile, "settings.json"), JSON.stringify({ keepWarm: { enabled: true } }));
    const byFile = await startGateway({ home: inFile, cwd: await temporaryFolder() });
    const home = await temporaryFolder();
    const byOption = await startGateway({ home, cwd: home, settings: { keepWarm: { enabled: true } } });
    vi.stubEnv("PALIMPSEST_KEEP_WARM_ENABLED", "true");
    onTestFinished(() => void vi.unstubAllEnvs());
    const byVariable = await startGateway({ home, cwd: home });
    const isOn = [byFile, byOption, byVariable].map(({ gateway }) => gateway.status().isKeepingWarm);
    expect(isOn).toEqual([true, true, true]);
  });
});

describe("which conversations are kept warm", () => {
  it.each([
    ["5m", [4.5, 9]],
    ["1h", [54]],
  ] as const)("one that its client marks for %s is read after %j minutes", async (ttl, minutes) => {
    const one = await warmStage(withKeepWarm({ mostReads: minutes.length }));
    await pausedClient(one, ttl);
    const begunMs = one.clock.now();
    await one.pass(120 * minute);
    expect(one.reads().map(({ startedAt }) => (startedAt - begunMs) / minute)).toEqual(minutes);
    const hits = minutes.map((_, at) => ({ isHit: true, count: at + 1 }));
    expect(one.of("keep-warm").map(({ isHit, reads }) => ({ isHit, count: reads }))).toEqual(hits);
    expect(reasonsIn(one)).toEqual([`${minutes.length} reads were made in this pause`]);
  });

  it("finds the prompt in the cache after a pause that it would not have outlived", async () => {
    const one = await warmStage();
    const client = await pausedClient(one);
    await one.pass(9 * minute);
    await client.ask("And now?");
    await one.gateway.idle();
    const { usage } = one.emulator.requests.last ?? {};
    expect(usage?.cache_read_input_tokens).toBeGreaterThan(8_000);
  });

  it("one whose requests go out before they are read", async () => {
    const one = await warmStage(withKeepWarm({ mostReads: 1 }));
    const client = createClient(one.anthropic);
    const system = [textOf(longSystem.repeat(2), "5m")];
    for (const words of ["Hello.", "Go on.", "And on."]) {
      await client.ask(words, { system });
      await one.gateway.idle();
    }
    expect(requestEnds(one.events).at(-1)).toMatchObject({ isUnread: true, match: "continue" });
    await one.pass(4 * minute);
    await client.ask("And now?", { system });
    await one.gateway.idle();
    await one.pass(4 * minute);
    expect(one.reads()).toEqual([]);
    await one.pass(minute);
    expect(one.reads().map(({ body }) => JSON.stringify(body).includes("And now?"))).toEqual([true]);
  });

  it("none whose client marks nothing", async () => {
    const one = await warmStage();
    await pausedClient(one, null);
    await one.pass(60 * minute);
    expect([one.reads(), one.of("warming-end")]).toEqual([[], []]);
  });

  it("none of chat completions", async () => {
    const one = await warmStage();
    const messages: { role: "user" | "assistant"; content: string }[] = [];
    for (const content of [longSystem, "Go on.", "And?"]) {
      messages.push({ role: "user", content });
      const answer = await one.openai.chat.completions.create({ model: "gpt-5.6", messages });
      messages.push({ role: "assistant", content: answer.choices[0]?.message.content ?? "" });
      await one.gateway.idle();
    }
    const before = one.emulator.requests.where(() => true).length;
    await one.pass(60 * minute);
    expect(one.emulator.requests.where(() => true)).toHaveLength(before);
  });

  it("none that was asked once: a title, a check, or a branch for a moment", async () => {
    const one = await warmStage();
    const title = createClient(one.anthropic);
    await title.ask("Give this a title.");
    await one.gateway.idle();
    await one.pass(30 * minute);
    expect(one.reads()).toEqual([]);
  });

  it("no request for a count of tokens, which ends no pause either", async () => {
    const one = await warmStage(withKeepWarm({ mostReads: 1 }));
    const { messages } = await pausedClient(one);
    const system = [textOf(longSystem, "5m")];
    await one.anthropic.messages.countTokens({
      model,
      system,
      messages: [...messages, { role: "user", content: "And?" }],
    });
    await one.pass(10 * minute);
    expect(one.reads()).toHaveLength(1);
    expect(one.emulator.requests.where(({ endpoint }) => endpoint === "count_tokens")).toHaveLength(1);
  });

  it("no request that stands aside, and none where the gateway only observes", async () => {
    const aside = await warmStage();
    const client = createClient(aside.anthropic);
    client.messages.push({ role: "system", content: "Be brief." } as never);
    for (const words of ["One.", "Two.", "Three."]) await client.ask(words).catch(() => undefined);
    await aside.pass(30 * minute);
    const sent = requestEnds(aside.events).map((event) => event.sent);
    expect(sent).toEqual(["observed", "observed", "observed"]);
    const observing = await warmStage({ isObserving: true, ...withKeepWarm({}) });
    await pausedClient(observing);
    await observing.pass(30 * minute);
    expect([aside.reads(), observing.reads()]).toEqual([[], []]);
    expect(requestEnds(observing.events).map(({ sent }) => sent)).toEqual(["observed", "observed"]);
  });

  it("one conversation of two that share their beginning: the client has gone on with the other", async () => {
    const one = await warmStage(withKeepWarm({ mostReads: 1 }));
    const client = await pausedClient(one);
    const branch = createClient(one.anthropic);
    branch.messages.push(...client.messages.slice(0, 2));
    for (const words of ["Another way.", "On that way."]) {
      await branch.ask(words);
      await one.gateway.idle();
    }
    expect(requestEnds(one.events).map(({ match }) => match)).toEqual([
      "first",
      "continue",
      "branch",
      "continue",
    ]);
    await one.pass(10 * minute);
    expect(one.reads().map(({ body }) => JSON.stringify(body).includes("On that way."))).toEqual([true]);
  });
});

describe("when it ends", () => {
  it("with the client's next request, from which on it is counted anew", async () => {
    const one = await warmStage();
    const client = await pausedClient(one);
    await one.pass(4 * minute);
    await client.ask("And now?");
    await one.gateway.idle();
    await one.pass(4 * minute);
    expect(one.reads()).toEqual([]);
    await one.pass(minute);
    expect(one.reads().map(({ body }) => JSON.stringify(body).includes("And now?"))).toEqual([true]);
  });

  it("where the expected saving does, long before a day has passed", async () => {
    const one = await warmStage(withKeepWarm({ mostReads: 10_000, dollarsPerSession: 1_000 }));
    await pausedClient(one);
    await one.pass(6 * 60 * minute);
    expect(reasonsIn(one)).toEqual(["the expected saving is no longer worth the read"]);
    expect(one.reads().length).toBeGreaterThan(1);
    expect(one.clock.sleeping).toBe(0);
  });

  it("before the budget could be exceeded by a read that misses, over pauses and gateways", async () => {
    const dollarsPerSession = 0.15;
    const options = withKeepWarm({ mostReads: 50, dollarsPerSession });
    const one = await warmStage(options);
    const client = await pausedClient(one);
    for (let turn = 0; turn < 4; turn += 1) {
      await one.pass(40 * minute);
      await client.ask(`Turn ${turn}.`);
      await one.gateway.idle();
    }
    await one.pass(40 * minute);
    expect(spentIn(one)).toBeGreaterThan(0);
    expect(spentIn(one)).toBeLessThanOrEqual(dollarsPerSession);
    expect(reasonsIn(one).at(-1)).toMatch("budget");
    const before = one.reads().length;
    await one.gateway.close();
    const { clock, home, emulator } = one;
    const again = await startGateway({ upstream: emulator.url, home, cwd: home, clock, ...options });
    const later = createClient(clientsOf(again.gateway.url).anthropic);
    later.messages.push(...client.messages);
    await later.ask("Are you there?");
    await again.gateway.idle();
    await passIn({ clock, gateway: again.gateway }, 40 * minute);
    expect(one.reads()).toHaveLength(before);
  });

  it("without one read more than the budget could bear if every one of them missed", async () => {
    const dollarsPerSession = 0.2;
    const one = await warmStage(withKeepWarm({ mostReads: 50, dollarsPerSession }));
    one.emulator.onRequest(() => one.emulator.reset());
    const client = await pausedClient(one);
    for (let turn = 0; turn < 6; turn += 1) {
      await one.pass(10 * minute);
      await client.ask(`Turn ${turn}.`);
      await one.gateway.idle();
    }
    expect(one.of("keep-warm").every(({ isHit }) => !isHit)).toBe(true);
    expect(spentIn(one)).toBeGreaterThan(0);
    expect(spentIn(one)).toBeLessThanOrEqual(dollarsPerSession);
  });

  it("with the day's budget, which holds for reads too", async () => {
    const settings = { keepWarm: { enabled: true }, budget: { dollarsPerDay: 0.01 } };
    const one = await warmStage({ settings });
    await pausedClient(one);
    await one.pass(20 * minute);
    expect(one.reads()).toEqual([]);
    expect(reasonsIn(one)).toHaveLength(1);
  });

  it("after a read that did not find the prompt", async () => {
    const one = await warmStage();
    await pausedClient(one);
    one.emulator.reset();
    await one.pass(30 * minute);
    expect(one.of("keep-warm").map(({ isHit }) => isHit)).toEqual([false]);
    expect(reasonsIn(one)).toEqual(["a read did not find the prompt in the cache"]);
    expect(one.gateway.status().keepWarm).toMatchObject({ reads: 1, misses: 1 });
  });

  it.each([
    ["401", fault.error({ status: 401, type: "authentication_error", message: "no" } as never), "401"],
    ["429", fault.rateLimited(), "429"],
    ["500", fault.serverError(), "500"],
    ["529", fault.overloaded(), "529"],
  ])("after an answer of %s to a read, without another try", async (_status, wrong, status) => {
    const script = [when(isRead, wrong), otherwise(say("Fine, thank you."))];
    const one = await warmStage({}, { script });
    await pausedClient(one);
    await one.pass(30 * minute);
    expect(one.reads()).toHaveLength(1);
    expect(reasonsIn(one)).toEqual([`The provider answered a read with ${status}.`]);
    expect(one.gateway.status()).toMatchObject({
      keepWarm: { reads: 0, dollars: 0 },
      sessions: [{ isKeptWarm: false }],
    });
  });

  it("after a read whose answer nobody heard: the most that it can have cost counts", async () => {
    const script = [when(isRead, fault.cut()), otherwise(say("Fine, thank you."))];
    const one = await warmStage({}, { script });
    await pausedClient(one);
    await one.pass(30 * minute);
    expect(one.reads()).toHaveLength(1);
    expect(reasonsIn(one)).toEqual(["The answer to a read did not come whole, or cannot be read."]);
    const [{ keepWarmDollars = 0 } = {}] = one.gateway.status().sessions;
    const hit = await warmStage(withKeepWarm({ mostReads: 1 }));
    await pausedClient(hit);
    await hit.pass(10 * minute);
    expect(keepWarmDollars).toBeGreaterThan(spentIn(hit) * 5);
  });

  it("where the machine has slept for longer than the cache was kept", async () => {
    const one = await warmStage();
    await pausedClient(one);
    one.clock.jump(60 * minute);
    await one.pass(5 * minute);
    expect(one.reads()).toEqual([]);
    expect(reasonsIn(one)).toEqual(["The cache is cold already: a read would write all of it."]);
  });

  it("where other conversations need the room, and with the gateway", async () => {
    const one = await warmStage({ limits: { openConversations: 1 }, ...withKeepWarm({}) });
    await pausedClient(one);
    expect(one.clock.sleeping).toBe(1);
    await createClient(one.anthropic).ask("Something else.");
    await one.gateway.idle();
    await one.pass(10 * minute);
    expect([one.reads(), one.clock.sleeping]).toEqual([[], 0]);
    const other = await warmStage();
    await pausedClient(other);
    await other.gateway.close();
    await other.clock.advance(60 * minute);
    expect([other.reads(), other.clock.sleeping]).toEqual([[], 0]);
  });

  it("takes nine tenths of the lifetime where the interval that is set is no shorter", async () => {
    const one = await warmStage(withKeepWarm({ intervalMinutes: 30, mostReads: 1 }));
    await pausedClient(one, "5m");
    await one.pass(4 * minute);
    expect(one.reads()).toEqual([]);
    await one.pass(minute);
    expect(one.reads()).toHaveLength(1);
    const shorter = await warmStage(withKeepWarm({ intervalMinutes: 3, mostReads: 1 }));
    await pausedClient(shorter, "5m");
    await shorter.pass(3 * minute);
    expect(shorter.reads()).toHaveLength(1);
  });
});

describe("the bill", () => {
  it("names every read: in the session, its log, the events and the status", async () => {
    const one = await warmStage(withKeepWarm({ mostReads: 2 }));
    await pausedClient(one);
    await one.pass(15 * minute);
    const dollars = spentIn(one);
    const status = await (await fetch(`${one.gateway.url}/palimpsest/status`)).json();
    expect(status).toMatchObject({
      isKeepingWarm: true,
      keepWarm: { reads: 2, misses: 0, dollars },
      requests: { raw: 2, rewritten: 0 },
      sessions: [{ isKeptWarm: false, keepWarmDollars: dollars, messages: 4 }],
    });
    const [event] = one.of("keep-warm");
    expect(event).toMatchObject({ promptTokens: expect.any(Number), outputTokens: 1 });
    expect(event?.cacheReadTokens).toBeGreaterThan(8_000);
    const { id = "" } = one.gateway.status().sessions[0] ?? {};
    await one.gateway.close();
    const stores = await openFileStores(one.home);
    const [project = ""] = await readdir(join(one.home, "projects"));
    const session = await openSession({ store: stores.store(project), id, readOnly: true });
    expect(session.usage().cache?.keepWarmDollars).toBeCloseTo(dollars, 9);
    const entries: Entry[] = [];
    for await (const entry of session.entries()) entries.push(entry);
    await session.close();
    const kinds = entries.flatMap((entry) =>
      entry.kind === "note" && entry.note.topic === "fork" ? entry.note.forkKind : [],
    );
    expect(kinds).toEqual(["keep-warm", "keep-warm"]);
    expect(entries.filter(({ kind }) => kind === "message")).toHaveLength(4);
  });
});

it("a read and the end of reads are one line each of the gateway", async () => {
  const one = await warmStage(withKeepWarm({ mostReads: 1 }));
  await pausedClient(one);
  await one.pass(10 * minute);
  const terminal = { columns: 80, style: createStyle(false) } as Terminal;
  const lines = one.events.slice(2).flatMap((event) => eventLines(event, terminal));
  expect(lines.map((line) => line.replace(/^\S+ /, "").replace(/\d[\d.,]*/g, "N"))).toEqual([
    "keep-warm: read N tokens, $N",
    "keep-warm ends: N reads were made in this pause",
  ]);
});

describe("a conversation that the layers have made smaller", () => {
  it("is kept warm as it was sent, not as its client wrote it", async () => {
    const one = await warmStage(withKeepWarm({ mostReads: 1 }), smallWindow(24_000));
    const client = createClient(one.anthropic);
    const large = (at: number) => `Question ${at}: ${"with very many words in it ".repeat(120)}`;
    for (let at = 0; at < 14; at += 1) {
      await client.ask(large(at));
      await one.gateway.idle();
    }
    expect(requestEnds(one.events).at(-1)).toMatchObject({ sent: "rewritten" });
    const { body: sent } = one.emulator.requests.last ?? {};
    await one.pass(10 * minute);
    const [read] = one.reads();
    expect(JSON.stringify(read?.body) === JSON.stringify({ ...sent, max_tokens: 1 })).toBe(true);
    expect(one.of("keep-warm").map(({ isHit }) => isHit)).toEqual([true]);
  });
});

it("a clock of the gateway's is the clock of its sessions", async () => {
  const clock = createVirtualClock({ startMs: Date.parse("2030-01-01T00:00:00Z") });
  const one = await warmStage({ clock, settings: {} });
  await pausedClient(one);
  expect(one.gateway.status().startedAt).toBe("2030-01-01T00:00:00.000Z");
});
