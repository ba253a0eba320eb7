import { describe, expect, it, onTestFinished } from "vitest";
import { createSessionNotesLayer } from "../../packages/core/src/layers/3-session-notes/index.ts";
import {
  defaultNotesTemplate,
  type NotesInput,
  parseNotes,
  renderNotes,
} from "../../packages/core/src/layers/3-session-notes/rules/index.ts";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import type { Event, Session, View } from "../../packages/core/src/spec/index.ts";
import { createVirtualClock, createVirtualDisk, say } from "../../packages/testing/src/index.ts";
import { compaction, decidingOnce, watching } from "../support/acting-layer.ts";
import { editTitle, isUpdate, notesIn, openNotesAgent, words } from "../support/notes-agent.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const titled = (title: string) => renderNotes(defaultNotesTemplate, new Map([["Title", title]]));
const usageOf = (tokens: number) => ({ input: tokens, output: 0, cacheRead: 0, cacheCreation: 0 });

interface Keeping {
  readonly session: Session;
  readonly events: readonly Event[];
  readonly inputs: readonly NotesInput[];
  /** The user says something and hears an answer, after which the conversation has so many tokens. */
  turn(tokens: number): Promise<string>;
  /** The view as layers see it. */
  view(): Promise<View>;
}

/** A session without a model whose scribe numbers the notes: `1`, `2`, … */
async function keepContext(
  options: Parameters<typeof openSession>[0] = {},
  write?: (input: NotesInput) => string,
): Promise<Keeping> {
  const events: Event[] = [];
  const inputs: NotesInput[] = [];
  let seen: View | undefined;
  const scribe = (input: NotesInput) => {
    inputs.push(input);
    return write ? write(input) : `## Title\n${inputs.length}`;
  };
  const { layers = [], ...rest } = options;
  const session = await openSession({
    store: createVirtualStore(),
    clock: createVirtualClock(),
    id: "one",
    onEvent: (event) => events.push(event),
    ...rest,
    layers: [
      ...layers,
      createSessionNotesLayer({ write: scribe }),
      watching(["idle"], (view) => (seen = view)),
    ],
  });
  onTestFinished(() => session.close());
  return {
    session,
    events,
    inputs,
    async turn(tokens) {
      const { id } = await session.add({ role: "user", content: "Go on." });
      await session.add({
        role: "assistant",
        content: "Fine.",
        stopReason: "end_turn",
        usage: usageOf(tokens),
      });
      return id;
    },
    async view() {
      await session.idle();
      return seen as View;
    },
  };
}

const titleIn = ({ notes }: View) => notes && parseNotes(notes.text, defaultNotesTemplate).get("Title");

describe("notes without a model", () => {
  it("are written by the scribe at once, from items and ledgers", async () => {
    const { session, turn, inputs, events } = await keepContext();
    await turn(9_999);
    expect(inputs).toEqual([]);
    await turn(10_000);
    expect(await notesIn(session)).toMatchObject([{ text: titled("1"), by: "scribe", tokensAt: 10_000 }]);
    expect(inputs).toHaveLength(1);
    expect(inputs[0]).toMatchObject({ former: titled(""), sectionTokens: 2_000, fileTokens: 12_000 });
    expect(inputs[0]?.ledgers.userMessages.map(({ text }) => text)).toEqual(["Go on.", "Go on."]);
    expect(inputs[0]?.items).toHaveLength(4);
    expect(events.filter(({ type }) => type.startsWith("notes"))).toMatchObject([
      { type: "notes-start", by: "scribe", tokens: 10_000 },
      { type: "notes-end", by: "scribe", outcome: "written", dollars: 0 },
    ]);
  });

  it("that are too long are rejected", async () => {
    const { session, turn, events } = await keepContext({}, () => `## Worklog\n${"x".repeat(8_001)}`);
    await turn(10_000);
    expect(await notesIn(session)).toEqual([]);
    expect(events.find(({ type }) => type === "notes-end")).toMatchObject({ outcome: "rejected" });
  });

  it("whose scribe throws harm nobody", async () => {
    const { session, turn, events } = await keepContext({}, () => {
      throw new Error("no ink");
    });
    await turn(10_000);
    expect((await session.prepare()).request.messages).toHaveLength(2);
    expect(events.find(({ type }) => type === "layer-failed")).toMatchObject({ layer: "session-notes" });
  });

  it("are written by the scribe where a model's name leads nowhere", async () => {
    const agent = await openNotesAgent(() => say("never"), {
      model: "nobodys-model",
      notes: { write: () => "## Title\nby hand" },
      settings: { sessionNotes: { firstTokens: 1 } },
    });
    await agent.session.add({ role: "user", content: "Hello." });
    await agent.session.add({
      role: "assistant",
      content: "Hi.",
      stopReason: "end_turn",
      usage: usageOf(50),
    });
    expect(await agent.updated(1)).toMatchObject({ outcome: "written", by: "scribe" });
    expect(await notesIn(agent.session)).toMatchObject([{ text: titled("by hand"), by: "scribe" }]);
  });
});

