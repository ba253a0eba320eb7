import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answered, called, failed, said } from "../../../../../test/support/ledger-entries.ts";
import {
  anyEstimate,
  anySession,
  byBytes,
  scribeSession,
} from "../../../../../test/support/scribe-sessions.ts";
import type { Ledgers, Message } from "../../spec/index.ts";
import { quoteCode, quoteWhole, showName } from "../quote-foreign.ts";
import {
  type AppendixOptions,
  mentionsId,
  mentionsPath,
  missingFromSummary,
} from "./missing-from-summary.ts";
import { isChanged } from "./parts/file-parts.ts";
import { maxErrorChars } from "./parts/work-parts.ts";
import { isRuleLike } from "./read-session.ts";
import { writeSummary } from "./write-summary.ts";

const ledgersOf = (...messages: readonly Message[]) => scribeSession(messages).ledgers;
const options: AppendixOptions = { windowTokens: 200_000, estimate: byBytes };
const replied = (text: string): Message => ({ type: "assistant", content: [{ type: "text", text }] });

const ledgers = ledgersOf(
  said("fix the store"),
  called("t1", "Edit", { file_path: "/work/store.ts", old_string: "a", new_string: "b" }),
  answered("t1"),
  called("t2", "ExitPlanMode", { plan: "1. fix\n2. test" }),
  answered("t2"),
  called("t3", "TodoWrite", {
    todos: [
      { content: "Test it", status: "pending" },
      { content: "Fix it", status: "completed" },
    ],
  }),
  answered("t3"),
  called("t4", "Bash", { command: "npm test" }),
  failed("t4", "2 failed"),
);

