import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Entry, ok } from "../../packages/core/src/spec/index.ts";
import { project } from "../../packages/core/src/view/projection/project.ts";
import { normalize } from "../../packages/palimpsest/src/replay/index.ts";
import { blockText } from "../../packages/palimpsest/src/surfaces/inspector/read/item-register.ts";
import {
  createModelFacts,
  fromBeginning,
} from "../../packages/palimpsest/src/surfaces/inspector/read/opened-session.ts";
import {
  createSessionReader,
  type ReadSession,
} from "../../packages/palimpsest/src/surfaces/inspector/read/session-reader.ts";
import { readTexts } from "../../packages/palimpsest/src/surfaces/inspector/read/session-texts.ts";
import { createHistory, operation } from "../support/histories.ts";
import { readAll, viewsOf } from "./support/read-all.ts";

const history = fc.array(operation, { maxLength: 60 }).map((operations) => {
  const writer = createHistory();
  for (const one of operations) writer.write(one);
  return writer.entries;
});

const describeModel = createModelFacts();

describe("the session reader, on any history", () => {
  it("shows at every request what the projection of the log before it shows, word for word", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (entries) => {
        const reader = readAll(entries);
        const session = reader.since(fromBeginning);
        const bySeq = new Map(entries.map((entry) => [entry.seq, entry]));
        const readEntry = async (seq: number) => ok(bySeq.get(seq) as Entry);
        for (const [at, view] of viewsOf(session).entries()) {
          const before = entries.filter(({ seq }) => seq < (session.requests.seq[at] ?? 0));
          const shown = view.filter((number) => session.items[number]?.kind !== "unseen");
          const items = project(before).items;
          expect(shown.map((number) => session.items[number]?.origin)).toEqual(
            items.map(({ entry, index }) => `${entry}#${index}`),
          );
          const texts = await readTexts(shown, reader.itemAt, readEntry);
          expect(texts.ok && texts.value.map((text) => text.shown)).toEqual(
            items.map(({ block }) => blockText(block)),
          );
        }
      }),
    );
  });

  it("shows what was before a text that stands for several blocks", async () => {
    const writer = createHistory();
    const prompt = writer.write({ op: "user", text: "gamma delta" });
    const blocks = [{ entry: prompt?.id ?? "", block: 0, lastBlock: 1, preview: "stored" }];
    const head = { layer: "test", reason: "no room", frees: 1, basis: 1 };
    writer.append({ kind: "decision", decision: { ...head, type: "offload", results: [], blocks } });
    writer.write({ op: "assistant", text: "alpha", calls: 0, sameResponse: false, thinking: false });
    const reader = readAll(writer.entries);
    const [view = []] = viewsOf(reader.since(fromBeginning));
    const bySeq = new Map(writer.entries.map((entry) => [entry.seq, entry]));
    const texts = await readTexts(view, reader.itemAt, async (seq) => ok(bySeq.get(seq) as Entry));
    expect(texts.ok && texts.value.slice(1)).toEqual([
      { shown: "stored", original: "gamma\n\ndelta" },
      { shown: "epsilon" },
    ]);
  });

  it("counts every token of a request in exactly one category", () => {
    fc.assert(
      fc.property(history, (entries) => {
        const { requests } = readAll(entries).since(fromBeginning);
        expect(requests.byCategory.map((shares) => shares.reduce((sum, one) => sum + one, 0))).toEqual(
          requests.tokens,
        );
        expect(requests.byCategory.flat().every((tokens) => Number.isInteger(tokens) && tokens >= 0)).toBe(
          true,
        );
      }),
    );
  });

  it("finds the requests that a replay finds", () => {
    fc.assert(
      fc.property(history, (entries) => {
        const recorded = normalize(entries, "any").requests;
        const { requests } = readAll(entries).since(fromBeginning);
        const ids = requests.seq.map((seq) => entries.find((entry) => entry.seq === seq)?.id);
        expect(ids).toEqual(recorded.map(({ response }) => response.id));
      }),
    );
  });

  it("gives in parts what it gives as a whole, unless it says that it begins anew", () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 9 }), (entries, step) => {
        const reader = createSessionReader(describeModel);
        let gathered: ReadSession | null = null;
        for (const [at, entry] of entries.entries()) {
          const needs = reader.take(entry);
          if (needs !== null) reader.rebuild(entries.slice(0, at + 1).filter(({ seq }) => seq > needs));
          if (at % step === 0) gathered = resumeFrom(gathered, reader);
        }
        expect(resumeFrom(gathered, reader)).toEqual({
          ...readAll(entries).since(fromBeginning),
          generation: reader.generation,
        });
      }),
    );
  });

  it("names only items that are there, and never itself, as what a fold or a summary stands for", () => {
    fc.assert(
      fc.property(history, (entries) => {
        const { items } = readAll(entries).since(fromBeginning);
        for (const [number, { covers = [], state }] of items.entries()) {
          expect(covers.every((covered) => covered !== number && items[covered] !== undefined)).toBe(true);
          if (covers.length > 0) expect(["folded", "summarised"]).toContain(state);
        }
      }),
    );
  });
});

function resumeFrom(known: ReadSession | null, reader: ReturnType<typeof createSessionReader>): ReadSession {
  const isSame = known !== null && known.generation === reader.generation;
  const from = isSame
    ? { request: known.requests.at.length, item: known.items.length, mark: known.marks.length }
    : fromBeginning;
  const more = reader.since(from);
  if (!isSame) return more;
  const requests = Object.fromEntries(
    Object.entries(known.requests).map(([name, values]) => [
      name,
      [...values, ...more.requests[name as keyof typeof more.requests]],
    ]),
  ) as unknown as ReadSession["requests"];
  return {
    ...more,
    from: fromBeginning,
    requests,
    items: [...known.items, ...more.items],
    marks: [...known.marks, ...more.marks],
  };
}