describe("the notes of a session", () => {
  it("are the newest on the live chain: a rewind brings older ones back", async () => {
    const { session, turn, view } = await keepContext();
    const first = await turn(10_000);
    const between = await turn(11_000);
    await turn(20_000);
    expect(titleIn(await view())).toBe("2");
    await session.rewind(between);
    expect(await view()).toMatchObject({ notes: { tokensAt: 10_000 } });
    expect(titleIn(await view())).toBe("1");
    await turn(30_000);
    expect(titleIn(await view())).toBe("3");
    await session.rewind(first);
    expect(await view()).not.toHaveProperty("notes");
  });

  it("are there again when it is resumed, with what they cover", async () => {
    const disk = createVirtualDisk();
    const first = await keepContext({ store: createVirtualStore({ disk }) });
    await first.turn(10_000);
    const { notes } = await first.view();
    await first.session.close();
    const second = await keepContext({ store: createVirtualStore({ disk }), resume: true });
    expect((await second.view()).notes).toEqual(notes);
    await second.turn(14_999);
    expect(second.inputs).toEqual([]);
    await second.turn(15_000);
    expect(second.inputs).toMatchObject([{ former: titled("1") }]);
  });

  it("cover nothing behind a compaction and grow from there; its undoing brings what they covered back", async () => {
    const disk = createVirtualDisk();
    const compacting = decidingOnce((view) => compaction(view, { tokensAfter: 3_000 }), {
      moment: "before-request",
    });
    const { session, turn, view } = await keepContext({
      store: createVirtualStore({ disk }),
      layers: [compacting],
    });
    await turn(50_000);
    const { notes } = await view();
    await session.add({ role: "user", content: "Go on." });
    await session.prepare();
    expect(await view()).toMatchObject({ notes: { text: titled("1"), tokensAt: 3_000 } });
    expect((await view()).notes).not.toHaveProperty("covers");
    expect((await view()).boundarySeq).toBeGreaterThan(0);
    await session.undo();
    expect((await view()).notes).toEqual(notes);
    await turn(51_000);
    expect(titleIn(await view())).toBe("1");
  });
});

/** An update that is answered when the test says so. */
function heldUpdate() {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let asked = 0;
  const update = async () => {
    asked += 1;
    if (asked === 1) await held;
    return asked === 1 ? editTitle("late") : say("done");
  };
  return { update, release: () => release() };
}

describe("an update that goes on", () => {
  it("ends with the session, and leaves nothing behind", async () => {
    const { update, release } = heldUpdate();
    const disk = createVirtualDisk();
    const agent = await openNotesAgent(update, { store: createVirtualStore({ disk }) });
    await agent.ask(words(12_000));
    await agent.session.close();
    release();
    expect(await agent.updated(1)).toMatchObject({ outcome: "stopped" });
    const { session } = await keepContext({ store: createVirtualStore({ disk }), resume: true });
    expect(await notesIn(session)).toEqual([]);
  });

  it("is dropped where the session went back behind what it was begun on", async () => {
    const { update, release } = heldUpdate();
    const agent = await openNotesAgent(update);
    await agent.ask("Hello.");
    const [hit] = await agent.session.search("Hello");
    await agent.ask(words(12_000));
    await agent.session.rewind(hit?.entry as string);
    release();
    await agent.updated(1);
    expect(agent.events.filter(({ type }) => type === "draft-dropped")).toHaveLength(1);
    expect(await notesIn(agent.session)).toEqual([]);
  });

  it("for more than 60 s gives way to another", async () => {
    const clock = createVirtualClock();
    const { update, release } = heldUpdate();
    const agent = await openNotesAgent(update, { clock });
    await agent.ask(words(12_000));
    await clock.advance(59_999);
    await agent.ask(words(6_000));
    expect(agent.events.filter(({ type }) => type === "notes-start")).toHaveLength(1);
    await clock.advance(1);
    await agent.ask(words(6_000));
    expect(agent.events.filter(({ type }) => type === "notes-start")).toHaveLength(2);
    await agent.updated(2);
    release();
    const ends = agent.events.filter(({ type }) => type === "notes-end");
    expect(ends.map((event) => event.type === "notes-end" && event.outcome).toSorted()).toEqual([
      "stopped",
      "unchanged",
    ]);
    expect(await notesIn(agent.session)).toHaveLength(1);
  });

  it("is waited for by a request that needs a compaction", async () => {
    const clock = createVirtualClock();
    const { update, release } = heldUpdate();
    const agent = await openNotesAgent(update, { clock, settings: { autoCompactPercent: 1 } });
    await agent.ask(words(12_000));
    const answered = agent.ask("Go on.");
    while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
    expect([...agent.emulator.requests].filter((request) => !isUpdate(request))).toHaveLength(1);
    release();
    expect(await answered).toBe("Fine.");
    expect(await notesIn(agent.session)).toMatchObject([{ text: titled("late") }]);
  });

  it("is waited for 15 s and no longer", async () => {
    const clock = createVirtualClock();
    const { update, release } = heldUpdate();
    const agent = await openNotesAgent(update, { clock, settings: { autoCompactPercent: 1 } });
    await agent.ask(words(12_000));
    const answered = agent.ask("Go on.");
    while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(14_999);
    expect(clock.sleeping).toBe(1);
    await clock.advance(1);
    expect(await answered).toBe("Fine.");
    release();
    await agent.updated(1);
  });
});
