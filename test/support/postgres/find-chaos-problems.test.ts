import { describe, expect, it } from "vitest";
import { type ChaosHistory, type ChaosRecord, findChaosProblems } from "./find-chaos-problems.ts";

interface Line {
  readonly seq: number;
  readonly epoch: number;
  readonly id?: string;
  readonly mark?: string;
}

const lineOf = ({ seq, epoch, id = `msg_${seq}`, mark = `m${seq}` }: Line) =>
  `${JSON.stringify({ seq, epoch, id, message: { content: `${mark} text` } })}\n`;

function logOf(...lines: readonly Line[]) {
  let position = 0;
  const entries = lines.map((line) => {
    const text = lineOf(line);
    position += text.length;
    return { place: position - text.length, line: text };
  });
  return { session: "ses", lastSeq: lines.at(-1)?.seq ?? 0, bytes: position, entries };
}

const first = { seq: 1, epoch: 1 };
const second = { seq: 2, epoch: 2 };
const acknowledged: ChaosRecord = {
  kind: "entry",
  session: "ses",
  place: lineOf(first).length,
  seq: 2,
  epoch: 2,
  id: "msg_2",
  mark: "m2",
};
const sent = (id: string): ChaosRecord => ({ kind: "sent", id, from: "a", to: "b" });
const taken = (id: string, at: number): ChaosRecord => ({
  ...{ kind: "taken", id, from: "a", to: "b" },
  askedAt: String(at),
  takenAt: String(at + 1),
});
const received = (id: string, at: number): ChaosRecord => ({
  ...{ kind: "received", to: "b", ids: [id], at: String(at) },
});

const good: ChaosHistory = {
  records: [
    acknowledged,
    { kind: "version", path: "a.md", version: 2, mark: "v2" },
    sent("1"),
    sent("2"),
    taken("1", 10),
    taken("1", 20),
    received("1", 25),
    taken("2", 30),
    received("2", 35),
    { kind: "queued", job: "j1" },
    { kind: "refusal", what: "append", code: "fenced", said: "Another process has it." },
  ],
  logs: [logOf(first, second, { seq: 3, epoch: 2 })],
  versions: [
    { path: "a.md", version: 1, mark: "v1" },
    { path: "a.md", version: 2, mark: "v2" },
  ],
  effects: ["j1", "j2"],
  jobsLeft: 0,
};

const problemsWith = (change: Partial<ChaosHistory>) => findChaosProblems({ ...good, ...change });
const problemsAfter = (...more: readonly ChaosRecord[]) =>
  problemsWith({ records: [...good.records, ...more] });

describe("what is looked for after the chaos", () => {
  it("finds nothing in a history that keeps every promise", () => {
    expect(findChaosProblems(good)).toEqual([]);
  });

  it("finds an acknowledged entry that is lost, and one that is another's", () => {
    const lost = `ses at ${acknowledged.kind === "entry" && acknowledged.place}: entry 2 of epoch 2, msg_2 was acknowledged and is lost`;
    expect(problemsWith({ logs: [logOf(first)] })).toEqual([lost]);
    expect(problemsWith({ logs: [logOf(first, { ...second, mark: "other" })] })).toEqual([lost]);
  });

  it("finds a fenced write that was accepted", () => {
    const [log] = [logOf(first, second, { seq: 3, epoch: 1 })];
    const at = log.entries[2]?.place;
    expect(problemsWith({ logs: [log] })).toEqual([`ses at ${at}: a write of epoch 1 was accepted behind 2`]);
  });

  it("finds entries that are there twice, by their id and by what they say", () => {
    const log = logOf(first, second, { seq: 3, epoch: 2, id: "msg_2", mark: "m1" });
    const at = log.entries[2]?.place;
    expect(problemsWith({ logs: [log] })).toEqual([
      `ses at ${at}: entry msg_2 is there twice`,
      `ses at ${at}: m1 was written twice`,
    ]);
  });

  it("finds gaps in numbers and places, and a row that says otherwise", () => {
    const log = logOf(first, second, { seq: 4, epoch: 2 });
    expect(problemsWith({ logs: [log] })).toEqual([`ses at ${log.entries[2]?.place}: number 4 behind 2`]);
    const whole = logOf(first, second);
    expect(problemsWith({ logs: [{ ...whole, lastSeq: 9 }] })).toEqual([
      `ses: its row says 9 and ${whole.bytes} bytes, it has 2 and ${whole.bytes}`,
    ]);
    const moved = whole.entries.map((entry, index) => ({ ...entry, place: entry.place + 5 * index }));
    expect(problemsWith({ logs: [{ ...whole, entries: moved }] })).toHaveLength(3);
  });

  it("finds versions that are lost, doubled or not there", () => {
    expect(problemsWith({ versions: good.versions.slice(0, 1) })).toEqual([
      "a.md: version 2, v2, was acknowledged and is lost",
    ]);
    expect(problemsWith({ versions: [...good.versions, { path: "a.md", version: 4, mark: "v1" }] })).toEqual([
      "a.md: version 4 follows a gap",
      "a.md: v1 was written twice",
    ]);
  });

  it("finds mail that never came, came again, or came out of order", () => {
    expect(problemsAfter(sent("3"))).toEqual(["mail 3 was accepted and never came"]);
    expect(problemsAfter(taken("1", 50))).toEqual(["mail 1 came again to b"]);
    expect(problemsAfter(sent("3"), taken("3", 5))).toEqual(["mail 3 came before 2"]);
  });

  it("finds jobs that were not done, done twice or left", () => {
    expect(problemsWith({ effects: [] })).toEqual(["job j1 was accepted and never done"]);
    expect(problemsWith({ effects: ["j1", "j1"], jobsLeft: 1 })).toEqual([
      "1 jobs are left",
      "a job had its effect twice",
    ]);
  });

  it("hands on what a worker calls a problem", () => {
    expect(problemsAfter({ kind: "problem", what: "open", code: "corrupt", said: "Broken." })).toEqual([
      "open: corrupt Broken.",
    ]);
  });
});
