// A long task by a real model, with the engine and without: dollars, cache, peak context, and whether late questions and
// edits come out right. Spends money: stops at the budget.
// npm run bench -- live --model NAME [--budget-dollars 2] [--sessions 1] [--variants faithful,layers-off] [--parts 24]
//                       [--kilobytes 16] [--seed 1] [--json]
import { parseArgs } from "node:util";
import { checkModel } from "../packages/palimpsest/build/surfaces/cli/run/run-choices.js";
import { makeCodeBase } from "./live/code-base.mjs";
import { compareRuns } from "./live/compare-runs.mjs";
import { printComparison } from "./live/print-comparison.mjs";
import { runVariant } from "./live/run-variant.mjs";
import { makeSteps } from "./live/steps.mjs";
import { variants } from "./live/variants.mjs";
import { machineLine } from "./machine-line.mjs";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    model: { type: "string" },
    "budget-dollars": { type: "string", default: "2" },
    sessions: { type: "string", default: "1" },
    variants: { type: "string", default: "faithful,layers-off" },
    parts: { type: "string", default: "24" },
    kilobytes: { type: "string", default: "16" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});
const names = values.variants.split(",");
const problem = await findProblem();
if (problem !== null) {
  console.error(problem);
  process.exitCode = 2;
} else await measure();

/** What is wrong with the question, in one line with what to do; null where nothing is. */
async function findProblem() {
  if (!values.model)
    return "live: name a model: npm run bench -- live --model claude-sonnet-4-5 --budget-dollars 2";
  const unknown = names.find((name) => !Object.hasOwn(variants, name));
  if (unknown !== undefined)
    return `live: there is no variant “${unknown}”; there are ${Object.keys(variants).join(", ")}`;
  const wrong = ["budget-dollars", "sessions", "parts", "kilobytes"].find(
    (name) => !(Number(values[name]) > 0),
  );
  if (wrong !== undefined) return `live: --${wrong} must be a number over 0; it is “${values[wrong]}”`;
  try {
    await checkModel(values.model, process.env);
    return null;
  } catch (error) {
    const isVariable = /^[A-Z_]+$/.test(error.path ?? "");
    return `live: ${error.message} ${isVariable ? `Set ${error.path}, and run it again.` : (error.fix ?? "")}`;
  }
}

async function measure() {
  const [budget, count] = [Number(values["budget-dollars"]), Math.ceil(Number(values.sessions))];
  const dollars = budget / (count * names.length);
  const sessions = [];
  for (let at = 0; at < count; at += 1) {
    const seed = Number(values.seed) + at;
    const runs = [];
    for (const variant of names) {
      const codeBase = makeCodeBase({
        seed,
        parts: Number(values.parts),
        kilobytes: Number(values.kilobytes),
      });
      const steps = makeSteps(codeBase);
      const run = await runVariant({
        variant,
        open: variants[variant](),
        model: values.model,
        codeBase,
        steps,
        dollars,
      });
      runs.push(run);
      if (!values.json)
        console.error(
          `seed ${seed}, ${variant}: ${run.finished.length} of ${steps.length} steps, ${run.end}`,
        );
    }
    sessions.push(runs);
  }
  const report = {
    bench: "live",
    machine: machineLine(),
    model: values.model,
    budget,
    ...compareRuns(sessions),
    sessions,
  };
  if (values.json) console.log(JSON.stringify(report, null, 2));
  else printComparison(report);
}
