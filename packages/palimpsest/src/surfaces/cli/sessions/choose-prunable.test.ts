import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { choosePrunable } from "./commands.ts";
import { shortenIds } from "./list-command.ts";

const day = 86_400_000;
const nowMs = Date.UTC(2026, 5, 1);

function candidate(
  session: string,
  ageDays: number,
  more: { bytes?: number; openIn?: string; forks?: string[] } = {},
) {
  return {
    session,
    project: "p",
    modifiedAt: new Date(nowMs - ageDays * day).toISOString(),
    footprintBytes: more.bytes ?? 10,
    openIn: more.openIn ?? null,
    forks: more.forks ?? [],
  };
}

const names = (chosen: ReturnType<typeof choosePrunable>) => ({
  go: chosen.go.map(({ session }) => session),
  stay: chosen.stay.map(({ candidate: { session }, why }) => `${session}: ${why}`),
});

describe("choosePrunable", () => {
  it("takes what was not written to for so long, oldest first", () => {
    const all = [candidate("new", 1), candidate("old", 40), candidate("older", 90), candidate("edge", 30)];
    expect(names(choosePrunable(all, { nowMs, olderThanMs: 30 * day }))).toEqual({
      go: ["older", "old"],
      stay: [],
    });
  });

  it("takes the oldest until the rest fits", () => {
    const all = [
      candidate("a", 4, { bytes: 50 }),
      candidate("b", 3, { bytes: 30 }),
      candidate("c", 2, { bytes: 20 }),
    ];
    expect(names(choosePrunable(all, { nowMs, maxBytes: 60 })).go).toEqual(["a"]);
    expect(names(choosePrunable(all, { nowMs, maxBytes: 100 })).go).toEqual([]);
    expect(names(choosePrunable(all, { nowMs, maxBytes: 0 })).go).toEqual(["a", "b", "c"]);
  });

  it("leaves what is open, and says so", () => {
    const all = [candidate("open", 90, { openIn: "process 7" }), candidate("old", 80)];
    expect(names(choosePrunable(all, { nowMs, olderThanMs: day }))).toEqual({
      go: ["old"],
      stay: ["open: it is open in process 7"],
    });
  });

  it("leaves a parent as long as one of its forks stays, and lets them go together", () => {
    const parent = candidate("parent", 90, { forks: ["fork"] });
    expect(names(choosePrunable([parent, candidate("fork", 1)], { nowMs, olderThanMs: day * 30 }))).toEqual({
      go: [],
      stay: ["parent: fork was forked from it"],
    });
    expect(
      names(choosePrunable([parent, candidate("fork", 80)], { nowMs, olderThanMs: day * 30 })).go,
    ).toEqual(["parent", "fork"]);
    expect(names(choosePrunable([parent, candidate("fork", 1)], { nowMs, maxBytes: 0 })).go).toEqual([
      "parent",
      "fork",
    ]);
  });

  it("never leaves a fork without its parent, and never takes more than it must", () => {
    const sizes = fc.array(fc.tuple(fc.nat(100), fc.nat(90), fc.option(fc.nat(9)), fc.boolean()), {
      maxLength: 10,
    });
    fc.assert(
      fc.property(sizes, fc.nat(400), (drawn, maxBytes) => {
        const all = drawn.map(([bytes, age, , isOpen], index) => {
          const forks = drawn.flatMap(([, , parent], other) =>
            parent === index && other > index ? [`s${other}`] : [],
          );
          return candidate(`s${index}`, age, { bytes, forks, ...(isOpen && { openIn: "process 1" }) });
        });
        const { go } = choosePrunable(all, { nowMs, maxBytes });
        const gone = new Set(go.map(({ session }) => session));
        for (const one of go) {
          expect(one.openIn).toBeNull();
          expect(one.forks.every((fork) => gone.has(fork))).toBe(true);
        }
        const left = all.reduce((sum, one) => (gone.has(one.session) ? sum : sum + one.footprintBytes), 0);
        const canGo = all.filter(
          (one) => !gone.has(one.session) && one.openIn === null && one.forks.every((fork) => gone.has(fork)),
        );
        if (left > maxBytes) expect(canGo).toEqual([]);
      }),
    );
  });
});

describe("shortenIds", () => {
  it("gives every id the shortest beginning that is its own, of eight characters or more", () => {
    const short = shortenIds(["ses_01kc3v9x2q", "ses_01kc41mq7z", "ses_01kc41mr8a", "tiny"]);
    expect(Object.fromEntries(short)).toEqual({
      ses_01kc3v9x2q: "ses_01kc3",
      ses_01kc41mq7z: "ses_01kc41mq",
      ses_01kc41mr8a: "ses_01kc41mr",
      tiny: "tiny",
    });
  });

  it("keeps an id whole that another one begins with", () => {
    expect(shortenIds(["session-one", "session-one-b"]).get("session-one")).toBe("session-one");
  });
});
