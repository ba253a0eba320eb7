import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answered, called, failed, said, toEntries } from "../../../../../test/support/ledger-entries.ts";
import type { IntentState, Message, MessageEntry } from "../../spec/index.ts";
import { createLedgers } from "../ledgers/index.ts";
import { createIntents, type IntentWriter } from "./intents.ts";

function ledgersOf(messages: readonly Message[]) {
  const writer = createLedgers();
  for (const entry of toEntries(messages)) writer.add(entry);
  return writer.ledgers();
}

const statesOf = (...messages: readonly Message[]) => ledgersOf(messages).intents.map(({ state }) => state);

const replied = (text: string, more: Partial<Message> = {}): Message => ({
  type: "assistant",
  content: [{ type: "text", text }],
  ...more,
});
const worked = (id: string): readonly Message[] => [called(id, "Bash", { command: id }), answered(id)];
const listed = (id: string, ...statuses: readonly string[]): readonly Message[] => [
  called(id, "TodoWrite", { todos: statuses.map((status, at) => ({ content: `part ${at}`, status })) }),
  answered(id),
];

interface Dialogue {
  readonly name: string;
  readonly messages: readonly Message[];
  readonly states: readonly IntentState[];
}

const dialogues: readonly Dialogue[] = [
  { name: "is open while nobody has answered", messages: [said("fix it")], states: ["open"] },
  {
    name: "is open while tools run",
    messages: [said("fix it"), ...worked("t1"), replied("Now the tests."), called("t2", "Bash")],
    states: ["open"],
  },
  {
    name: "is done once it is answered without a call",
    messages: [said("fix it"), ...worked("t1"), replied("Fixed it.")],
    states: ["done"],
  },
  {
    name: "is open where words are followed by a call of the same response",
    messages: [
      said("fix it"),
      replied("I fixed it, now the tests.", { responseId: "r1" }),
      called("t1", "Bash", {}, { responseId: "r1" }),
    ],
    states: ["open"],
  },
  {
    name: "is open where words follow a call of the same response",
    messages: [
      said("fix it"),
      called("t1", "Bash", {}, { responseId: "r1" }),
      replied("I ran it.", { responseId: "r1" }),
    ],
    states: ["open"],
  },
  {
    name: "is open where the answer was cut off",
    messages: [said("explain it"), replied("It is the", { stopReason: "max_tokens" })],
    states: ["open"],
  },
  {
    name: "is open where the answer was aborted",
    messages: [said("explain it"), replied("It is done.", { isAborted: true })],
    states: ["open"],
  },
  {
    name: "is open where the model asks, and done with its answer",
    messages: [
      said("fix it"),
      replied("In which branch?"),
      said("main"),
      ...worked("t1"),
      replied("I did it."),
    ],
    states: ["done", "done"],
  },
  {
    name: "stays open through several questions",
    messages: [said("fix it"), replied("Which branch?"), said("main"), replied("And which file?")],
    states: ["open", "done"],
  },
  {
    name: "is not corrected by the no that answers a question",
    messages: [
      said("fix it"),
      replied("Shall I add a test?"),
      said("no, only the fix"),
      replied("The fix is in."),
    ],
    states: ["done", "done"],
  },
  {
    name: "stays open where the model could not, whatever is answered later",
    messages: [
      said("deploy"),
      replied("I couldn't deploy: no key."),
      said("what is 2 + 2?"),
      replied("It is 4."),
    ],
    states: ["open", "done"],
  },
  {
    name: "is cancelled by a stop, which asks nothing itself",
    messages: [said("fix it"), ...worked("t1"), said("stop"), replied("I stopped.")],
    states: ["cancelled", "done"],
  },
  {
    name: "is not cancelled by words that only have a stop in them",
    messages: [said("fix it"), ...worked("t1"), said("don't stop before all is green")],
    states: ["open", "open"],
  },
  {
    name: "is not cancelled by a stop in a quote or in code",
    messages: [said("fix it"), said('say "stop"'), said("```\nstop\n```")],
    states: ["open", "open", "open"],
  },
  {
    name: "is cancelled by a stop in another language",
    messages: [said("behebe es"), ...worked("t1"), said("Lass es."), replied("Gut.")],
    states: ["cancelled", "done"],
  },
  {
    name: "is cancelled alone where the user calls it off by its name",
    messages: [
      said("add a test for the parser"),
      replied("I couldn't: the fixture is missing."),
      said("update the changelog"),
      replied("Which heading?"),
      said("skip the parser test"),
    ],
    states: ["cancelled", "open", "done"],
  },
  {
    name: "is open again where the user says that it does not work, until the next turn ends",
    messages: [said("fix the login"), ...worked("t1"), replied("Fixed it."), said("It still fails.")],
    states: ["open", "open"],
  },
  {
    name: "stays open where the user asks for something else instead of answering the question",
    messages: [
      said("deploy the service"),
      replied("To which region?"),
      said("Rename the helper in utils.ts to readConfig and update its callers."),
      ...worked("t1"),
      replied("Renamed it everywhere."),
    ],
    states: ["open", "done"],
  },
  {
    name: "waits on while the user asks back",
    messages: [
      said("deploy it"),
      replied("To which region: west or north?"),
      said("which one is cheaper?"),
      replied("West is cheaper."),
      said("west then"),
      ...worked("t1"),
      replied("It is deployed."),
    ],
    states: ["done", "done", "done"],
  },
  {
    name: "is done where more is offered, whatever is said to that",
    messages: [
      said("fix the parser"),
      ...worked("t1"),
      replied("The parser is fixed. Shall I also update the docs?"),
      said("no, thanks"),
    ],
    states: ["done", "done"],
  },
  {
    name: "is open where the last words only announce it",
    messages: [said("fix the parser"), replied("Let me look at the parser first.")],
    states: ["open"],
  },
  {
    name: "is never done where it is an order that binds from now on",
    messages: [said("Always answer in German, never touch vendor/"), replied("Verstanden."), said("stop")],
    states: ["open", "done"],
  },
  {
    name: "is superseded by a stop that asks for something else",
    messages: [
      said("fix it"),
      ...worked("t1"),
      said("stop, write the docs"),
      replied("The docs are written."),
    ],
    states: ["superseded", "done"],
  },
  {
    name: "is superseded by a correction, done or not",
    messages: [said("use tabs"), replied("I did."), said("no, use spaces"), replied("All spaces now.")],
    states: ["superseded", "done"],
  },
  {
    name: "is superseded alone: those before it stay as they are",
    messages: [
      said("add a test"),
      replied("I added it."),
      said("use tabs"),
      ...worked("t1"),
      said("use spaces instead"),
    ],
    states: ["done", "superseded", "open"],
  },
  {
    name: "is not superseded where it has the word itself",
    messages: [said("instead of tabs use spaces"), replied("All spaces now.")],
    states: ["done"],
  },
  {
    name: "stays done where the stop comes too late",
    messages: [said("fix it"), replied("I fixed it."), said("never mind")],
    states: ["done", "done"],
  },
  {
    name: "is cancelled where the model had asked or could not",
    messages: [
      said("deploy"),
      replied("I can't reach the server."),
      said("never mind"),
      replied("Okay."),
      said("fix it"),
      replied("In which file?"),
      said("forget it"),
    ],
    states: ["cancelled", "done", "cancelled", "done"],
  },
  {
    name: "is open again where the user goes on after a stop",
    messages: [said("fix it"), ...worked("t1"), said("stop"), replied("I stopped."), said("continue")],
    states: ["open", "done", "open"],
  },
  {
    name: "is neither done nor cancelled by an interruption and another question",
    messages: [
      said("fix it"),
      ...worked("t1"),
      said("[Request interrupted by user]"),
      said("what does it do?"),
      replied("It adds numbers."),
    ],
    states: ["open", "done"],
  },
  {
    name: "is not held up by the interruption of a later one",
    messages: [
      said("fix it"),
      replied("Which one?"),
      said("the first"),
      called("t1", "Bash"),
      said("[Request interrupted by user]"),
      said("the second"),
      replied("I fixed it."),
    ],
    states: ["done", "open", "done"],
  },
  {
    name: "goes on after an interruption",
    messages: [
      said("fix it"),
      called("t1", "Bash"),
      failed("t1", "Interrupted by the user before it was finished."),
      said("go on"),
      ...worked("t2"),
      replied("I fixed it."),
    ],
    states: ["done", "done"],
  },
  {
    name: "is open where the words were broken off",
    messages: [said("fix it"), replied("I begin with the"), said("[Request interrupted by user]")],
    states: ["open"],
  },
  {
    name: "is superseded where the user holds up what was broken off and wants something else",
    messages: [
      said("add a page"),
      called("t1", "Write", { file_path: "page.html" }),
      said("[Request interrupted by user]"),
      said("Non, attends. Mets un simple texte."),
    ],
    states: ["superseded", "open"],
  },
  {
    name: "is superseded where it was broken off and is said again with another name",
    messages: [
      said("have a look at issue ABC-108, we work on that here"),
      called("t1", "Bash"),
      said("[Request interrupted by user for tool use]"),
      said("have a look at issue ABD-108, we work on that here"),
    ],
    states: ["superseded", "open"],
  },
  {
    name: "is done where it only asks to know something, whatever is asked in return",
    messages: [
      said("does the cache get stale?"),
      replied("No: each call is a process of its own. Does that match what you see?"),
      said("soph has some thoughts on it too"),
    ],
    states: ["done", "open"],
  },
  {
    name: "is done where the agent changed what was asked for and asks whether to go on",
    messages: [
      said("move it into a hook"),
      called("t1", "Edit", { file_path: "settings.json" }),
      answered("t1"),
      replied("The hook does it now. Would you like me to create a commit with these changes?"),
      said("search whether others have the problem"),
    ],
    states: ["done", "open"],
  },
  {
    name: "is no command of the harness's",
    messages: [said("<command-name>/exit</command-name>\n<command-args></command-args>")],
    states: ["done"],
  },
  {
    name: "is open where a check fails behind the change, whatever the answer says",
    messages: [
      said("fix the parser"),
      called("t1", "Edit", { file_path: "parser.ts" }),
      answered("t1"),
      called("t2", "Bash", { command: "npm test" }),
      failed("t2"),
      replied("Fixed!"),
    ],
    states: ["open"],
  },
  {
    name: "is done once the check passes that had failed for it",
    messages: [
      said("upgrade the framework"),
      called("t1", "Edit", { file_path: "package.json" }),
      answered("t1"),
      called("t2", "Bash", { command: "npm test" }),
      failed("t2"),
      replied("It is upgraded, but six tests fail."),
      said("repair the six tests"),
      called("t3", "Edit", { file_path: "a.test.ts" }),
      answered("t3"),
      called("t4", "Bash", { command: "npm test" }),
      answered("t4"),
      replied("All of them pass."),
    ],
    states: ["done", "done"],
  },
  {
    name: "is done where a turn ends without a word and its calls went well",
    messages: [said("sort the imports"), ...worked("t1"), replied("", { stopReason: "end_turn" })],
    states: ["done"],
  },
  {
    name: "is not done by what is answered to an order while it waits",
    messages: [
      said("draw the chart"),
      replied("The library is missing. May I install it?"),
      said("Never show me more than two decimals."),
      replied("Understood."),
    ],
    states: ["open", "open"],
  },
  {
    name: "is cancelled where it is taken back once done",
    messages: [said("switch to ky"), ...worked("t1"), replied("Switched."), said("take that back")],
    states: ["cancelled", "open"],
  },
  {
    name: "is open while its to-dos are",
    messages: [
      said("do three things"),
      ...listed("t1", "completed", "pending"),
      replied("The first is done."),
    ],
    states: ["open"],
  },
  {
    name: "is done when its to-dos are, later ones apart",
    messages: [
      said("do two things"),
      ...listed("t1", "in_progress", "pending"),
      said("and a third"),
      ...listed("t2", "completed", "completed"),
    ],
    states: ["done", "open"],
  },
  {
    name: "is cancelled when all its to-dos are",
    messages: [said("do it"), ...listed("t1", "pending"), ...listed("t2", "cancelled")],
    states: ["cancelled"],
  },
  {
    name: "is not held open by to-dos of an earlier turn",
    messages: [
      said("do two things"),
      ...listed("t1", "completed", "pending"),
      replied("The first is done."),
      said("what time is it?"),
      replied("It is noon."),
    ],
    states: ["open", "done"],
  },
  {
    name: "is open after an answer in a language nobody knows here, until the turn after it ends",
    messages: [said("behebe es"), replied("Все готово."), said("und jetzt testen"), replied("Всё работает.")],
    states: ["done", "open"],
  },
  {
    name: "is heard while the model works, and done with the rest",
    messages: [
      said("fix it"),
      ...worked("t1"),
      said("and the docs"),
      ...worked("t2"),
      replied("Both are done."),
    ],
    states: ["done", "done"],
  },
];

