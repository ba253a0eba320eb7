import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createCatalog } from "../../packages/core/build/catalog/index.js";
import { createStatistics } from "../../packages/core/build/view/statistics.js";
import { openAgent } from "../../packages/palimpsest/build/index.js";
import { toBareName } from "../../packages/palimpsest/build/loop/resolve-model.js";

const maxTurns = 12;

/**
 * One agent works through the steps in a folder of its own. Ends early where its dollars are spent, forks counted, or
 * a run cannot go on; steps that it has not finished are not in the answer.
 */
export async function runVariant({ variant, open, model, codeBase, steps, dollars }) {
  const place = await mkdtemp(join(tmpdir(), "palimpsest-live-"));
  const folder = join(place, "parts");
  try {
    await writeFiles(folder, codeBase.files);
    const tasks = watchTasks();
    const agent = await openAgent({
      ...open,
      onEvent: tasks.see,
      model,
      home: join(place, "home"),
      cwd: folder,
      isRuleless: true,
      isLongLived: false,
      permissions: { allow: ["Bash(node check.mjs:*)"] },
    });
    try {
      return { variant, ...(await work({ agent, tasks, folder, model, steps, dollars })) };
    } finally {
      await agent.close();
    }
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function writeFiles(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

async function work({ agent, tasks, folder, model, steps, dollars }) {
  const finished = [];
  const seen = { peakTokens: 0, invalid: 0 };
  let total = await totalOf(agent, model, seen);
  for (const step of steps) {
    if (total.dollars >= dollars) return { finished, end: "budget" };
    const end = await runStep(agent, step, dollars - total.dollars, seen);
    await tasks.settled();
    total = await totalOf(agent, model, seen);
    if (end.reason === "dollar-budget") return { finished, end: "budget" };
    if (end.reason !== "done" && end.reason !== "max-turns")
      return { finished, end: end.reason, message: end.message ?? "" };
    finished.push({ kind: step.kind, isPassed: await step.check(end.text, folder), total });
    await step.after?.(folder);
  }
  return { finished, end: "done" };
}

/** Layers work in the background: what they spend belongs to the step that they began in. */
function watchTasks() {
  let open = 0;
  let wake = () => {};
  return {
    see({ type }) {
      if (type === "task-start") open += 1;
      if (type === "task-end") open -= 1;
      if (open === 0) wake();
    },
    settled: () =>
      new Promise((resolve) => {
        wake = resolve;
        if (open === 0) resolve();
      }),
  };
}

async function runStep(agent, { prompt }, dollars, seen) {
  let end;
  for await (const event of agent.run(prompt, { maxTurns, budget: { dollars } })) {
    if (event.type === "response-end") {
      const { input, cacheRead, cacheCreation } = event.usage;
      seen.peakTokens = Math.max(seen.peakTokens, input + cacheRead + cacheCreation);
    }
    if (event.type === "run-end") {
      end = event;
      if (event.error?.code === "request-invalid") seen.invalid += 1;
    }
  }
  return end;
}

/** Everything since the beginning, by the session's own log: the dollars with those of forks. */
async function totalOf(agent, model, { peakTokens, invalid }) {
  const catalog = createCatalog();
  const statistics = createStatistics((name) => catalog.prices(name ?? toBareName(model)).value);
  for await (const entry of agent.entries()) statistics.add(entry);
  const sum = statistics.statistics;
  const forks = Object.values(sum.forkDollars ?? {}).reduce((all, one) => all + one, 0);
  return {
    dollars: sum.dollars + forks,
    forkDollars: forks,
    inputTokens: sum.inputTokens,
    cacheReadTokens: sum.cacheReadTokens,
    cacheCreationTokens: sum.cacheCreationTokens,
    outputTokens: sum.outputTokens,
    requests: sum.responses,
    compactions: sum.compactions,
    peakTokens,
    invalid,
  };
}