describe("missingFromSummary", () => {
  it("adds what the summary does not have, word for word, with what became of it and how to read it", () => {
    expect(missingFromSummary("They fixed something.", ledgers, options)).toEqual({
      text: [
        "Added from the session's ledgers, word for word, since the summary does not have it. Background, no instruction. What the user said is what the log has, whatever the summary ascribes to them.",
        "User messages, oldest first:\n[open · recall e1] fix the store",
        "Files written:\n- /work/store.ts · recall t1",
        "Open to-dos:\n- [pending] “Test it”",
        "Plan:\n[open · asked for in e1]\n```\n1. fix\n2. test\n```",
        "Last unresolved error:\n- Bash “npm test” · recall t4: “2 failed”",
      ].join("\n\n"),
      tokens: 118,
      missing: {
        orders: [],
        answers: [],
        userMessages: ["e1"],
        files: ["/work/store.ts"],
        todos: ["Test it"],
        hasPlan: true,
        error: "t4",
      },
    });
  });

  it("adds nothing that is there", () => {
    const summary = "fix the store: /work/store.ts. Test it.\n1. fix\n2. test\nnpm test: 2 failed";
    expect(missingFromSummary(summary, ledgers, options)).toEqual({
      text: "",
      tokens: 0,
      missing: { orders: [], answers: [], userMessages: [], files: [], todos: [], hasPlan: false },
    });
  });

  it("does not take a longer path for a shorter one", () => {
    expect(missingFromSummary("/work/store.tsx, /old/work/store.ts", ledgers, options).missing.files).toEqual(
      ["/work/store.ts"],
    );
  });

  it("has every message of the user's, however many boundaries lie behind it, settled or not", () => {
    const many = ledgersOf(
      said("VAT is 19 percent."),
      replied("I did it."),
      said("The key is in the vault."),
      replied("I did that too."),
      said("Add a map."),
    );
    expect(missingFromSummary("", many, options).missing.userMessages).toEqual(["e1", "e3", "e5"]);
  });

  it("says how many of the user's messages there is no room for", () => {
    const many = ledgersOf(
      ...Array.from({ length: 400 }, (_none, at) => said(`Part ${at} is about the number ${at * 7}.`)),
    );
    const { text } = missingFromSummary("", many, { ...options, maxTokens: 1_000 });
    const named = text.split("\n").filter((line) => line.startsWith("[open")).length;
    expect(named).toBeGreaterThan(5);
    expect(text).toContain(
      `[… ${400 - named} more of the user's messages are in the log only: they are found by their words …]`,
    );
  });

  it("leaves out what stays before the model's eyes", () => {
    const two = ledgersOf(said("one thing"), said("another thing"));
    const isKept = (seq: number) => seq === 2;
    expect(missingFromSummary("", two, { ...options, isKept }).missing.userMessages).toEqual(["e1"]);
  });

  it("marks the plan of a request that was called off", () => {
    const off = ledgersOf(
      said("plan it"),
      called("t1", "ExitPlanMode", { plan: "first this" }),
      answered("t1"),
      said("stop"),
    );
    expect(missingFromSummary("plan it, stop", off, options).text).toContain(
      "[cancelled · asked for in e1] “first this” Not to be followed.",
    );
  });

  it("has the newest, the first and rule-like messages whole, and the others on a line once their part is full", () => {
    const words = (at: number) =>
      `${at % 7 === 3 ? "always" : "please"} look at ${at} ${"and look ".repeat(40)}${at}.`;
    const chat = Array.from({ length: 30 }, (_none, at) => [said(words(at)), replied("I did it.")]).flat();
    const { text } = missingFromSummary("", ledgersOf(...chat), { ...options, windowTokens: 18_000 });
    const positions = Array.from({ length: 30 }, (_none, at) => at);
    const whole = positions.filter((at) => text.includes(words(at)));
    expect(whole).toEqual([0, 3, 10, 17, 24, 29]);
    for (const at of positions) {
      expect(text).toContain(`· recall e${at * 2 + 1}] ${words(at).slice(0, 60)}`);
      expect(text).toMatch(new RegExp(`and look ${at}\\.(?:\\n|$)`));
    }
    for (const at of [3, 10, 17, 24]) expect(text).toContain(`- ${words(at)} · recall e${at * 2 + 1}`);
    expect(byBytes(text)).toBeLessThanOrEqual(2_400);
  });

  it("adds each answer that neither the summary nor what stays beside it has: a third of it, or all", () => {
    const answer = (at: number) =>
      ["first", "second", "third", "fourth", "fifth", "last"]
        .map((rank) => `The ${rank} sentence of answer ${at} says something of its own.`)
        .join(" ");
    const three = ledgersOf(
      said("look"),
      replied(answer(1)),
      said("and there"),
      replied(answer(2)),
      said("and here"),
      replied(answer(3)),
    );
    const summary = "look, and there, and here";
    const beside = { entries: new Set(["e4"]), text: "" };
    const { text, missing } = missingFromSummary(summary, three, { ...options, beside });
    expect(missing.answers).toEqual(["e2", "e6"]);
    expect(text).toContain(`- To message 1 · recall e2:\n> ${answer(1)}`);
    expect(text).not.toContain("recall e4");
    const tight = missingFromSummary(summary, three, { ...options, maxTokens: 150 }).text;
    for (const entry of ["e2", "e4", "e6"]) expect(tight).toContain(`recall ${entry}`);
    expect(tight).not.toContain(answer(1));
    expect(
      missingFromSummary(`${summary}. ${answer(1)} ${answer(2)} ${answer(3)}`, three, options).text,
    ).toBe("");
  });

  it("adds standing orders whole, however little room there is, and those revoked not at all", () => {
    const two = ledgersOf(
      said("Always answer in German, never touch vendor/."),
      said("Never push to main."),
      said("You can push to main now."),
    );
    const { text, missing } = missingFromSummary("", two, { ...options, maxTokens: 60 });
    expect(missing.orders).toEqual(["e1"]);
    expect(text).toContain("\n- Always answer in German, never touch vendor/. · recall e1");
  });

  it("says the same words once, and no line that the summary has", () => {
    const twice = ledgersOf(said("do it again"), replied("I did."), said("do it again"));
    const { text } = missingFromSummary("", twice, options);
    expect(text.match(/do it again/g)).toHaveLength(1);
    const long = ledgersOf(
      said("first"),
      said(`look ${"around ".repeat(400)}`),
      replied("I did."),
      said("last"),
    );
    const small = { ...options, windowTokens: 400, maxTokens: 1_000 };
    expect(missingFromSummary("first, last. [2 · done · recall e2] look", long, small).text).toBe(
      "Added from the session's ledgers, word for word, since the summary does not have it. Background, no instruction. What the user said is what the log has, whatever the summary ascribes to them.",
    );
  });
});

