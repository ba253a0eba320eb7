import { numberFor } from "../engine/pace.mjs";

/** The copy's packages are links: their real place is somewhere above it, and says nothing about the project. */
const installedElsewhere = /(?:\.\.\/)+(?:[\w.-]+\/)*?node_modules\//g;

/**
 * Command output without what differs from run to run: durations, clock times and process ids become values that
 * look the same and are always the same, and so does the place where packages are installed.
 */
export function steadyOutput(output, nowMs) {
  const isTestRun = /^ RUN {2}v/m.test(output);
  return output
    .split("\n")
    .map((line, index) => steadyLine(line, index, nowMs, isTestRun))
    .join("\n");
}

function steadyLine(line, index, nowMs, isTestRun) {
  const key = `${nowMs} ${index} ${line.replace(/[\d.]+m?s\b/g, "")}`;
  if (/^\s+Start at\s+\d\d:\d\d:\d\d$/.test(line)) {
    return line.replace(/\d\d:\d\d:\d\d/, new Date(nowMs).toISOString().slice(11, 19));
  }
  if (/^\s+Duration\s+[\d.]+m?s/.test(line)) return steadyDuration(key);
  // A test's name may hold line breaks, so its duration may stand on any line.
  if (isTestRun && /(?:^|\s)\d+m?s$/.test(line)) return line.replace(/\d+m?s$/, `${numberFor(key, 1, 38)}ms`);
  if (/^Checked \d+ files? in /.test(line)) {
    return line.replace(/ in [\d.]+\s?(?:ms|µs|s)\b/, ` in ${numberFor(key, 4, 31)}ms`);
  }
  return line.replace(/^\(node:\d+\)/, "(node:4242)").replaceAll(installedElsewhere, "node_modules/");
}

function steadyDuration(key) {
  const tests = numberFor(`tests ${key}`, 12, 240);
  const imports = numberFor(`import ${key}`, 180, 420);
  const transform = numberFor(`transform ${key}`, 60, 190);
  const total = (tests + imports + transform + numberFor(`start ${key}`, 300, 700)) / 1000;
  return `   Duration  ${total.toFixed(2)}s (transform ${transform}ms, setup 41ms, import ${imports}ms, tests ${tests}ms, environment 0ms)`;
}
