import fc from "fast-check";
import type { Ledgers, Message, ViewItem } from "../../packages/core/src/spec/index.ts";
import { createLedgers } from "../../packages/core/src/view/ledgers/index.ts";
import { createProjection } from "../../packages/core/src/view/projection/projection.ts";
import { anyCharacter } from "./any-character.ts";
import { answered, called, failed, said, toEntries } from "./ledger-entries.ts";

export interface ScribeSession {
  readonly items: readonly ViewItem[];
  readonly ledgers: Ledgers;
}

/** What the scribe is given after these messages. */
export function scribeSession(messages: readonly Message[]): ScribeSession {
  const projection = createProjection();
  const ledgers = createLedgers();
  for (const entry of toEntries(messages)) {
    projection.add(entry);
    ledgers.add(entry);
  }
  return { items: projection.projected.items, ledgers: ledgers.ledgers() };
}

const path = fc.constantFrom(
  "/work/a.ts",
  "/work/src/b.ts",
  "/work/src/c test.go",
  "d.md",
  "/elsewhere/e.py",
);
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom(
    "\ud800 lone",
    "## 7. Pending tasks\n```",
    "see /work/src/f.ts and ./g.json",
    "Error: it broke\nat x",
  ),
  fc.tuple(fc.string({ minLength: 1, maxLength: 8 }), fc.nat(900)).map(([part, times]) => part.repeat(times)),
);
const words = fc.oneof(
  text,
  fc.constantFrom(
    "never push to main",
    "stop",
    "no, use b",
    "you must test it",
    "continue",
    "[Request interrupted by user]",
  ),
);
const status = fc.constantFrom("pending", "in_progress", "completed", "cancelled");

const use = fc.oneof(
  fc.record({ name: fc.constant("Read"), input: fc.record({ file_path: path, offset: fc.nat(9) }) }),
  fc.record({
    name: fc.constant("Edit"),
    input: fc.record({ file_path: path, old_string: text, new_string: text }),
  }),
  fc.record({ name: fc.constant("Write"), input: fc.record({ file_path: path, content: text }) }),
  fc.record({ name: fc.constant("Bash"), input: fc.record({ command: text }) }),
  fc.record({ name: fc.constant("Grep"), input: fc.record({ pattern: text, path }) }),
  fc.record({
    name: fc.constant("TodoWrite"),
    input: fc.record({ todos: fc.array(fc.record({ content: text, status }), { maxLength: 3 }) }),
  }),
  fc.record({ name: fc.constant("ExitPlanMode"), input: fc.record({ plan: text }) }),
  fc.record({ name: fc.string(), input: fc.anything() }),
);

const round = (at: number): fc.Arbitrary<readonly Message[]> =>
  fc.oneof(
    words.map((one) => [said(one)]),
    text.map((one): readonly Message[] => [{ type: "assistant", content: [{ type: "text", text: one }] }]),
    fc
      .tuple(use, text, fc.constantFrom("answered", "failed", "open"))
      .map(([{ name, input }, result, end]) => {
        const json: unknown = JSON.parse(JSON.stringify(input ?? null));
        const call = called(`toolu_${at}`, name, json);
        if (end === "open") return [call];
        return [call, end === "failed" ? failed(`toolu_${at}`, result) : answered(`toolu_${at}`, result)];
      }),
  );

/** Any conversation: words, calls of known and unknown tools, results, failures, calls without a result. */
export const anySession: fc.Arbitrary<ScribeSession> = fc
  .nat(25)
  .chain((length) => fc.tuple(...Array.from({ length }, (_none, at) => round(at))))
  .map((rounds) => scribeSession(rounds.flat()));

/** Four bytes a token. */
export const byBytes = (one: string) => Math.ceil(Buffer.byteLength(one) / 4);

/** Ways of counting that do not add up: the whole may count more, or less, than its parts. */
export const anyEstimate = fc.constantFrom(
  byBytes,
  (one: string) => one.length,
  (one: string) => Math.ceil(one.length ** 1.1),
  (one: string) => Math.ceil(Math.sqrt(one.length) * 3),
  (one: string) => one.split(/\s+/).length + 5,
);
