import { recoverDreams } from "../../../packages/core/build/session/dream/recover-dreams.js";
import { dreamtPart } from "../matters.mjs";
import { must } from "../outcome.mjs";

const usualTries = 500;
const pauseMs = 10;

/** What is in memory of a dream once nobody is at work on it: whoever opens memory finishes what a dead one began. */
async function settledPart(store, number, tries) {
  for (let left = tries; ; left -= 1) {
    must(await recoverDreams(store));
    const lock = must(await store.consolidateLock.restore());
    const part = number === undefined ? "none" : await dreamtPart(store.tree("memory"), number);
    if ((lock !== "held" && (part === "none" || part === "all")) || left === 0) return part;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Sees that all of a dream is in memory or nothing of it, and that only a whole one changes the time. */
export function createDreamWitness({ openStore, seed, tries = usualTries }) {
  let round = 0;
  let lastMs = null;

  return {
    name: "dream",
    maxOperations: 900,
    maxLines: 6,
    async orders() {
      if (round === 0) lastMs = must(await (await openStore()).consolidateLock.lastConsolidatedMs());
      round += 1;
      return [{ work: "dream", first: seed * 1_000 + round * 10_000 }];
    },
    async check([{ said }]) {
      const store = await openStore();
      const completed = said.filter(([word, , outcome]) => word === "dreamt" && outcome === "completed");
      const left = said.filter(([word]) => word === "left");
      const heldMs = Number(completed.at(-1)?.[4] ?? lastMs);
      const problems = said
        .filter(
          ([word, , outcome, state]) => word === "dreamt" && `${outcome} ${state}` !== "completed applied",
        )
        .map((words) => `a dream came to ${words.slice(2).join(" ")}`);
      const time = must(await store.consolidateLock.lastConsolidatedMs());
      const isCut = left.length > said.length - left.length;
      const part = await settledPart(store, isCut ? Number(left.at(-1)[1]) : undefined, tries);
      const after = must(await store.consolidateLock.lastConsolidatedMs());
      if (after !== time) problems.push("looking at a dead dream has changed the time");
      if (isCut) {
        if (part !== "none" && part !== "all") problems.push(`half of a dream is in memory: ${part}`);
        if (time !== heldMs && time !== null && part !== "all")
          problems.push("the time is that of a dream that was none");
      } else if (time !== null && time !== heldMs) problems.push("the time has changed without a dream");
      lastMs = after;
      return { problems, reached: { dreams: completed.length, cut: isCut ? 1 : 0 } };
    },
  };
}
