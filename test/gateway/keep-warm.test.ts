import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { temporaryFolder } from "../support/temporary-folder.ts";
import { model, requestEnds, startGateway } from "./gateway-stage.ts";
import {
  createClient,
  longSystem,
  minute,
  pausedClient,
  reasonsIn,
  textOf,
  warmStage,
  withKeepWarm,
} from "./keep-warm-stage.ts";

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
