import { describe, expect, it } from "vitest";
import {
  addRound,
  answered,
  createTestLog,
  said,
  workedLog,
} from "../../../../../../test/layers/compaction-support.ts";
import type { ContentBlock } from "../../../spec/index.ts";
import { dropOldestRounds, toChunks } from "./kept-tail.ts";
import { plainTranscript, transcriptRounds } from "./summary-prompt.ts";

const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
const document = { type: "document", source: { type: "url", url: "https://x" } };

describe("plainTranscript", () => {
  it("names images and documents, leaves thinking and what is restored out, and keeps calls and results", () => {
    const log = createTestLog();
    log.say({ type: "user", content: [{ type: "text", text: "look" }, image] });
    log.say({ type: "attachment", subtype: "file", content: "old file" });
    log.say({ type: "attachment", subtype: "hook", content: "heed" });
    log.say(
      answered([
        { type: "thinking", thinking: "secret", signature: "s" },
        { type: "tool_use", id: "t", name: "Read", input: { file_path: "/a" } },
      ]),
    );
    const content = [{ type: "text", text: "seen" }, image, document];
    log.say({ type: "user", content: [{ type: "tool_result", tool_use_id: "t", content, is_error: true }] });
    expect(plainTranscript(transcriptRounds(log.view().items))).toBe(
      [
        "User: look",
        "The user attached:\n| [image]",
        "Attached (hook):\n| heed",
        'Assistant calls Read (t): {"file_path":"/a"}',
        "Result of t failed:\n| seen\n| [image]\n| [document]",
      ].join("\n\n"),
    );
  });
});

describe("a document in a transcript", () => {
  const transcriptOf = (...content: readonly object[]) => {
    const log = createTestLog();
    log.say({ type: "user", content: content as readonly ContentBlock[] });
    return plainTranscript(transcriptRounds(log.view().items));
  };
  const textual = (data: string, more = {}) => ({
    type: "document",
    source: { type: "text", media_type: "text/plain", data },
    ...more,
  });

  it("is its title and its text, where it has them", () => {
    const blocks = { type: "content", content: [{ type: "text", text: "one" }, image] };
    expect(
      transcriptOf(
        textual("The rules.", { title: "rules.txt" }),
        textual("No title."),
        { type: "document", source: blocks },
        { ...document, title: "scan.pdf" },
        document,
      ),
    ).toBe(
      [
        "The user attached:\n| [document “rules.txt”]\n| The rules.",
        "The user attached:\n| [document]\n| No title.",
        "The user attached:\n| [document]\n| one\n| [image]",
        "The user attached:\n| [document “scan.pdf”]",
        "The user attached:\n| [document]",
      ].join("\n\n"),
    );
  });

  it("is cut where it is long, and says by how much", () => {
    expect(transcriptOf(textual("x".repeat(20_007)))).toBe(
      `The user attached:\n| [document]\n| ${"x".repeat(20_000)}\n| [7 more characters]`,
    );
  });
});

describe("dropOldestRounds", () => {
  const rounds = transcriptRounds(workedLog(9, 400).view().items);

  it("drops a fifth of the rounds where no gap is known", () => {
    expect(dropOldestRounds(rounds, undefined, 20)).toEqual(rounds.slice(2));
    expect(dropOldestRounds(rounds.slice(8), undefined, 20)).toEqual(rounds.slice(9));
  });

  it("drops as many as cover the gap, at least one, and keeps the newest", () => {
    expect(dropOldestRounds(rounds, 1, 20)).toEqual(rounds.slice(1));
    expect(dropOldestRounds(rounds, 150, 20)).toEqual(rounds.slice(3));
    expect(dropOldestRounds(rounds, 1e9, 20)).toEqual(rounds.slice(9));
    expect(dropOldestRounds(rounds.slice(9), 1, 20)).toBe(null);
  });
});

describe("toChunks", () => {
  it("has every round once, in order, in parts within the size unless one round is larger", () => {
    const log = createTestLog();
    log.say(said("go"));
    for (const [index, chars] of [400, 400, 4_000, 400, 400].entries()) addRound(log, `t${index}`, chars);
    const rounds = transcriptRounds(log.view().items);
    const chunks = toChunks(rounds, 300);
    expect(chunks.flat()).toEqual(rounds);
    expect(chunks.map((chunk) => chunk.length)).toEqual([3, 1, 2]);
  });
});
