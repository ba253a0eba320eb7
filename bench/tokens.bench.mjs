// How far the estimated increment between two responses is off, plain rule beside calibration, and what each costs.
// npm run bench -- tokens [FOLDER] [--json]
// FOLDER holds recorded Claude Code sessions, plain or gzip; PALIMPSEST_RECORDED_SESSIONS when absent.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  createCalibration,
  createUsageIncrements,
  estimateContent,
  featuresOf,
} from "../packages/core/build/view/tokens/index.js";
import { printHeadErrors } from "./head-errors.mjs";
import { machineLine } from "./machine-line.mjs";
import { createReporting } from "./reporting.mjs";
import { judgeAliases } from "./tokens-names.mjs";
import { readSessions } from "./tokens-sessions.mjs";

const minTokens = 1_000;
const minResponses = 20;
const rounds = 31;
const ways = ["plain", "fresh", "carried"];

const { values, positionals } = parseArgs({
  args: process.argv.slice(3),
  allowPositionals: true,
  options: { json: { type: "boolean", default: false } },
});
const { say, headline, end } = createReporting("tokens", values.json);

const folder = positionals[0] ?? process.env.PALIMPSEST_RECORDED_SESSIONS ?? "";
if (folder === "" || !existsSync(folder)) {
  console.error(
    folder === ""
      ? "No recorded sessions: give a folder (npm run bench -- tokens FOLDER) or set PALIMPSEST_RECORDED_SESSIONS."
      : `No recorded sessions: ${folder} does not exist.`,
  );
  process.exitCode = 2;
} else {
  const { sessions, left } = await readSessions(folder);
  say(`tokens on ${machineLine()}`);
  for (const { file, reason } of left) say(`  left out: ${file}: ${reason}`);
  if (sessions.length === 0) say(`  ${folder} holds no session that can be read`);
  else {
    const carried = createCalibration();
    printErrors(sessions, carried);
    printSpeed(
      sessions.flatMap(({ steps }) => steps.map(({ content }) => content ?? [])),
      carried,
    );
  }
  await printHeadErrors({ say, headline });
  end({ left });
}

/** Each estimate is made before its increment is observed. `carried` goes on from session to session. */
function judge(session, carried) {
  const fresh = createCalibration();
  const increments = createUsageIncrements();
  const responses = new Map();
  const judged = [];
  for (const { item } of session.steps) {
    if (item === undefined) increments.restart();
    const increment = item && increments.add(item);
    if (!increment) continue;
    const { model, features, tokens } = increment;
    responses.set(model, (responses.get(model) ?? 0) + 1);
    if (tokens >= minTokens && responses.get(model) >= minResponses) {
      const error = (estimate) => Math.abs(estimate - tokens) / tokens;
      judged.push({
        model,
        plain: error(features.plain),
        fresh: error(fresh.estimate(model, features).tokens),
        carried: error(carried.estimate(model, features).tokens),
      });
    }
    fresh.observe(model, features, tokens);
    carried.observe(model, features, tokens);
  }
  return judged;
}

function printErrors(sessions, carried) {
  say(
    `relative error of the estimated increment (≥ ${minTokens} tokens, after ${minResponses} responses of the model in the session)`,
  );
  say("fresh: calibrated on this session only; carried: on the sessions before it too");
  printRow("", "n", ways);
  printRow("", "", Array(ways.length).fill("median    p90"));
  const all = [];
  for (const session of sessions) {
    const judged = judge(session, carried);
    all.push(...judged);
    printJudged(session.file, judged);
  }
  for (const model of new Set(all.map((one) => one.model))) {
    const judged = all.filter((one) => one.model === model);
    printJudged(model, judged);
  }
  printJudged("overall", all);
  printAliases(judgeAliases(sessions));
  if (all.length === 0) return;
  const share = (way) => (quantile(all, way, 0.5) / quantile(all, "plain", 0.5)).toFixed(2);
  for (const way of ways)
    headline({
      what: `median error of an increment, ${way}, n = ${all.length}`,
      value: 100 * quantile(all, way, 0.5),
      unit: "%",
    });
  headline({
    what: "median error, carried, of the plain rule's",
    value: quantile(all, "carried", 0.5) / quantile(all, "plain", 0.5),
    unit: "×",
    atMost: 0.33,
  });
  say(
    `median error of the plain rule’s: fresh × ${share("fresh")}, carried × ${share("carried")} (goal ≤ 0.33)`,
  );
}

/** As every session sees it: it asks for an alias, and what answers has another name. */
function printAliases(judged) {
  printJudged("with an alias", judged);
  if (judged.length === 0) return;
  for (const way of ["fresh", "carried"])
    headline({
      what: `median error of an increment with an alias, ${way}, n = ${judged.length}`,
      value: 100 * quantile(judged, way, 0.5),
      unit: "%",
    });
}

function printJudged(label, judged) {
  const percent = (way, part) => `${(quantile(judged, way, part) * 100).toFixed(1)} %`.padStart(7);
  const cells = ways.map((way) => percent(way, 0.5) + percent(way, 0.9));
  printRow(label, judged.length, judged.length === 0 ? [] : cells);
}

function printRow(label, n, cells) {
  say(`  ${label.padEnd(34)}${String(n).padStart(5)}${cells.map((cell) => cell.padStart(17)).join("")}`);
}

function quantile(list, field, part) {
  const sorted = list.map((one) => one[field]).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

/** Both over all contents in turn. The ratio is the median over rounds: whatever else runs slows both of a round. */
function printSpeed(contents, calibration) {
  const model = Object.keys(calibration.state().models).at(-1);
  const milliseconds = (run) => {
    const started = performance.now();
    for (const content of contents) run(content);
    return performance.now() - started;
  };
  const measured = Array.from({ length: rounds }, () => {
    const plain = milliseconds((content) => estimateContent(content));
    const calibrated = milliseconds((content) => calibration.estimate(model, featuresOf(content)));
    return { plain, calibrated, ratio: calibrated / plain };
  });
  const median = (field) => quantile(measured, field, 0.5);
  headline({
    what: "calibrated estimate, time of the plain one",
    value: median("ratio"),
    unit: "×",
    atMost: 2,
  });
  say(
    `speed over ${contents.length} contents: plain ${median("plain").toFixed(1)} ms, calibrated ${median("calibrated").toFixed(1)} ms, × ${median("ratio").toFixed(2)} (goal ≤ 2)`,
  );
}
