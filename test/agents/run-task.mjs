import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { agentSettings } from "../../packages/palimpsest/build/surfaces/cli/gateway/gateway-command.js";
import { createEmulator } from "../../packages/testing/build/index.js";
import { answerFor, promptFor, writeRecords } from "./agent-task.mjs";
import { agents, applySettings, models, settleAgent } from "./agents.mjs";
import { measureRequests } from "./measure-requests.mjs";
import { runToEnd } from "./run-to-end.mjs";
import { scriptedModel } from "./scripted-model.mjs";
import { mainPath, startGateway, token } from "./start-gateway.mjs";
import { createWitness } from "./witness.mjs";

/** How much of the agent's output is kept, for when something is wrong. */
const saidLength = 1_000;

/**
 * One task, by one agent, with an emulator of its own. It gets `folder` to itself: prompts have paths in them, so that runs
 * that are compared have to be in the same place. `by` is `nothing`: the agent asks the emulator itself; `gateway`: a
 * gateway stands between them; `gateway-run`: the gateway itself runs the agent.
 */
export async function runTask({ name, api, folder, count, windowTokens, by }) {
  const agent = agents[name];
  const [work, home, store] = ["work", "home", "palimpsest"].map((part) => join(folder, part));
  const ends = [() => rm(folder, { recursive: true, force: true, maxRetries: 3 })];
  const opened = (part) => {
    ends.unshift(() => part.close());
    return part;
  };
  try {
    const records = await writeRecords(work, count);
    await mkdir(store);
    const catalog = { capabilities: { "*": { contextWindow: windowTokens } } };
    const emulator = opened(await createEmulator({ script: scriptedModel(records), catalog }));
    const witness = opened(await createWitness());
    const upstream = emulator.url;
    const gateway = by === "gateway" && opened(await startGateway({ name, upstream, folder: store }));
    const environment = {
      PATH: process.env.PATH,
      TMPDIR: folder,
      PALIMPSEST_HOME: store,
      ANTHROPIC_API_KEY: "sk-ant-test-agents",
      ...witness.environment,
      ...(await settleAgent(agent, home)),
    };
    const command = agent.command(models[api], promptFor(records));
    const before = [process.execPath, mainPath, "gateway", "--for", name, "--upstream", upstream, "--"];
    const end =
      by === "gateway-run"
        ? await runToEnd([...before, ...command], { cwd: work, env: environment })
        : await runToEnd(command, {
            cwd: work,
            env: {
              ...environment,
              ...(await applySettings(settingsFor({ name, api, upstream, gateway }), home)),
            },
          });
    await emulator.idle();
    if (gateway) await gateway.close();
    return {
      ...measureRequests(emulator.requests, count),
      ...(gateway && tally(gateway.events)),
      code: end.code,
      isAnswered: end.code === 0 && end.stdout.includes(answerFor(records)),
      elsewhere: [...new Set(witness.hosts)],
      said: `${end.stdout}${end.stderr}`.slice(-saidLength),
    };
  } finally {
    for (const finish of ends) await finish();
  }
}

function settingsFor({ name, api, upstream, gateway }) {
  if (api === "messages") return gateway ? gateway.settings : agentSettings(name, upstream);
  return gateway
    ? agents[name].chatSettings(gateway.url, { "x-palimpsest-token": token })
    : agents[name].chatSettings(upstream, {});
}

/** What the gateway tells of its part. */
function tally(events) {
  return {
    rewritten: events.filter(({ sent }) => sent === "rewritten").length,
    failures: events.filter(({ type }) => type !== "request-end"),
  };
}
