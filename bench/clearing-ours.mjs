import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRuntime } from "../packages/core/build/runtime.js";
import { defaultLayers } from "../packages/core/build/session/default-layers.js";
import { openSession } from "../packages/core/build/session/open-session.js";

const hourMs = 60 * 60 * 1000;

/**
 * Sessions on disk at the usual durability, a request prepared each round as an agent does. What layer 2 decides is
 * held back until the context is full; its work is not.
 */
export function createOwnSessions(rounds) {
  const home = mkdtempSync(join(tmpdir(), "palimpsest-bench-"));
  let opened = 0;
  let waiting = null;

  async function open(settings) {
    const state = { isHeld: true, skippedMs: 0, cleared: null, cached: 2000 };
    const { clock } = createRuntime();
    const session = await openSession({
      home,
      cwd: home,
      id: `clearing-${opened++}`,
      model: "claude-sonnet-4-5[1m]",
      system: "Be brief.",
      settings,
      clock: { ...clock, now: () => clock.now() + state.skippedMs },
      layers: defaultLayers().map((layer) => (layer.id === "microcompact" ? held(layer, state) : layer)),
      onEvent: (event) => {
        if (event.type === "results-clear") state.cleared = event;
      },
    });
    await session.add({ role: "user", content: "Look at the whole source." });
    for (const round of rounds) {
      await session.prepare();
      await addRound(session, round, state);
    }
    return { session, state };
  }

  /** One long session, asked again and again: a short round is added, and the next request has nothing due. */
  async function nothingDue() {
    waiting ??= await open({ microcompact: { economicMinBatchTokens: 100_000_000 } });
    const { session, state } = waiting;
    const id = `more_${state.cached}`;
    await addRound(session, { ...rounds[0], id, result: "Done." }, state);
    const time = await timed(() => session.prepare());
    return { time, cleared: state.cleared?.results ?? 0 };
  }

  /** The time of one request that clears, in a session of its own. Fails where it did not. */
  async function clearing(strategy) {
    const flags = { "clear-threshold": strategy === "threshold" };
    const { session, state } = await open({ flags });
    if (strategy === "cold") state.skippedMs = 3 * hourMs;
    state.isHeld = false;
    const time = await timed(() => session.prepare());
    await session.close();
    if (state.cleared?.strategy !== strategy) throw new Error(`Nothing was cleared by “${strategy}”.`);
    return { time, cleared: state.cleared.results };
  }

  async function remove() {
    await waiting?.session.close();
    rmSync(home, { recursive: true, force: true });
  }

  return { nothingDue, clearing, remove };
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function held(layer, state) {
  const later = { verdict: "skip", reason: "held back until the context is full" };
  const decide = (view, moment, facts) => {
    const verdict = layer.decide(view, moment, facts);
    return state.isHeld && verdict.verdict === "act" ? later : verdict;
  };
  return { ...layer, decide };
}

/** Each response finds in the cache what the request before left there, and leaves the whole prompt. */
async function addRound(session, { id, tool, input, text, result }, state) {
  const use = { type: "tool_use", id, name: tool, input };
  const { cached } = state;
  state.cached += Math.ceil((text.length + JSON.stringify(input).length + result.length) / 4);
  const cache = { cache_read_input_tokens: cached, cache_creation_input_tokens: state.cached - cached };
  const usage = { input_tokens: 4, output_tokens: 60, ...cache };
  await session.add({ role: "assistant", id: `msg_${id}`, content: [{ type: "text", text }, use], usage });
  await session.add({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: result }] });
}
