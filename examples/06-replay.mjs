// A context policy of your own on a recorded session: what it would have cost, and whether later calls still find what
// they need. Asks no model. `palimpsest replay FILE --policy mine.js` does the same with your own transcripts.
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { normalize, policies, prepareRecording, ratioRows, replayRecording } from "palimpsest/replay";

/** Clears every result that is longer than 8,000 characters, as soon as it has been seen once. */
const mine = {
  id: "mine",
  moments: ["before-request"],
  decide(view) {
    const isLong = ({ block, decision }) =>
      decision === undefined && block.type === "tool_result" && JSON.stringify(block.content).length > 8_000;
    const long = view.items.slice(0, -1).filter(isLong);
    if (long.length === 0) return { verdict: "skip", reason: "nothing is long" };
    return { verdict: "act", command: long, run: "inline", reason: "long", frees: 0, basis: view.head };
  },
  async apply(items) {
    const parts = items.map(({ block: { tool_use_id: id } }) => ({
      toolUseId: id,
      part: "result",
      label: `[cleared; recall ${id}]`,
    }));
    const basis = Math.max(...items.map(({ seq }) => seq));
    const decision = { type: "clear", layer: "mine", reason: "long", frees: 0, basis, parts };
    return { ok: true, value: [{ kind: "decision", decision }] };
  },
};
const identity = policies.find(({ name }) => name === "identity"); // does nothing: its cost is 1
const compared = [identity, { name: "mine", createLayers: () => [mine] }];

// The session that the package brings along. In place of it: a log of your own, or what `importTranscript` reads.
const sample = new URL("./assets/sample-session.jsonl.gz", import.meta.resolve("palimpsest/package.json"));
const text = gunzipSync(await readFile(sample)).toString();
const entries = text
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const recording = prepareRecording(normalize(entries, "sample"));

const options = { ttl: "5m", lookBackBlocks: 20, priceRows: [ratioRows[0]], hasCatalogRow: false };
const { requests, runs } = await replayRecording(recording, compared, options);
console.log(`${requests} requests`);
const runOf = ({ fetched }) => Object.values(fetched)[0]; // of one price row, with what was missing fetched again
const costOf = (policy) => Object.values(runOf(policy).cost)[0];
for (const one of runs) {
  const { breaks, fetches } = runOf(one);
  const cost = (costOf(one) / costOf(runs[0])).toFixed(2);
  console.log(`${one.policy}: cost ${cost}, breaks ${breaks.policy}, fetched again ${fetches.blocks}`);
}
