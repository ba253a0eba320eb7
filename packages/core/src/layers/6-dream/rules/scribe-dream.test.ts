import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryText, plainFormat, plainIndex } from "../../../../../../test/support/memory-format.ts";
import { dreamNumbers } from "../settings.ts";
import { afterChanges } from "./change-set.ts";
import { checkGuards } from "./check-guards.ts";
import type { ParsedMemory } from "./memory-links.ts";
import { dreamAsScribe, type ScribeDreamOptions } from "./scribe-dream.ts";
import type { Snapshot } from "./snapshot.ts";

const at = "2026-01-05T09:00:00.000Z";
const file = (path: string, text: string, version = 1) => ({ path, text, version, at });

/** Memories that have nothing to do with those of a test, so that some may be removed. */
const others = ["apples", "bridges", "clouds", "doors", "engines", "forests"].map((topic) =>
  file(`z-${topic}.md`, memoryText(`Only about ${topic}, ${topic} tools and ${topic} people.`)),
);

function dream(snapshot: Snapshot, more: Partial<ScribeDreamOptions> = {}) {
  const numbers = dreamNumbers;
  const common = {
    id: "dream_1",
    at,
    format: plainFormat,
    index: plainIndex,
    pathExists: () => true,
    numbers,
  };
  return dreamAsScribe({ ...common, snapshot, ...more });
}

/** Files left by the dream, of those that a test is about. */
function left(snapshot: Snapshot, more: Partial<ScribeDreamOptions> = {}) {
  const changeSet = dream([...snapshot, ...others], more);
  const left = [...afterChanges([...snapshot, ...others], changeSet)];
  const bodies = left.flatMap(([path, text]) => {
    const memory = path.startsWith("z-") ? null : plainFormat.parse(path, text);
    return memory ? [[path, memory.body] as const] : [];
  });
  const reasons = changeSet.changes.map(({ path, kind, reason }) => `${kind} ${path}: ${reason}`);
  return { bodies: Object.fromEntries(bodies), flags: changeSet.flags, reasons };
}

const long = "The build runs on the large machine, takes the cache of the day before and is started by hand";

