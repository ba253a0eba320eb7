import { matterText } from "./texts.mjs";

/** Of each pair one is removed by a dream; the last gets a date. */
const pairs = ["harbour", "orchard"];

const bodyOf = (pair, number) =>
  `${pair} ${number}: ${Array.from({ length: 9 }, (_, at) => `${pair}${number}-${at}`).join(" ")}.`;

/** Memories with duplicates and a relative date: a dream removes `…-copy.md` and dates `plan.md`, or does neither. */
function mattersOf(number) {
  const doubled = pairs.flatMap((pair) => [
    [`${pair}.md`, matterText(pair, bodyOf(pair, number))],
    [`${pair}-copy.md`, matterText(`${pair} again`, bodyOf(pair, number))],
  ]);
  return [...doubled, ["plan.md", matterText("plan", `Number ${number}: we leave tomorrow.`)]];
}

/** Brings the folder into the state that a dream of this number begins with. */
export async function leaveMatters(memory, number) {
  for (const [path, text] of mattersOf(number)) {
    const written = await memory.write(path, text, { author: "agent" });
    if (!written.ok) return written;
  }
  return { ok: true, value: undefined };
}

/** What a dream has done to the folder: `none`, `all`, or which parts of it. */
export async function dreamtPart(memory, number) {
  const parts = [];
  for (const pair of pairs) {
    const [one, copy] = await Promise.all([memory.read(`${pair}.md`), memory.read(`${pair}-copy.md`)]);
    if (!one.ok && !copy.ok) parts.push(`${pair} is lost`);
    parts.push(one.ok && copy.ok ? "kept" : "merged");
  }
  const plan = await memory.read("plan.md");
  const text = plan.ok ? plan.value.text : "";
  if (!text.includes(`Number ${number}:`)) parts.push("plan is lost");
  parts.push(text.includes("tomorrow") ? "kept" : "dated");
  if (parts.every((part) => part === "kept")) return "none";
  return parts.join() === "merged,merged,dated" ? "all" : parts.join();
}
