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
const corpusFolder = join(fixtures, "requests");
/** Written by somebody who did not write the rules, and labelled twice: the README beside them says how. */
const corpus = readdirSync(corpusFolder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => read(join("requests", name)) as LabelledFile);
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

  it("are judged right for 95 of 100 requests that two others have labelled alike", () => {
    const { requests } = judge(corpus);
    const wrong = requests.filter(isWrong);
    const said = corpus.flatMap(({ dialogues }) => dialogues.flatMap(({ turns }) => turns));
    expect(said.filter((turn) => "user" in turn).length).toBeGreaterThanOrEqual(150);
    expect(wrong.length / requests.length, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(0.05);
  });

  it("show no standing order as ended that the user has not revoked", () => {
    const { orders } = judge(corpus);
    expect(orders.length).toBeGreaterThanOrEqual(60);
    expect(new Set(orders.map(({ dialogue }) => dialogue.slice(0, 2))).size).toBe(6);
    expect(orders.filter(({ expected, judged }) => expected === "in force" && judged === "revoked")).toEqual(
      [],
    );
  });
});