/** Whether summary and appendix together have everything, in whatever form. */
function isThere(text: string, given: Ledgers): boolean {
  const has = (one: string) => text.includes(one.toWellFormed());
  const { userMessages, files, todos, plan, unresolvedErrors } = given;
  return (
    userMessages.every((message) => has(message.text) || mentionsId(text, message.entry)) &&
    [...files.values()].filter(isChanged).every(({ path }) => mentionsPath(text, showName(path))) &&
    todos.every(
      ({ content, status }) => status === "completed" || status === "cancelled" || has(quoteWhole(content)),
    ) &&
    (!plan || has(plan.text) || /Not to be followed\./.test(text)) &&
    unresolvedErrors.slice(-1).every(({ text: said }) => has(said) || has(quoteCode(said, maxErrorChars)))
  );
}

describe("summary and appendix", () => {
  const budget = fc.nat(2_000);

  it("have everything, whatever the summary is", () => {
    fc.assert(
      fc.property(anySession, budget, (session, budgetTokens) => {
        const summary = writeSummary({ ...session, budgetTokens, estimate: byBytes });
        const { text } = missingFromSummary(summary, session.ledgers, {
          ...options,
          windowTokens: 1_000_000,
        });
        const both = `${summary}\n\n${text}`;
        expect(isThere(both, session.ledgers)).toBe(true);
        const { userMessages } = session.ledgers;
        const kept = userMessages.filter(
          (message, at) => at === 0 || at === userMessages.length - 1 || isRuleLike(message.text),
        );
        for (const message of kept) expect(both).toContain(message.text.toWellFormed());
      }),
    );
  });

  it("leave nothing for a second appendix", () => {
    fc.assert(
      fc.property(anySession, budget, (session, budgetTokens) => {
        const wide = { ...options, windowTokens: 1_000_000 };
        const summary = writeSummary({ ...session, budgetTokens, estimate: byBytes });
        const first = missingFromSummary(summary, session.ledgers, wide);
        const { missing } = missingFromSummary(`${summary}\n\n${first.text}`, session.ledgers, wide);
        const { hasPlan, ...rest } = missing;
        expect(rest).toEqual({ orders: [], answers: [], userMessages: [], files: [], todos: [] });
        expect(hasPlan && !first.text.includes("Not to be followed.")).toBe(false);
      }),
    );
  });

  it("stay within any budget, by any estimate, well-formed and the same every time; nothing is said twice", () => {
    fc.assert(
      fc.property(
        anySession,
        fc.integer({ min: 10, max: 40_000 }),
        budget,
        anyEstimate,
        (session, windowTokens, maxTokens, estimate) => {
          const given = { windowTokens, maxTokens, estimate };
          const { text, tokens } = missingFromSummary("", session.ledgers, given);
          if (text !== "") expect(estimate(text)).toBeLessThanOrEqual(maxTokens);
          expect(tokens).toBe(text === "" ? tokens : estimate(text));
          expect(text.isWellFormed()).toBe(true);
          expect(missingFromSummary("", session.ledgers, given).text).toBe(text);
          for (const { entry } of session.ledgers.userMessages)
            expect(text.split(` · recall ${entry}] `).length).toBeLessThanOrEqual(2);
        },
      ),
    );
  });
});
