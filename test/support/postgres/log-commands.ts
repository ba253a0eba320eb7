import fc from "fast-check";
import type { Durability, EntryDraft } from "../../../packages/core/src/spec/index.ts";
import { messageDraft, nastyText } from "../entries.ts";

/** What a person or a program may do with the logs of a project; `by` is one of two processes. */
export type LogCommand =
  | {
      readonly what: "create";
      readonly by: number;
      readonly session: string;
      readonly durability: Durability;
      readonly afterSeq?: number;
    }
  | { readonly what: "open"; readonly by: number; readonly session: string; readonly durability: Durability }
  | {
      readonly what: "append";
      readonly by: number;
      readonly session: string;
      readonly drafts: readonly EntryDraft[];
    }
  | { readonly what: "flush" | "close" | "remove"; readonly by: number; readonly session: string }
  | {
      readonly what: "scan";
      readonly by: number;
      readonly session: string;
      readonly behind?: number;
      readonly limit?: number;
    }
  | { readonly what: "read"; readonly by: number; readonly session: string; readonly nth: number }
  | { readonly what: "list"; readonly by: number }
  | { readonly what: "die"; readonly by: number }
  | {
      readonly what: "put";
      readonly by: number;
      readonly session: string;
      readonly text: string;
      readonly name: string;
    }
  | { readonly what: "get"; readonly by: number; readonly session: string; readonly text: string };

const by = fc.integer({ min: 0, max: 1 });
const session = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("one", "one/fork") },
  { weight: 2, arbitrary: fc.constant("two") },
  { weight: 1, arbitrary: fc.constantFrom("..", "a/b/c", "") },
);
const durability = fc.constantFrom<Durability>("process", "fsync", "relaxed");
const text = fc.oneof(nastyText, fc.constant("x".repeat(70_000)));

const draft: fc.Arbitrary<EntryDraft> = fc.oneof(
  { weight: 6, arbitrary: text.map(messageDraft) },
  {
    weight: 2,
    arbitrary: nastyText.map((title): EntryDraft => ({ kind: "note", note: { topic: "title", title } })),
  },
  {
    weight: 2,
    arbitrary: nastyText.map(
      (line): EntryDraft => ({
        kind: "note",
        note: {
          topic: "notes",
          text: `# Session Title\n${line}\n\n# Current State\nworking on ${line}\n`,
          covers: "msg_000001",
          coversSeq: 1,
          tokensAt: 10,
          by: "model",
        },
      }),
    ),
  },
  { weight: 1, arbitrary: fc.constant(messageDraft(1n as never)) },
);

const command: fc.Arbitrary<LogCommand> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      {
        what: fc.constant("create" as const),
        by,
        session,
        durability,
        afterSeq: fc.integer({ min: 0, max: 9 }),
      },
      { requiredKeys: ["what", "by", "session", "durability"] },
    ),
  },
  { weight: 4, arbitrary: fc.record({ what: fc.constant("open" as const), by, session, durability }) },
  {
    weight: 8,
    arbitrary: fc.record({
      what: fc.constant("append" as const),
      by,
      session,
      drafts: fc.array(draft, { maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("flush" as const), by, session }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant("close" as const), by, session }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("remove" as const), by, session }) },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        what: fc.constant("scan" as const),
        by,
        session,
        behind: fc.integer({ min: 0, max: 6 }),
        limit: fc.integer({ min: 0, max: 4 }),
      },
      { requiredKeys: ["what", "by", "session"] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant("read" as const),
      by,
      session,
      nth: fc.integer({ min: 0, max: 8 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("list" as const), by }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("die" as const), by }) },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant("put" as const),
      by,
      session,
      text: nastyText,
      name: fc.constantFrom("a", "b", "odd / name"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("get" as const), by, session, text: nastyText }) },
);

/** Long enough for a session to be made, written, left, taken up and removed. */
export const logCommands: fc.Arbitrary<readonly LogCommand[]> = fc
  .array(command, { minLength: 4, maxLength: 24 })
  .map((commands) => [
    { what: "create", by: 0, session: "one", durability: "process" },
    ...commands,
    { what: "scan", by: 0, session: "one" },
    { what: "scan", by: 0, session: "one/fork" },
    { what: "list", by: 1 },
  ]);
