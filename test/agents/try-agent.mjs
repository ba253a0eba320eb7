import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agents } from "./agents.mjs";
import { runTask } from "./run-task.mjs";

/** The window that the emulator has; the agents take the model's own, 200,000, for granted. */
const windowTokens = 100_000;
/** About 13,000 tokens each: twice the window, and less than the window. */
const large = 16;
/** Fits with the room that agents ask for their answers too: opencode wants 32,000 tokens of it. */
const small = 3;

/** One agent with one protocol at both tasks, without the gateway and with it, and what is claimed of that. */
export async function tryAgent(name, api) {
  const folder = await mkdtemp(join(tmpdir(), "palimpsest-agents-"));
  const run = (count, by) => runTask({ name, api, folder: join(folder, "run"), count, windowTokens, by });
  try {
    const largeWithout = await run(large, "nothing");
    const largeWith = await run(large, "gateway");
    const smallWithout = await run(small, "nothing");
    // What the gateway runs an agent with is for Anthropic's models.
    const smallWith = await run(small, api === "messages" ? "gateway-run" : "gateway");
    const runs = { largeWithout, largeWith, smallWithout, smallWith };
    const version = agents[name].version();
    return { name, version, api, windowTokens, claims: claimsOf(runs), runs };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

const isTooLong = ({ rules }) => rules.length === 1 && rules[0] === "window";

function claimsOf({ largeWithout, largeWith, smallWithout, smallWith }) {
  const isRefusedForLength = largeWithout.refused.length > 0 && largeWithout.refused.every(isTooLong);
  return [
    {
      claim: "without the gateway the large task fails, because the prompt is too long",
      holds: !largeWithout.isAnswered && largeWithout.code !== 0 && isRefusedForLength,
    },
    {
      claim: "through the gateway the agent ends the large task with the right answer",
      holds: largeWith.isAnswered && largeWith.rewritten > 0,
    },
    {
      claim: "the provider refused no request that came through the gateway",
      holds: largeWith.refused.length === 0 && smallWith.refused.length === 0,
    },
    {
      claim: "the gateway itself refused nothing and failed at nothing",
      holds: largeWith.failures.length === 0,
    },
    {
      claim: "the agent asked nobody else",
      holds: [largeWithout, largeWith, smallWithout, smallWith].every(
        ({ elsewhere }) => elsewhere.length === 0,
      ),
    },
    {
      claim: "the small task ends with the right answer, with the gateway and without",
      holds: smallWithout.isAnswered && smallWith.isAnswered,
    },
    {
      claim: "at the small task the share read from the cache is no smaller through the gateway",
      holds: smallWith.readShare > 0 && smallWith.readShare >= smallWithout.readShare,
    },
  ];
}
