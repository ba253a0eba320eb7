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
const sets = [
  { name: "first", files: readSet("first"), falseAtMost: 3 },
  { name: "second", files: readSet("second"), falseAtMost: 4 },
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

  it.each(sets)("are judged right for 95 of 100 requests of the $name set", ({ files }) => {
    const { requests } = judge(files);
    const wrong = requests.filter(isWrong);
    const said = files.flatMap(({ dialogues }) => dialogues.flatMap(({ turns }) => turns));
    expect(said.filter((turn) => "user" in turn).length).toBeGreaterThanOrEqual(150);
    expect(wrong.length / requests.length, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(0.05);
  });

  it("show no standing order as ended that binds, among a hundred in six languages", () => {
    const { orders } = judge(sets.flatMap(({ files }) => files));
    expect(orders.length).toBeGreaterThanOrEqual(100);
    expect(new Set(orders.map(({ dialogue }) => dialogue.slice(0, 2))).size).toBe(6);
    const ended = orders.filter(({ expected, judged }) => expected === "in force" && judged === "revoked");
    expect(ended).toEqual([]);
  });

  it.each(sets)("are heard for 90 of 100 orders of the $name set, and hardly elsewhere", (set) => {
    const { orders, falseOrders } = judge(set.files);
    const missed = orders.filter(({ judged }) => judged === "not heard");
    expect(missed.length / orders.length, JSON.stringify(missed)).toBeLessThanOrEqual(0.1);
    expect(falseOrders.length, JSON.stringify(falseOrders)).toBeLessThanOrEqual(set.falseAtMost);
  });

  it.each(sets)("are labelled in the $name set by words that the user said in that turn", ({ files }) => {
    for (const { turns, labels } of files.flatMap(({ dialogues }) => dialogues)) {
      for (const { turn } of labels.requests) expect(turns[turn]).toHaveProperty("user");
      for (const { turn, text } of [...labels.orders, ...(labels.disputed ?? [])])
        expect(turns[turn]).toHaveProperty("user", expect.stringContaining(text));
    }
  });
});
