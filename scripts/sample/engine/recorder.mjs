import { findLeaks } from "./find-leaks.mjs";
import { contentTokens } from "./prompt-cache.mjs";

export const minutes = (count) => count * 60_000;
export const seconds = (count) => count * 1000;

/** Pauses near the cache's life of five minutes would read as either side of it. */
const ambiguousPause = { fromMs: minutes(3.5), toMs: minutes(6.5) };
const readOnly = new Set(["Read", "Glob", "Grep"]);

/**
 * Plays a scenario: runs each tool call for real and keeps what was said, called and given back as log drafts. A step
 * that does not end as the scenario needs it throws, and says which.
 */
export function createRecorder({ model, tools, clock, pace, cache, workspace }) {
  const drafts = [];
  let chapter = "";
  let responses = 0;
  let calls = 0;
  let lastResponseMs = Number.NEGATIVE_INFINITY;

  const place = () => `${chapter}, response ${responses}`;
  const numbered = (prefix, count) => `${prefix}_sample_${String(count).padStart(4, "0")}`;

  function keep(message) {
    drafts.push({ kind: "message", at: new Date(clock.nowMs()).toISOString(), message });
  }

  function respond(content, stopReason, flags = {}) {
    responses += 1;
    const sentMs = clock.nowMs();
    clock.advance(pace.responseMs(contentTokens(content)));
    lastResponseMs = clock.nowMs();
    const usage = cache.request(sentMs, lastResponseMs, content);
    const responseId = numbered("msg", responses);
    keep({ type: "assistant", content, responseId, model, stopReason, usage, ...flags });
    if (!flags.isAborted) cache.addToPrompt(content);
  }

  function run(call) {
    const result = tools[call.tool](call.input);
    const text = workspace.mask(result.text);
    check(call, { ...result, text });
    const leaks = findLeaks(text, workspace.forbidden);
    if (leaks.length > 0) throw new Error(`${place()}: ${call.tool} names this machine: ${leaks.join("\n")}`);
    return { ...result, text };
  }

  function check({ tool, input, expect, shows }, { text, isError }) {
    const wanted = expect === "any" || (expect === "error") === isError;
    if (wanted && (!shows || shows.test(text))) return;
    const named = input.command ?? input.file_path ?? input.pattern ?? "";
    const why = wanted ? `was to show ${shows}` : `was to end in "${expect}"`;
    throw new Error(`${place()}: ${tool} ${named}\n${why}, and gave:\n${text.slice(-6000)}`);
  }

  function request(say, wanted) {
    const uses = wanted.map(({ tool, input }) => {
      calls += 1;
      return { type: "tool_use", id: numbered("toolu", calls), name: tool, input };
    });
    respond([...textBlocks(say), ...uses], "tool_use");
    return uses;
  }

  function giveBack(uses, results) {
    const content = uses.map(({ id }, index) => ({
      type: "tool_result",
      tool_use_id: id,
      content: results[index].text,
      ...(results[index].isError ? { is_error: true } : {}),
    }));
    keep({ type: "user", content });
    cache.addToPrompt(content);
  }

  function spend(wanted, results) {
    const times = wanted.map(
      ({ tool }, index) => pace.toolMs(tool) + testSeconds(results[index].text) * 1000,
    );
    const parallel = wanted.every(({ tool }) => readOnly.has(tool));
    clock.advance(Math.round(parallel ? Math.max(...times) : times.reduce((sum, ms) => sum + ms, 0)));
  }

  /** One response with tool calls, and their results; `say` may be null, as most calls need no words. */
  function act(say, ...wanted) {
    const uses = request(say, wanted);
    const results = wanted.map(run);
    spend(wanted, results);
    giveBack(uses, results);
    return results;
  }

  return {
    drafts,
    act,
    begin(name) {
      chapter = name;
    },

    /** One response after the other, each with one call. */
    each(say, ...wanted) {
      return wanted.map((call, index) => act(index === 0 ? say : null, call)[0]);
    },

    /** The user says something, some time after the last answer. */
    user(text, { after = minutes(2) } = {}) {
      clock.advance(after);
      const pauseMs = clock.nowMs() - lastResponseMs;
      if (pauseMs > ambiguousPause.fromMs && pauseMs < ambiguousPause.toMs) {
        throw new Error(
          `${place()}: a pause of ${Math.round(pauseMs / 1000)} s is too near the cache's life.`,
        );
      }
      keep({ type: "user", content: text });
      cache.addToPrompt(text);
    },

    /** As `act`, but the user stops it after the first `done` calls. */
    stopped(say, done, ...wanted) {
      const uses = request(say, wanted);
      const results = wanted.slice(0, done).map(run);
      const stop = { text: "Not run: the user interrupted.", isError: true };
      const all = wanted.map((_call, index) => results[index] ?? stop);
      spend(wanted, all);
      giveBack(uses, all);
    },

    /** The last response of a turn. */
    answer(text) {
      respond([{ type: "text", text }], "end_turn");
    },

    /** A response that the user cut off while it was being written. */
    cutOff(text) {
      respond([{ type: "text", text }], null, { isAborted: true });
    },
  };
}

function textBlocks(say) {
  return say ? [{ type: "text", text: say }] : [];
}

/** What the test runner says it took. */
function testSeconds(output) {
  const duration = /Duration\s+([\d.]+)s/.exec(output);
  return duration ? Number(duration[1]) : 0;
}
