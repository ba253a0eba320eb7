import { describe, expect, it } from "vitest";
import {
  decideTreeStep,
  isOwedBeforeWriting,
  type SeenCopy,
  type TreeObservation,
} from "./decide-tree-step.ts";

/** Stands for a hash; one letter is one text. */
const hash = (text: string) => text.repeat(64);

const file = (identity: string, text: string) => ({
  identity,
  modifiedMs: 0,
  sha256: hash(text),
  content: new TextEncoder().encode(text),
});

const copy = (version: number, identity: string, text: string, more: Partial<SeenCopy> = {}): SeenCopy => ({
  name: `${version} ${identity}`,
  isPending: false,
  version,
  sha256: hash(text),
  id: identity,
  identity,
  isComing: false,
  ...more,
});

const version = (number: number, text: string | null) => ({
  path: "a.md",
  version: number,
  at: "2026-01-01T00:00:00.000Z",
  author: "tree",
  sha256: hash(text ?? "0"),
  bytes: 1,
  ...(text === null ? { removed: true } : {}),
});

/** A file at rest: version 2 with text b, visible as copy y, recorded. */
const atRest: TreeObservation = {
  visible: file("y", "b"),
  blocked: null,
  newest: 2,
  header: version(2, "b"),
  damage: null,
  copies: [copy(2, "y", "b")],
  replaced: [],
  temporary: [],
  signature: "",
};

const removed = { newest: 3, header: version(3, null) };

const cases: readonly (readonly [string, Partial<TreeObservation>, string, ("owed" | "may wait")?])[] = [
  ["rests when the newest version is visible", {}, "rest"],
  ["rests when there is nothing", { visible: null, newest: 0, header: null, copies: [] }, "rest"],
  ["adopts a file it does not know", { visible: file("z", "c") }, "adopt", "owed"],
  ["adopts an edit in place", { visible: file("y", "c") }, "adopt", "owed"],
  ["adopts a file without a history", { newest: 0, header: null, copies: [] }, "adopt", "owed"],
  [
    "adopts a copy whose version the history has lost",
    { newest: 1, header: version(1, "a") },
    "adopt",
    "owed",
  ],
  [
    "adopts an unknown file in place of a removed one",
    { ...removed, visible: file("z", "c") },
    "adopt",
    "owed",
  ],
  ["records a stranger's file that has the newest text", { visible: file("z", "b") }, "record", "owed"],
  [
    "records a copy again when the same text is written again",
    { newest: 3, header: version(3, "b") },
    "record",
    "owed",
  ],
  ["publishes over an old copy of its own", { newest: 3, header: version(3, "c") }, "publish", "may wait"],
  ["publishes what never was visible", { visible: null, copies: [copy(1, "x", "a")] }, "publish", "may wait"],
  [
    "publishes what is not confirmed",
    { visible: null, copies: [copy(2, "y", "b", { isPending: true })] },
    "publish",
  ],
  ["adopts the removal of a confirmed copy", { visible: null }, "adopt-removal", "owed"],
  [
    "does not take its own late removal for a stranger's",
    { visible: null, replaced: [{ name: "t", was: "taken", file: file("y", "b"), isInHistory: true }] },
    "publish",
  ],
  ["takes a copy away after a removal", removed, "take", "may wait"],
  [
    "adopts what a removal took before anyone had seen it",
    {
      ...removed,
      visible: null,
      replaced: [{ name: "t", was: "taken", file: file("z", "c"), isInHistory: false }],
    },
    "adopt-replaced",
    "owed",
  ],
  [
    "drops what a removal took once it is known",
    {
      ...removed,
      visible: null,
      replaced: [{ name: "t", was: "taken", file: file("y", "b"), isInHistory: true }],
    },
    "drop",
    "may wait",
  ],
  [
    "confirms the newest copy when it has arrived",
    { copies: [copy(2, "y", "b", { isPending: true })] },
    "confirm",
  ],
  [
    "sweeps a copy that was replaced",
    { copies: [copy(1, "x", "a"), copy(2, "y", "b")] },
    "sweep",
    "may wait",
  ],
  [
    "sweeps an earlier record of the visible file",
    { copies: [copy(1, "y", "a"), copy(2, "y", "b")] },
    "sweep",
  ],
  [
    "leaves a copy alone that is on its way",
    { copies: [copy(1, "x", "a", { isComing: true }), copy(2, "y", "b")] },
    "rest",
  ],
  [
    "leaves a later record of the visible file alone",
    { copies: [copy(2, "y", "b"), copy(3, "y", "b")] },
    "rest",
  ],
  ["leaves an own copy alone while the newest version is damaged", { newest: 3, header: null }, "rest"],
];

describe("decideTreeStep", () => {
  for (const [name, difference, step, owed] of cases) {
    it(name, () => {
      const decided = decideTreeStep({ ...atRest, ...difference });
      expect(decided.step).toBe(step);
      if (owed !== undefined) expect(isOwedBeforeWriting(decided)).toBe(owed === "owed");
    });
  }
});
