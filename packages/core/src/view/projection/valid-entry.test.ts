import { describe, expect, it } from "vitest";
import type { Entry } from "../../spec/index.ts";
import { emptyTaint, nextTaint } from "../trust/index.ts";
import { createProjection } from "./projection.ts";
import { checkEntry, validEntry } from "./valid-entry.ts";

const head = { v: 1, seq: 1, epoch: 1, id: "msg_1", at: "2026-01-01T00:00:00.000Z" } as const;
const locations = { cwd: "/", folders: [], isTracked: () => false };

/** A message that counts how often it is checked: nothing but the check asks what a usage is made of. */
function counting(): { readonly entry: Entry; readonly checks: () => number } {
  let checks = 0;
  const usage = {
    get input() {
      checks += 1;
      return 1;
    },
    output: 1,
    cacheRead: 0,
    cacheCreation: 0,
  };
  const entry: Entry = { ...head, kind: "message", message: { type: "assistant", content: "Well.", usage } };
  return { entry, checks: () => checks };
}

describe("soundEntry", () => {
  it("checks an entry once, whoever else asks about it", () => {
    const { entry, checks } = counting();
    expect(validEntry(entry)).toBe(entry);
    createProjection().add(entry);
    nextTaint(emptyTaint, entry, locations);
    expect(checks()).toBe(1);
  });

  it("takes the same line of a log for another entry each time it is read", () => {
    const line = {
      ...head,
      kind: "decision",
      decision: { type: "clear", parts: [null], basis: 1, frees: 0 },
    };
    const read = () => JSON.parse(JSON.stringify(line)) as Entry;
    expect([validEntry(read()).kind, validEntry(read()).kind]).toEqual(["note", "note"]);
  });

  it("knows what it made of an entry that is none", () => {
    const made = validEntry({ ...head, kind: "message", message: { type: "user", content: 5 } } as never);
    expect(made).toMatchObject({ message: { content: [{ type: "text" }] } });
    expect(validEntry(made)).toBe(made);
  });
});

describe("checkEntry", () => {
  it("checks an entry every time it is asked", () => {
    const { entry, checks } = counting();
    checkEntry(entry);
    checkEntry(entry);
    expect(checks()).toBe(2);
  });
});
