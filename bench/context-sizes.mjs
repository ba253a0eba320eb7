// Prints the tokens of every request of the bundled session without layers and in each mode of the engine, as replay has them.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import {
  normalize,
  policies,
  prepareRecording,
  ratioRow,
  replayRecording,
} from "../packages/palimpsest/build/replay/index.js";

const names = ["identity", "faithful", "thrifty"];
const file = new URL("../packages/palimpsest/assets/sample-session.jsonl.gz", import.meta.url);
const entries = gunzipSync(readFileSync(file))
  .toString("utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line));
const row = ratioRow(0.1);
const outcome = await replayRecording(
  prepareRecording(normalize(entries, "sample-session")),
  policies.filter(({ name }) => names.includes(name)),
  { ttl: "auto", lookBackBlocks: 20, priceRows: [row], hasCatalogRow: false },
);
const sizes = outcome.runs.map(({ policy, plain }) => ({ policy, sizes: plain[row.name].sizes }));
console.log(JSON.stringify({ session: "sample-session", sizes }));
