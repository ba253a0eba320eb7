import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readConversations } from "../bench/recall-conversations.mjs";
import { createPeopleSample } from "../bench/recall-people.mjs";
import { temporaryFolder } from "./support/temporary-folder.ts";

const locomo = fileURLToPath(new URL("../bench/locomo-shape.json", import.meta.url));

const asRead = {
  turns: [
    { id: "D1:1", session: "session_1", speaker: "Noor", text: "Hi Emil! I joined a rowing club last week." },
    { id: "D1:2", session: "session_1", speaker: "Emil", text: "Great! On the lake or on the river?" },
    {
      id: "D1:3",
      session: "session_1",
      speaker: "Noor",
      text: "On the river. Look! [picture: a photo of a red boat on a river]",
    },
    { id: "D2:1", session: "session_2", speaker: "Emil", text: "My daughter starts school in September." },
    { id: "D2:2", session: "session_2", speaker: "Noor", text: "Already? She was born yesterday." },
  ],
  questions: [
    { question: "Which club did Noor join?", evidence: ["D1:1"] },
    {
      question: "What colour is the boat that Noor showed, and where does she row?",
      evidence: ["D1:3", "D1:2"],
    },
    { question: "When does the daughter start?", evidence: ["D2:1"] },
  ],
};

describe("conversations for the recall bench", () => {
  it("are read from LoCoMo's shape: sessions by number, evidence as its annotators wrote it", () => {
    expect(readConversations(locomo)).toEqual([asRead]);
  });

  it("are read from the plain shape, and from every JSON file of a folder by name", async () => {
    const folder = await temporaryFolder();
    const plain = {
      turns: [{ id: "a", text: "It rains." }],
      questions: [{ question: "Does it rain?", evidence: "a" }],
    };
    await writeFile(join(folder, "2.json"), JSON.stringify([plain]));
    await writeFile(join(folder, "1.json"), JSON.stringify(plain));
    await writeFile(join(folder, "notes.txt"), "not JSON");
    const read = {
      turns: [{ id: "a", session: "1", speaker: "", text: "It rains." }],
      questions: [{ question: "Does it rain?", evidence: ["a"] }],
    };
    expect(readConversations(folder)).toEqual([read, read]);
  });

  it("say what is wrong with a file or a folder", async () => {
    const folder = await temporaryFolder();
    const write = async (name: string, text: string) => {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    };
    const turn = { id: "a", text: "x" };
    const wrong: readonly (readonly [string, RegExp])[] = [
      [join(folder, "absent.json"), /cannot be read as JSON/],
      [await write("half.json", '{"turns": ['), /cannot be read as JSON/],
      [await write("other.json", "[1]"), /neither turns and questions nor conversation and qa/],
      [await write("no-id.json", '{"turns":[{"text":"x"}],"questions":[]}'), /a turn without id or text/],
      [
        await write("twice.json", JSON.stringify({ turns: [turn, turn], questions: [] })),
        /two turns with one id/,
      ],
    ];
    for (const [file, message] of wrong) expect(() => readConversations(file)).toThrow(message);
    await mkdir(join(folder, "empty"));
    expect(() => readConversations(join(folder, "empty"))).toThrow(/holds no \.json file/);
  });

  it("are made up from a seed, the same every time, each question with a turn that answers it", () => {
    expect(createPeopleSample(3, 2)).toEqual(createPeopleSample(3, 2));
    expect(createPeopleSample(4, 2)).not.toEqual(createPeopleSample(3, 2));
    for (const { turns, questions } of createPeopleSample(3, 2)) {
      const ids = new Set(turns.map(({ id }: { readonly id: string }) => id));
      expect([ids.size, questions.length]).toEqual([turns.length, 24]);
      for (const { evidence } of questions) expect(evidence.map((id) => ids.has(id))).toEqual([true]);
    }
  });
});