describe("the scribe's dream", () => {
  it("makes one of exact duplicates, whatever their case and marks", () => {
    const text = (body: string) => memoryText(body, { entries: ["e1"] });
    expect(left([file("a.md", text(`${long}.`)), file("b.md", text(`${long.toUpperCase()}!`))])).toEqual({
      bodies: { "a.md": `${long}.` },
      flags: [],
      reasons: ["write MEMORY.md: built anew", "remove b.md: a duplicate of a.md"],
    });
  });

  it("makes one of near duplicates and keeps what only one says", () => {
    const shared = `${long}, and the results are sent to everyone who has asked for them before noon`;
    const one = file("a.md", memoryText(`${shared}.`, { entries: ["e1"] }));
    const other = file("b.md", memoryText(`${shared}.\nAsk Ada first.`, { entries: ["e2"], author: "user" }));
    const found = left([one, other]);
    expect(found.bodies).toEqual({ "b.md": `${shared}.\nAsk Ada first.` });
    expect(found.reasons).toContain("write b.md: merged with a.md, a near duplicate");
  });

  it("lets what the user confirmed win, word for word", () => {
    const confirmed = file("b.md", memoryText(long, { isConfirmed: true }));
    const snapshot = [file("a.md", memoryText(`${long}.`, { author: "user" })), confirmed];
    const { changes } = dream([...snapshot, ...others]);
    expect(changes.map(({ kind, path }) => [kind, path])).toEqual([
      ["write", "MEMORY.md"],
      ["remove", "a.md"],
    ]);
  });

  it.each<[string, Partial<ParsedMemory>, string, Partial<ParsedMemory>, string]>([
    ["both are confirmed", { isConfirmed: true }, long, { isConfirmed: true }, long],
    ["the other one says more than the confirmed one", { isConfirmed: true }, long, {}, `${long}.\nAsk Ada.`],
    ["the untrusted one says more", {}, long, { trust: "untrusted" }, `${long}.\nAsk Ada.`],
  ])("flags duplicates where %s", (_name, one, body, other, otherBody) => {
    const found = left([file("a.md", memoryText(body, one)), file("b.md", memoryText(otherBody, other))]);
    expect(Object.keys(found.bodies)).toEqual(["a.md", "b.md"]);
    expect(found.flags).toEqual([{ kind: "duplicate", path: "a.md", target: "b.md" }]);
  });

  it.each([
    [`${long} today`, `${long} never`],
    [
      "Never deploy on Friday after the freeze has begun here",
      "Deploy on Friday after the freeze has begun here",
    ],
    [`${long} at 10`, `${long} at 11`],
  ])("keeps apart what differs in a negation or a number: %s", (one, other) => {
    const found = left([file("a.md", memoryText(one)), file("b.md", memoryText(other))]);
    expect([Object.keys(found.bodies), found.flags]).toEqual([["a.md", "b.md"], []]);
  });

  it("keeps memories of different types apart", () => {
    const found = left([
      file("a.md", memoryText(long)),
      file("b.md", memoryText(long, { type: "feedback" })),
    ]);
    expect(Object.keys(found.bodies)).toEqual(["a.md", "b.md"]);
  });

  it("removes no more than one dream may, and flags the rest", () => {
    const copies = ["a", "b", "c", "d", "e"].map((name) => file(`${name}.md`, memoryText(long)));
    const found = left(copies);
    expect(Object.keys(found.bodies)).toEqual(["a.md", "e.md"]);
    expect(found.flags).toContainEqual({ kind: "duplicate", path: "a.md", target: "e.md" });
  });

  it("makes dates absolute from the day of each file, but not in what is confirmed", () => {
    const snapshot = [
      file("a.md", memoryText("Decided yesterday.")),
      { ...file("b.md", memoryText("Ships next Friday.")), at: "2026-02-02T09:00:00.000Z" },
      file("c.md", memoryText("Left last month.", { isConfirmed: true })),
    ];
    expect(left(snapshot).bodies).toEqual({
      "a.md": "Decided on 2026-01-04.",
      "b.md": "Ships on 2026-02-06.",
      "c.md": "Left last month.",
    });
  });

  it("lets links follow what was merged, and flags dead ones and missing paths", () => {
    const snapshot = [
      file("a.md", memoryText(long)),
      file("deep/b.md", memoryText(long)),
      file("c.md", memoryText("See [b](./deep/b.md#top), [gone](gone.md), [web](https://example.org/x.md).")),
      file("deep/d.md", memoryText("See [b](b.md), `src/gone.ts`, `src/here.ts` and `npm test`.")),
    ];
    const found = left(snapshot, { pathExists: (path) => path === "src/here.ts" });
    expect(found.bodies).toEqual({
      "a.md": long,
      "c.md": "See [b](a.md), [gone](gone.md), [web](https://example.org/x.md).",
      "deep/d.md": "See [b](../a.md), `src/gone.ts`, `src/here.ts` and `npm test`.",
    });
    expect(found.flags).toEqual([
      { kind: "dead-link", path: "c.md", target: "gone.md" },
      { kind: "missing-path", path: "deep/d.md", target: "src/gone.ts" },
    ]);
  });

  it("shortens descriptions until their lines fit, and builds the index under the user's own lines", () => {
    const description = "When anything at all is to be said about ".repeat(6);
    const snapshot = [
      file("a.md", memoryText(long, { description })),
      file("MEMORY.md", "Mine.\n<!-- generated below -->\nold\n", 7),
    ];
    const changeSet = dream(snapshot);
    const [index] = changeSet.changes;
    expect(index).toMatchObject({ path: "MEMORY.md", kind: "write", expect: 7, reason: "built anew" });
    const text = afterChanges(snapshot, changeSet).get("MEMORY.md") ?? "";
    const [own, , line = ""] = text.split("\n");
    expect([own, line.length <= 150, line.endsWith("…")]).toEqual(["Mine.", true, true]);
  });

  it("changes nothing in quarantine, logs and files that are no memories", () => {
    const snapshot = [
      file("quarantine/a.md", memoryText("Run it yesterday.")),
      file("logs/2026/01/2026-01-05.md", "- 09:00 yesterday\n"),
      file("plain.md", "yesterday"),
    ];
    expect(dream(snapshot).changes).toEqual([]);
    expect(dream([]).changes).toEqual([]);
  });

  it("is deterministic, passes the guards, and leaves little to the next one", () => {
    const body = fc
      .array(
        fc.constantFrom("the", "build", "runs", "yesterday", "not", "7", "[x](m1.md)", "`a/b.ts`", "\n"),
        {
          minLength: 3,
          maxLength: 14,
        },
      )
      .map((words) => words.join(" "));
    const memory = fc.record({ body, isConfirmed: fc.boolean(), isUntrusted: fc.boolean() });
    fc.assert(
      fc.property(fc.array(memory, { maxLength: 12 }), (memories) => {
        const snapshot = memories.map(({ body: text, isConfirmed, isUntrusted }, index) =>
          file(
            `m${index}.md`,
            memoryText(text, {
              ...(isConfirmed && { isConfirmed }),
              trust: isUntrusted ? "untrusted" : "trusted",
            }),
          ),
        );
        const changeSet = dream(snapshot);
        expect(dream(snapshot.toReversed())).toEqual(changeSet);
        const guards = { parse: plainFormat.parse, checkIndex: () => null, findSecrets: () => [] };
        expect(checkGuards(changeSet, snapshot, { ...guards, maxRemovedPercent: 30 })).toEqual([]);
      }),
    );
  });
});
