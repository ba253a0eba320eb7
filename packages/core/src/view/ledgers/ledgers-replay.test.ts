import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answered, called, said, toEntries } from "../../../../../test/support/ledger-entries.ts";
import { ledgerMessage } from "../../../../../test/support/ledger-histories.ts";
import {
  type FileRecord,
  isBlock,
  type Ledgers,
  type MessageEntry,
  type TodoRecord,
  type ToolUseBlock,
} from "../../spec/index.ts";
import type { LedgerSnapshot } from "./ledger-snapshot.ts";
import { createLedgers } from "./ledgers.ts";

interface Settled {
  readonly use: ToolUseBlock;
  readonly entry: MessageEntry;
  readonly failed: boolean;
  readonly text: string;
}

/** All but what became of requests, what was said and which files were named, which have tests of their own. */
type Records = Omit<
  Ledgers,
  "intents" | "orders" | "answers" | "findings" | "namedFiles" | "todosRequest" | "planRequest"
>;

function withoutIntents(ledgers: Ledgers): Records {
  const {
    intents: _intents,
    orders: _orders,
    answers: _answers,
    findings: _findings,
    namedFiles: _named,
    todosRequest: _todos,
    planRequest: _plan,
    ...records
  } = ledgers;
  return records;
}

/** The expected ledgers, all at once: each is read out of the whole history. For few entries and known tools. */
function batchLedgers(entries: readonly MessageEntry[]): Records {
  const live = entries.filter(({ message }) => !message.isAborted);
  const blocks = live.flatMap((entry) =>
    typeof entry.message.content === "string" ? [] : entry.message.content.map((block) => ({ block, entry })),
  );
  const settled = blocks.flatMap(({ block, entry }, index): readonly Settled[] => {
    if (!isBlock(block, "tool_result")) return [];
    const before = blocks.slice(0, index).map((one) => one.block);
    const use = before.findLastIndex((one) => isBlock(one, "tool_use") && one.id === block.tool_use_id);
    const isAnswered = before
      .slice(use + 1)
      .some((one) => isBlock(one, "tool_result") && one.tool_use_id === block.tool_use_id);
    const found = before[use];
    if (!found || !isBlock(found, "tool_use") || isAnswered) return [];
    return [{ use: found, entry, failed: block.is_error === true, text: String(block.content) }];
  });
  const succeeded = settled.filter(({ failed }) => !failed);
  const plan = lastPlan(live, succeeded);
  return {
    userMessages: live.flatMap(({ id, seq, message: { type, isMeta, content } }) =>
      type === "user" && !isMeta && typeof content === "string" && /^[^\s<]/.test(content)
        ? [{ entry: id, seq, text: content }]
        : [],
    ),
    files: new Map(
      succeeded.flatMap(({ use }) => pathOf(use) ?? []).map((path) => [path, fileRecord(path, succeeded)]),
    ),
    commands: settled.flatMap(({ use, entry, failed }) =>
      use.name === "Bash" ? [{ toolUseId: use.id, seq: entry.seq, command: keyOf(use), failed }] : [],
    ),
    olderCommands: 0,
    todos: lastTodos(succeeded),
    ...(plan && { plan }),
    unresolvedErrors: settled.flatMap(({ use, entry, failed, text }, index) => {
      const isSame = (other: Settled) => other.use.name === use.name && keyOf(other.use) === keyOf(use);
      if (!failed || settled.slice(index + 1).some(isSame)) return [];
      const target = use.name === "Bash" || pathOf(use) !== undefined ? { target: keyOf(use) } : {};
      return [{ toolUseId: use.id, seq: entry.seq, tool: use.name, ...target, text }];
    }),
    olderErrors: 0,
  };
}

const inputOf = (use: ToolUseBlock) => use.input as Record<string, string> & { todos: TodoRecord[] };
const pathOf = (use: ToolUseBlock) => inputOf(use).file_path;

function keyOf(use: ToolUseBlock): string {
  const { file_path, command, pattern } = inputOf(use);
  return file_path ?? command ?? pattern ?? "";
}

