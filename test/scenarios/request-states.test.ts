import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { judgeDialogue, type LabelledDialogue, type Verdict } from "../support/judge-dialogue.ts";

interface LabelledFile {
  readonly language: string;
  readonly dialogues: readonly LabelledDialogue[];
}

const fixtures = fileURLToPath(new URL("../fixtures/", import.meta.url));
const read = (file: string): unknown => JSON.parse(readFileSync(join(fixtures, file), "utf8"));
/** Written by people who did not write the rules, and labelled twice: the README beside them says how. */
const readSet = (name: string) =>
  readdirSync(join(fixtures, "requests", name)).map(
    (file) => read(join("requests", name, file)) as LabelledFile,
  );
/** What each set bounds: the second has been judged once, and no rule has been mended for it yet. */
const sets = [
  { name: "first", files: readSet("first"), wrongAtMost: 0.05, endedAtMost: 0 },
  { name: "second", files: readSet("second"), wrongAtMost: 0.16, endedAtMost: 1 },
];
/** Written beside the rules. */
const examples = read("request-examples.json") as readonly LabelledFile[];

function judge(files: readonly LabelledFile[]) {
  const judged = files.flatMap(({ dialogues }) => dialogues.map(judgeDialogue));
  return {
    requests: judged.flatMap(({ requests }) => requests),
    orders: judged.flatMap(({ orders }) => orders),
    falseOrders: judged.flatMap(({ falseOrders }) => falseOrders),
  };
}

const isWrong = ({ expected, judged }: Verdict) => expected !== judged;

describe("requests and standing orders in dialogues", () => {
  it("are judged as the examples say, in six languages", () => {
    const { requests, orders } = judge(examples);
    expect([...requests, ...orders].filter(isWrong)).toEqual([]);
    expect(examples.map(({ language }) => language)).toEqual(["en", "de", "fr", "es", "zh", "ja"]);
  });

  it.each(sets)("are judged right for most requests of the $name set", ({ files, wrongAtMost }) => {
    const { requests } = judge(files);
    const wrong = requests.filter(isWrong);
    const said = files.flatMap(({ dialogues }) => dialogues.flatMap(({ turns }) => turns));
    expect(said.filter((turn) => "user" in turn).length).toBeGreaterThanOrEqual(150);
    expect(wrong.length / requests.length, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(wrongAtMost);
  });

  it.each(sets)("show no standing order of the $name set as ended that binds", ({ files, endedAtMost }) => {
    const { orders } = judge(files);
    expect(orders.length).toBeGreaterThanOrEqual(60);
    expect(new Set(orders.map(({ dialogue }) => dialogue.slice(0, 2))).size).toBe(6);
    const ended = orders.filter(({ expected, judged }) => expected === "in force" && judged === "revoked");
    expect(ended.length, JSON.stringify(ended)).toBeLessThanOrEqual(endedAtMost);
  });

  it.each(sets)("are labelled in the $name set by words that the user said in that turn", ({ files }) => {
    for (const { turns, labels } of files.flatMap(({ dialogues }) => dialogues)) {
      for (const { turn } of labels.requests) expect(turns[turn]).toHaveProperty("user");
      for (const { turn, text } of [...labels.orders, ...(labels.disputed ?? [])])
        expect(turns[turn]).toHaveProperty("user", expect.stringContaining(text));
    }
  });
});
