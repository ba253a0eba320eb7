import Anthropic from "@anthropic-ai/sdk";
import { OpenAI } from "openai";
import { expect } from "vitest";
import type { Event, Model, Session, Tool } from "../../packages/core/src/spec/index.ts";
import { openSession } from "../../packages/palimpsest/src/loop/open-session.ts";
import { anthropic } from "../../packages/palimpsest/src/models/anthropic/index.ts";
import { openai } from "../../packages/palimpsest/src/models/openai/index.ts";
import { createVirtualDisk } from "../../packages/testing/src/index.ts";
import { collect, createHastyClock, endOf, entriesOf, type Provider } from "../support/agent.ts";
import { createVirtualStore } from "../support/virtual-store.ts";
import type { Upstream } from "./upstream.ts";
import type { HostileAnswer } from "./wire-answer.ts";

export interface Target {
  readonly upstream: Upstream;
  readonly provider: Provider;
  /** Where the upstream listens, or what stands in its place. */
  readonly url: string;
  readonly fetch?: typeof fetch;
}

/** A model of the target, by the provider's own SDK. */
function modelOf({ provider, url, fetch }: Target): Model {
  const options = { apiKey: "sk-test", maxRetries: 0, logLevel: "off", ...(fetch && { fetch }) } as const;
  if (provider === "anthropic")
    return anthropic("claude-opus-4-5", {
      client: new Anthropic({ ...options, baseURL: url, authToken: null }),
    });
  return openai("gpt-5.6", { client: new OpenAI({ ...options, baseURL: `${url}/v1` }) });
}

const echo: Tool = {
  name: "Echo",
  description: "Gives back what it is given.",
  input_schema: { type: "object", properties: { text: { type: "string" } } },
  isReadOnly: true,
  run: async (input) => ({ content: `Echo: ${JSON.stringify(input)}` }),
};

/** What came of a session that was given a hostile answer. */
export interface Lived {
  readonly events: readonly Event[];
  readonly log: string;
  readonly countedTokens: number;
}

/**
 * For each hostile answer a turn with it and one more, then four turns, a resume, a compaction and an undo, each with a
 * turn behind it. Fails where one of them does: what a server has said once must never end a session.
 */
export async function liveOn(target: Target, answers: readonly HostileAnswer[]): Promise<Lived> {
  const { upstream } = target;
  const disk = createVirtualDisk();
  const clock = createHastyClock();
  const events: Event[] = [];
  const betas = answers.flatMap((answer) => answer.betas ?? []);
  const keepsUnknownBlocks = answers.some(({ keepsUnknown }) => keepsUnknown);
  const open = (resume: boolean) =>
    openSession({
      request: resume || betas.length === 0 ? {} : { betas },
      ...(keepsUnknownBlocks && { keepsUnknownBlocks }),
      model: modelOf(target),
      tools: [echo],
      store: createVirtualStore({ disk }),
      clock,
      id: "one",
      resume,
      onEvent: (event) => events.push(event),
    });
  let session = await open(false);
  let name = "";
  const turn = async (when: string) => {
    const end = endOf(await collect(session.run(`Go on ${when}.`)));
    expect([name, when, end.reason, end.message]).toEqual([name, when, "done", undefined]);
    await expectSensible(session, name);
  };
  await collect(session.run("Do one step after the other."));
  upstream.refused.length = 0;
  for (const answer of answers) {
    name = answer.name;
    upstream.next = answer;
    await collect(session.run("What now?", { maxTurns: 8 }));
    upstream.next = null;
    await turn("at once");
  }
  for (let number = 2; number <= 5; number += 1) await turn(`for the ${number}. time`);
  await session.close();
  session = await open(true);
  await turn("after a resume");
  const { tokensBefore, tokensAfter } = await session.compact();
  expect(tokensAfter).toBeLessThan(tokensBefore);
  await turn("after a compaction");
  await session.undo();
  await turn("after an undo");
  const log = JSON.stringify(await entriesOf(session));
  const { tokens: countedTokens } = session.usage().count;
  await session.close();
  return { events, log, countedTokens };
}

/** The count is that of the conversation, whatever a server reports. */
async function expectSensible(session: Session, name: string): Promise<void> {
  const { request, report } = await session.prepare();
  const chars = JSON.stringify([request.tools, request.messages]).length;
  const { tokens } = report.count;
  const isSensible = tokens > chars / 20 && tokens < chars * 2;
  expect([name, isSensible ? "sensible" : `${tokens} tokens of ${chars} characters`]).toEqual([
    name,
    "sensible",
  ]);
}