function fileRecord(path: string, succeeded: readonly Settled[]): FileRecord {
  const touches = succeeded.filter(({ use }) => pathOf(use) === path);
  const last = touches.at(-1) as Settled;
  const read = touches.findLast(({ use }) => /^read$/i.test(use.name));
  const write = touches.findLast(({ use }) => use.name === "Write");
  const edit = touches.findLast(({ use }) => /edit$/i.test(use.name));
  const { offset, limit }: Record<string, unknown> = read ? inputOf(read.use) : {};
  const range = { ...(offset !== undefined && { offset }), ...(limit !== undefined && { limit }) };
  const hasRange = Object.keys(range).length > 0 && !(write && read && write.entry.seq > read.entry.seq);
  return {
    path,
    lastAction: last === read ? "read" : last === write ? "written" : "edited",
    at: last.entry.at,
    seq: last.entry.seq,
    toolUseId: last.use.id,
    ...(hasRange && { range: range as object }),
    ...(read && { readSeq: read.entry.seq }),
    ...(write && { writtenSeq: write.entry.seq }),
    ...(edit && { editedSeq: edit.entry.seq }),
    changedSinceRead: read !== undefined && last !== read,
  };
}

function lastTodos(succeeded: readonly Settled[]): readonly TodoRecord[] {
  const last = succeeded.findLast(({ use }) => use.name === "TodoWrite");
  return last ? inputOf(last.use).todos.map(({ content }) => ({ content, status: "pending" })) : [];
}

function lastPlan(live: readonly MessageEntry[], succeeded: readonly Settled[]): Ledgers["plan"] {
  const texts = live.flatMap((entry) => {
    const { message } = entry;
    if (message.subtype === "plan") return String(message.content).trim() ? [String(message.content)] : [];
    return succeeded.flatMap(({ use, entry: at }) =>
      at === entry && use.name === "ExitPlanMode" ? (inputOf(use).plan ?? []) : [],
    );
  });
  const text = texts.at(-1);
  return text === undefined ? undefined : { text };
}

function writerOf(entries: readonly MessageEntry[], start?: LedgerSnapshot) {
  const writer = createLedgers(start);
  for (const entry of entries) writer.add(entry);
  return writer;
}

/** With the order of files, which comparing maps does not look at. */
const whole = (ledgers: Ledgers) => ({ ...ledgers, files: [...ledgers.files] });

const history = fc.array(ledgerMessage, { maxLength: 40 }).map(toEntries);

describe("createLedgers", () => {
  it("gives what reading the whole history gives, after every entry", () => {
    fc.assert(
      fc.property(history, (entries) => {
        const writer = createLedgers();
        for (const [index, entry] of entries.entries()) {
          writer.add(entry);
          const expected = batchLedgers(entries.slice(0, index + 1));
          expect(withoutIntents(writer.ledgers())).toEqual(expected);
        }
        const order = [...writer.ledgers().files.values()].map(({ seq }) => seq);
        expect(order).toEqual(order.toSorted((a, b) => a - b));
      }),
    );
  });

  it("goes on from a snapshot as from the start, whatever was added after the snapshot was taken", () => {
    const cuts = fc.array(fc.nat(40), { maxLength: 4 });
    fc.assert(
      fc.property(history, cuts, history, (entries, positions, others) => {
        const writer = createLedgers();
        const snapshots: {
          readonly at: number;
          readonly snapshot: LedgerSnapshot;
          readonly copy: unknown;
        }[] = [];
        const cut = (at: number) => {
          const snapshot = writer.snapshot();
          snapshots.push({ at, snapshot, copy: structuredClone(snapshot) });
        };
        for (const [index, entry] of entries.entries()) {
          if (positions.includes(index)) cut(index);
          writer.add(entry);
        }
        cut(entries.length);
        for (const { at, snapshot, copy } of snapshots) {
          writerOf(others, snapshot);
          const again = writerOf(entries.slice(at), snapshot);
          expect(whole(again.ledgers())).toEqual(whole(writer.ledgers()));
          expect(again.snapshot()).toEqual(writerOf(entries).snapshot());
          expect(snapshot).toEqual(copy);
        }
      }),
    );
  });

  it("copies nothing for a snapshot, nor for an entry that leaves a ledger as it is", () => {
    const writer = writerOf(
      toEntries([said("hello"), called("t1", "Read", { file_path: "/a" }), answered("t1"), said("again")]),
    );
    const first = writer.snapshot();
    writer.add(toEntries([{ type: "assistant", content: "words only" }])[0] as MessageEntry);
    const second = writer.snapshot();
    for (const ledger of ["userMessages", "files", "commands", "errors", "calls"] as const) {
      expect(second[ledger]).toBe(first[ledger]);
    }
  });
});
