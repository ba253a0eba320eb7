// npm run test:agents -- [--agent pi|opencode] [--json]: real agents through the gateway, against the emulator. Exits with 1
// where a claim does not hold.
import { parseArgs } from "node:util";
import { installPart } from "./install-part.mjs";

const usage = "Usage: npm run test:agents -- [--agent pi|opencode] [--json]";
const names = ["pi", "opencode"];
let values;
try {
  ({ values } = parseArgs({ options: { agent: { type: "string" }, json: { type: "boolean" } } }));
  if (values.agent !== undefined && !names.includes(values.agent)) {
    throw new Error(`“${values.agent}” is not one of the agents.`);
  }
} catch (error) {
  console.error(`${error.message}\n${usage}`);
  process.exit(2);
}

const reason = installPart("test/agents", "the agents", {
  tell: console.error,
  npm: ["install", "--no-save"],
});
if (reason !== null) {
  console.error(`The agents could not be installed: ${reason}`);
  process.exit(1);
}

// They import the agents' packages and the build, which are there only now.
const { tryAgent } = await import("../test/agents/try-agent.mjs");
const { reportLines } = await import("../test/agents/report-lines.mjs");

const trials = [];
for (const name of values.agent === undefined ? names : [values.agent]) {
  for (const api of ["messages", "chat"]) {
    console.error(`Running ${name}, ${api} …`);
    trials.push(await tryAgent(name, api));
  }
}
console.log(values.json ? JSON.stringify(trials, null, 2) : reportLines(trials).join("\n"));
process.exitCode = trials.every(({ claims }) => claims.every(({ holds }) => holds)) ? 0 : 1;
