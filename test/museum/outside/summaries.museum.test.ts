import { openSession, type Session } from "palimpsest";
import { anthropic } from "palimpsest/models/anthropic";
import { expect, it, onTestFinished } from "vitest";
import { readJsonFixture } from "../read-fixture.ts";
import { temporaryFolder } from "./subject.ts";

interface StandingOrders {
  readonly model: string;
  readonly orders: readonly string[];
  /** What the user says to other matters, and what is answered. */
  readonly distractions: readonly (readonly [string, string])[];
  readonly revocation: string;
  /** Which order that is. */
  readonly revoked: number;
  readonly filler: string;
  readonly fillerTimes: number;
}

interface Answers {
  readonly model: string;
  readonly turns: readonly { readonly ask: string; readonly answer: string }[];
  /** Calls of each turn before its answer, and how long their results are. */
  readonly rounds: number;
  readonly resultChars: number;
}

interface AskBehindAPaste {
  readonly model: string;
  readonly head: string;
  readonly line: string;
  readonly lines: number;
  readonly ask: string;
  readonly turns: number;
  readonly filler: string;
  readonly fillerTimes: number;
}

async function open(model: string): Promise<Session> {
  const home = await temporaryFolder();
  const session = await openSession({ home, cwd: home, model: anthropic(model, { environment: {} }) });
  onTestFinished(() => session.close());
  return session;
}

async function viewOf(session: Session): Promise<string> {
  const { request } = await session.prepare();
  const blocks = request.messages.flatMap(({ content }) => content);
  return blocks.flatMap((block) => ("text" in block ? [String(block.text)] : [])).join("\n");
}

async function say(session: Session, ask: string, answer: string): Promise<void> {
  await session.add({ role: "user", content: ask });
  await session.add({ role: "assistant", content: answer });
}

const standing = readJsonFixture<StandingOrders>("44-standing-orders.json");
const filler = standing.filler.repeat(standing.fillerTimes);
/** How summaries mark a request that is settled; whatever stands between mark and words, on their line. */
const settled = (order: string) =>
  new RegExp(
    `\\b(?:done|superseded|cancelled|replaced)\\b[^\\n]*${order.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")}`,
  );

async function afterDistractions(): Promise<Session> {
  const session = await open(standing.model);
  for (const order of standing.orders) await say(session, order, "Verstanden.");
  for (const [ask, answer] of standing.distractions) await say(session, ask, `${answer} ${filler}`);
  return session;
}

it("44: a standing order is in view word for word after each of three compactions, and nowhere marked as ended", async () => {
  const session = await afterDistractions();
  for (let time = 0; time < 3; time += 1) {
    await session.compact();
    const view = await viewOf(session);
    for (const order of standing.orders) {
      expect(view).toContain(order);
      expect(view).not.toMatch(settled(order));
    }
    await say(session, `Look at part ${time}.`, `I looked at part ${time}. ${filler}`);
  }
});

it("44: a standing order is marked as ended once the user revokes that very order, and the others are not", async () => {
  const session = await afterDistractions();
  await say(session, standing.revocation, "Gut.");
  await session.compact();
  const view = await viewOf(session);
  const kept = standing.orders.filter((_order, at) => at !== standing.revoked);
  const listed = view.slice(0, view.indexOf("How it began"));
  for (const order of kept) expect(listed).toContain(order);
  expect(listed).not.toContain(standing.orders[standing.revoked]);
});

const answers = readJsonFixture<Answers>("61-answers.json");

it("61: each answer the agent gave is there after compactions: a third of its sentences at least, and its id", async () => {
  const session = await open(answers.model);
  const ids: string[] = [];
  for (const [turn, { ask, answer }] of answers.turns.entries()) {
    await session.add({ role: "user", content: ask });
    for (let round = 0; round < answers.rounds; round += 1) {
      const id = `toolu_${turn}_${round}`;
      const input = { file_path: `/work/part-${turn}-${round}.ts` };
      const result = `part ${turn} ${round} `.repeat(answers.resultChars / 9);
      await session.add({ role: "assistant", content: [{ type: "tool_use", id, name: "Read", input }] });
      await session.add({
        role: "user",
        content: [{ type: "tool_result", tool_use_id: id, content: result }],
      });
    }
    ids.push((await session.add({ role: "assistant", content: answer })).id);
    await session.compact();
  }
  await say(session, "Go on with something else.", "I went on.");
  await session.compact();
  const view = await viewOf(session);
  for (const [turn, { answer }] of answers.turns.entries()) {
    const sentences = answer.split(/(?<=\.)\s/);
    const inView = sentences.filter((sentence) => view.includes(sentence));
    expect(inView.length).toBeGreaterThanOrEqual(sentences.length / 3);
    expect((await session.recall(ids[turn] ?? "")).text).toContain(answer);
  }
});

const paste = readJsonFixture<AskBehindAPaste>("62-ask-behind-a-paste.json");

it("62: what is asked at the end of a long paste is in view after compactions, and how the paste began", async () => {
  const session = await open(paste.model);
  await say(session, "Hello.", "Hello.");
  await say(session, `${paste.head}\n${paste.line.repeat(paste.lines)}\n${paste.ask}`, "I look for it.");
  for (let turn = 0; turn < paste.turns; turn += 1)
    await say(session, `${turn}. ${paste.filler.repeat(paste.fillerTimes)}`, "I looked at it.");
  for (let time = 0; time < 2; time += 1) {
    await session.compact();
    const view = await viewOf(session);
    expect(view).toContain(paste.head.slice(0, 40));
    expect(view).toContain(paste.ask.slice(-60));
    await say(session, "And the next.", "I looked at that too.");
  }
});
