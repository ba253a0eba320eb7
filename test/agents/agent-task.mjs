import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSeededRandom } from "../../packages/testing/build/index.js";

const linesAFile = 440;
const words =
  "harbour ledger copper window quiet number garden signal paper winter engine border candle river metal season";

/** A folder with records of about 40,000 characters each, every one with a code in its middle that stands nowhere else. */
export async function writeRecords(folder, count) {
  await mkdir(folder, { recursive: true });
  const records = Array.from({ length: count }, (_, index) => toRecord(index + 1));
  await Promise.all(records.map(({ name, text }) => writeFile(join(folder, name), text)));
  return records.map(({ name, code }) => ({ path: join(folder, name), name, code }));
}

/** What the agent is told to do. */
export function promptFor(records) {
  return `Read every record from ${records[0].name} to ${records.at(-1).name}, one at a time. Each has one code. Answer with all codes in order.`;
}

/** What has to stand in the agent's answer. */
export const answerFor = (records) => records.map(({ code }) => code).join(" ");

function toRecord(number) {
  const random = createSeededRandom(number);
  const vocabulary = words.split(" ");
  const code = `CODE-${number}-${100_000 + random.below(900_000)}`;
  const sentence = () =>
    Array.from({ length: 12 }, () => vocabulary[random.below(vocabulary.length)]).join(" ");
  const lines = Array.from({ length: linesAFile }, (_, line) => `${line + 1}. ${sentence()}`);
  lines[linesAFile / 2] = `The code of this record is ${code}.`;
  return { name: `record-${String(number).padStart(2, "0")}.txt`, code, text: `${lines.join("\n")}\n` };
}
