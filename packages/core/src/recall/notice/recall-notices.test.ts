import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../../../testing/src/virtual-clock.ts";
import { fail, type NoticeMoment, ok, type UserMessageRecord, type View } from "../../spec/index.ts";
import { createRecallNotices, type MemoryHit, type RecallNoticeOptions } from "./recall-notices.ts";

const tea: MemoryHit = { kind: "memory", score: 1, path: "tea.md", text: "Likes tea." };
const { signal } = new AbortController();
const moment = (kind: NoticeMoment["kind"], prompt?: string): NoticeMoment => ({
  kind,
  touched: [],
  signal,
  ...(prompt !== undefined && { prompt }),
});

function begin(options: Partial<RecallNoticeOptions> = {}) {
  const queries: string[] = [];
  const asked: object[] = [];
  const userMessages: UserMessageRecord[] = [];
  let boundarySeq: number | undefined;
  const source = createRecallNotices({
    async search(query, given) {
      queries.push(query);
      asked.push(given);
      return ok([tea]);
    },
    render: ({ text }) => `<recalled>${text}</recalled>`,
    view: () => ({ items: [], boundarySeq, ledgers: { userMessages } }) as unknown as View,
    clock: createVirtualClock(),
    ...options,
  });
  return {
    queries,
    asked,
    take: source.take,
    restore: async () => source.restore?.(signal),
    compact(seq: number) {
      boundarySeq = seq;
    },
    say: (text: string) => userMessages.push({ entry: "e", seq: 1, text }),
  };
}

const told = [{ subtype: "memory", text: "<recalled>Likes tea.</recalled>" }];

describe("memories that are attached by themselves", () => {
  it("come at the beginning of a turn, for what the user says", async () => {
    const { take, queries, asked } = begin();
    expect(await take(moment("session-start"))).toEqual([]);
    expect(await take(moment("turn-start", "What do I drink?"))).toEqual(told);
    expect(queries).toEqual(["What do I drink?"]);
    expect(asked).toEqual([{ limit: 15, maxMs: 50 }]);
  });

  it("come again after a compaction, once, for the newest message of the user", async () => {
    const { take, queries, compact, say } = begin();
    say("Old.");
    say("What do I drink?");
    expect(await take(moment("tool-round"))).toEqual([]);
    compact(7);
    expect(await take(moment("tool-round"))).toEqual(told);
    expect(await take(moment("tool-round"))).toEqual([]);
    compact(9);
    expect(await take(moment("tool-round"))).toEqual(told);
    expect(queries).toEqual(["What do I drink?", "What do I drink?"]);
  });

  it("come with a compaction itself, for the newest message, and then not once more behind it", async () => {
    const attached: string[] = [];
    const { take, restore, queries, compact, say } = begin({ onAttach: ({ path }) => attached.push(path) });
    expect(await restore()).toEqual([]);
    say("What do I drink?");
    expect(await restore()).toEqual(told);
    compact(7);
    expect(await take(moment("tool-round"))).toEqual([]);
    compact(9);
    expect(await take(moment("tool-round"))).toEqual(told);
    expect([queries.length, attached]).toEqual([2, ["tea.md", "tea.md"]]);
  });

  it("keep no compaction from what else it brings back where the search fails", async () => {
    const { restore, say } = begin({ search: async () => fail("corrupt", "The index is damaged.") });
    say("Tea?");
    expect(await restore()).toEqual([]);
  });

  it("do not come for a boundary that was there when the session was opened", async () => {
    const { take, compact, say } = begin();
    say("What do I drink?");
    compact(7);
    await take(moment("session-start"));
    expect(await take(moment("tool-round"))).toEqual([]);
  });

  it("are left out where nobody asks for anything, or they are off", async () => {
    expect(await begin().take(moment("turn-start", "  "))).toEqual([]);
    expect(await begin().take(moment("turn-start"))).toEqual([]);
    expect(await begin({ isOn: () => false }).take(moment("turn-start", "Tea?"))).toEqual([]);
    expect(await begin({ search: async () => ok([]) }).take(moment("turn-start", "Tea?"))).toEqual([]);
  });

  it("are left out where they are not found in time", async () => {
    const clock = createVirtualClock();
    const { take } = begin({ clock, search: () => new Promise(() => {}) });
    const taken = take(moment("turn-start", "Tea?"));
    await clock.advance(50);
    expect(await taken).toEqual([]);
  });

  it("say so where the search fails", async () => {
    const { take } = begin({ search: async () => fail("corrupt", "The index is damaged.") });
    await expect(take(moment("turn-start", "Tea?"))).rejects.toThrow("The index is damaged.");
  });

  it("are searched for by the beginning of what is very long", async () => {
    const { take, queries } = begin();
    await take(moment("turn-start", "word ".repeat(10_000)));
    expect(queries[0]).toHaveLength(4_000);
  });
});
