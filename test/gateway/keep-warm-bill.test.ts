import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import type { Entry } from "../../packages/core/src/spec/index.ts";
import { openFileStores } from "../../packages/core/src/stores/files/index.ts";
import { eventLines } from "../../packages/palimpsest/src/surfaces/cli/gateway/gateway-command.ts";
import type { Terminal } from "../../packages/palimpsest/src/surfaces/local/terminal.ts";
import { createStyle } from "../../packages/palimpsest/src/surfaces/terminal/style.ts";
import { createVirtualClock } from "../../packages/testing/src/index.ts";

import { requestEnds, smallWindow } from "./gateway-stage.ts";
import { createClient, minute, pausedClient, spentIn, warmStage, withKeepWarm } from "./keep-warm-stage.ts";

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