describe("a request", () => {
  it.each(dialogues)("$name", ({ messages, states }) => {
    expect(statesOf(...messages)).toEqual(states);
  });

  it("names what settled it", () => {
    const { intents } = ledgersOf([said("fix it"), replied("Fixed it."), said("no, the other one")]);
    expect(intents).toEqual([
      { entry: "e1", seq: 1, state: "superseded", by: "e3" },
      { entry: "e3", seq: 3, state: "open" },
    ]);
  });

  it("is what to-dos and plan belong to", () => {
    const { todosRequest, planRequest, intents } = ledgersOf([
      said("plan it"),
      called("t1", "ExitPlanMode", { plan: "first this" }),
      answered("t1"),
      said("stop"),
      said("do something else"),
      ...listed("t2", "pending"),
    ]);
    expect({ todosRequest, planRequest }).toEqual({ todosRequest: "e5", planRequest: "e1" });
    expect(intents[0]).toEqual({ entry: "e1", seq: 1, state: "cancelled", by: "e4" });
  });
});

const words = fc.constantFrom(
  "fix it",
  "stop",
  "continue",
  "no, use spaces",
  "never mind, run it",
  "[Request interrupted by user]",
  "don't stop",
);
const answer = fc.constantFrom("I did it.", "Which one?", "I couldn't.", "Alles gut.", "");
const id = fc.constantFrom("t1", "t2", "t3");
const status = fc.constantFrom("pending", "completed", "cancelled");
const message: fc.Arbitrary<Message> = fc.oneof(
  words.map((text) => said(text)),
  fc
    .tuple(answer, fc.constantFrom("r1", "r2", undefined))
    .map(([text, responseId]) => replied(text, responseId === undefined ? {} : { responseId })),
  fc
    .tuple(id, fc.constantFrom("r1", "r2"))
    .map(([use, responseId]) => called(use, "Bash", {}, { responseId })),
  fc
    .tuple(id, fc.array(status, { maxLength: 3 }))
    .map(([use, all]) =>
      called(use, "TodoWrite", { todos: all.map((one) => ({ content: "x", status: one })) }),
    ),
  id.map((use) => answered(use)),
  id.map((use) => failed(use, "Interrupted by the user before it began.")),
);

