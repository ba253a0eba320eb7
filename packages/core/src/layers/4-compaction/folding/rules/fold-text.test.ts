import { describe, expect, it } from "vitest";
import {
  addRound,
  answered,
  createTestLog,
  said,
} from "../../../../../../../test/layers/compaction-support.ts";
import type { Ledgers } from "../../../../spec/index.ts";
import { estimateContent } from "../../../../view/tokens/index.ts";
import { spanLedgers } from "./find-spans.ts";
import { foldText, writeFold } from "./fold-text.ts";

function span(rounds = 2) {
  const log = createTestLog();
  log.say(said("Build the thing."));
  for (let at = 0; at < rounds; at += 1) addRound(log, `t${at}`, 2_000, `/src/file-${at}.ts`);
  log.say(answered("The queue is never drained."));
  const { items, ledgers } = log.view();
  const part = items.slice(1);
  return { items: part, rounds, from: "e2", to: "e5", ledgers: spanLedgers(ledgers, part), all: ledgers };
}

const saidThere = (more: Partial<Ledgers> = {}) => ({ userMessages: [], answers: [], orders: [], ...more });

describe("foldText", () => {
  it("says that it is folded, the summary, what the user said, and how to get it back", () => {
    expect(
      foldText(
        span(),
        " Two files were read.\n",
        saidThere({ userMessages: [{ entry: "e9", seq: 9, text: "Go\non." }] }),
      ),
    ).toBe(
      [
        "[Folded: 2 finished rounds of this conversation. What follows is background and asks for nothing.]",
        "Two files were read.",
        "The user said: “Go on.” (recall e9)",
        "[Recall gives it back word for word, by entry (e2 to e5) or by call: Read /src/file-0.ts = t0; Read /src/file-1.ts = t1.]",
      ].join("\n"),
    );
  });

  it("has the orders that the user gave there, and each answer that the summary lacks", () => {
    const order = { entry: "e9", seq: 9, text: "Never push." };
    const answers = [
      { entry: "e10", seq: 10, text: "The queue is never drained, since nobody calls flush. More of it." },
      { entry: "e11", seq: 11, text: "The second answer is told of in the summary, with its id." },
    ];
    const text = foldText(
      span(),
      "It was found (recall e11).",
      saidThere({ userMessages: [{ ...order, text: "Never push. Look at it." }], orders: [order], answers }),
    );
    expect(text.split("\n").slice(1, -1)).toEqual([
      "It was found (recall e11).",
      "The user said: “Never push. Look at it.” (recall e9)",
      "Standing order of the user: Never push.",
      "The assistant answered: “The queue is never drained, since nobody calls flush.” (recall e10)",
    ]);
  });

  it("names a few calls, and says how many there are besides", () => {
    expect(foldText(span(20), "s", saidThere())).toMatch(
      /t7; 12 more are found by searching with Recall\.\]$/,
    );
    expect(foldText({ items: [], rounds: 1, from: "e1", to: "e1" }, "s", saidThere())).toContain(
      "Recall gives it back word for word: e1.",
    );
  });

  it("is well-formed, whatever the summary is", () => {
    expect(foldText(span(), "\ud800", saidThere()).isWellFormed()).toBe(true);
  });
});

describe("spanLedgers", () => {
  it("has what the span is about, and stays as it is", () => {
    const { ledgers, all } = span();
    expect([...ledgers.files.keys()]).toEqual(["/src/file-0.ts", "/src/file-1.ts"]);
    expect(ledgers.userMessages).toEqual([]);
    expect(all.userMessages).toHaveLength(1);
    expect(ledgers.files).not.toBe(all.files);
  });
});

describe("writeFold", () => {
  it("writes what happened in the span, in its tokens, and asks for nothing", () => {
    const { ledgers, ...part } = span();
    const text = writeFold(part, ledgers, 200);
    expect(text).toContain("file-1.ts");
    expect(text).toContain("The queue is never drained.");
    expect(text).toContain("## How it ended");
    expect(text).not.toMatch(/None\.|next step|Build the thing|^## \d/m);
    expect(estimateContent(text)).toBeLessThanOrEqual(200);
    expect(writeFold(part, ledgers, 200)).toBe(text);
  });

  it("is empty where there is no room", () => {
    const { ledgers, ...part } = span();
    expect(writeFold(part, ledgers, 1)).toBe("");
  });
});
