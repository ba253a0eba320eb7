// npm run test:slow -- --minutes N [--seed S]: the long-running reliability suite. Prints what each part reached.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const usage = "Usage: npm run test:slow -- --minutes N [--seed S]";
let values;
try {
  ({ values } = parseArgs({
    options: { minutes: { type: "string", default: "20" }, seed: { type: "string" } },
  }));
} catch (error) {
  console.error(`${error.message}\n${usage}`);
  process.exit(2);
}
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error(`--minutes must be a number above 0, --seed a whole number.\n${usage}`);
  process.exit(2);
}

function run(command, args, env = {}) {
  const { status } = spawnSync(command, args, { stdio: "inherit", env: { ...process.env, ...env } });
  if (status !== 0) process.exit(status ?? 1);
}

console.log(`Slow suite: ${minutes} minutes, seed ${seed} (repeat with --seed ${seed})`);
run("npm", ["run", "--silent", "build"]);
run("node", ["scripts/install-test-parts.mjs"]);
run("npx", ["vitest", "run", "--config", "vitest.slow.config.ts"], {
  PALIMPSEST_SLOW_MINUTES: String(minutes),
  PALIMPSEST_SEED: String(seed),
});