describe("the intent ledger", () => {
  const history = fc.array(message, { maxLength: 40 }).map(toEntries);
  const add = (
    entries: readonly MessageEntry[],
    from?: ReturnType<ReturnType<typeof createLedgers>["snapshot"]>,
  ) => {
    const writer = createLedgers(from);
    for (const entry of entries) writer.add(entry);
    return writer;
  };

  it("has one record for every message of the user's, open ones without and settled ones with what settled them", () => {
    fc.assert(
      fc.property(history, (entries) => {
        const { intents, userMessages } = add(entries).ledgers();
        const known = new Set(entries.map((entry) => entry.id));
        expect(intents.map(({ entry }) => entry)).toEqual(userMessages.map(({ entry }) => entry));
        for (const { state, by } of intents) {
          if (state === "open") expect(by).toBeUndefined();
          else expect(known.has(by ?? "")).toBe(true);
        }
      }),
    );
  });

  it("goes on from a snapshot as from the start, and changes no snapshot", () => {
    fc.assert(
      fc.property(history, fc.nat(40), history, (entries, cut, others) => {
        const snapshot = add(entries.slice(0, cut)).snapshot();
        const copy = structuredClone(snapshot);
        add(others, snapshot);
        const again = add(entries.slice(cut), snapshot);
        expect(again.snapshot()).toEqual(add(entries).snapshot());
        expect(snapshot).toEqual(copy);
      }),
    );
  });

  it("keeps no more than what is not settled for what comes", () => {
    const turns = Array.from({ length: 500 }, (_, at) => [said(`do ${at}`), replied("I did it.")]).flat();
    const { current, waiting, listed: open, stopped } = add(toEntries(turns)).snapshot().intents;
    expect([current, waiting, open, stopped]).toEqual([[], [], [], []]);
  });
});

describe("words beside a call", () => {
  type Event = (intents: IntentWriter, step: number) => void;
  const words = [
    "fix it",
    "no, the other one",
    "stop",
    "stop, do that instead",
    "go on",
    "Fixed.",
    "Which one?",
  ];
  const responses = ["r1", "r2"];
  const todo = fc.constantFrom("pending", "completed", "cancelled");
  const event: fc.Arbitrary<Event> = fc.oneof(
    fc.constantFrom(...words).map(
      (text): Event =>
        (intents, step) =>
          intents.say(`e${step}`, step, text),
    ),
    fc.tuple(fc.constantFrom(...words), fc.constantFrom(...responses), fc.boolean()).map(
      ([text, response, isBroken]): Event =>
        (intents, step) =>
          intents.answer({ entry: `e${step}`, response, text, isBroken }),
    ),
    fc.constantFrom(...responses).map(
      (response): Event =>
        (intents) =>
          intents.call(response),
    ),
    fc.array(todo, { maxLength: 2 }).map(
      (statuses): Event =>
        (intents, step) =>
          intents.list(
            `e${step}`,
            statuses.map((status, at) => ({ content: `part ${at}`, status })),
          ),
    ),
    fc.constant<Event>((intents) => intents.interrupt()),
  );

  it("leave what they leave where their meaning is read, whatever was said and done before", () => {
    const part = fc.record({
      entry: fc.constant("last"),
      response: fc.constantFrom(...responses),
      text: fc.constantFrom(...words),
      isBroken: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30, size: "max" }), part, (events, last) => {
        const [read, unread] = [createIntents(), createIntents()];
        for (const [step, happen] of events.entries()) for (const one of [read, unread]) happen(one, step);
        read.answer(last);
        unread.answer({ ...last, hasCalls: true });
        for (const one of [read, unread]) one.call(last.response);
        expect(unread.snapshot()).toEqual(read.snapshot());
      }),
      { numRuns: 5_000 },
    );
  });
});
