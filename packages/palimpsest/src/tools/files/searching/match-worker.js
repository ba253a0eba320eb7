// Runs in a thread of its own: a pattern that takes for ever is ended with it. Plain JavaScript, since a thread loads it
// as it stands.
import { parentPort, workerData } from "node:worker_threads";

const { source, flags, isMultiline, before, after, keeps } = workerData;
const pattern = new RegExp(source, `${flags}g`);

let line = 1;
let recent = [];
let owed = 0;

parentPort.on("message", ({ isFirst, text }) => {
  if (isFirst) {
    line = 1;
    recent = [];
    owed = 0;
  }
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  parentPort.postMessage(collect(lines, isMultiline ? columnsAcross(text, lines) : null));
});

/** Matching lines, and the context they are to be shown in. */
function collect(lines, columns) {
  const found = [];
  let count = 0;
  for (let index = 0; index < lines.length; index += 1, line += 1) {
    const text = lines[index];
    const column = columns ? columns[index] : columnIn(text);
    const shown = {
      line,
      text: text.endsWith("\r") ? text.slice(0, -1) : text,
      column,
      isMatch: column >= 0,
    };
    if (column >= 0) {
      count += 1;
      if (keeps === "first") break;
      if (keeps === "lines") found.push(...recent, shown);
      recent = [];
      owed = after;
    } else if (owed > 0) {
      if (keeps === "lines") found.push(shown);
      owed -= 1;
    } else if (before > 0) {
      recent.push(shown);
      if (recent.length > before) recent.shift();
    }
  }
  return { lines: found, count };
}

function columnIn(text) {
  pattern.lastIndex = 0;
  const match = pattern.exec(text);
  return match ? match.index : -1;
}

/** For every line of a whole text where a match begins in it, 0 where one goes on, -1 where there is none. */
function columnsAcross(text, lines) {
  const columns = lines.map(() => -1);
  let index = 0;
  let start = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    while (index < lines.length && match.index > start + lines[index].length) {
      start += lines[index].length + 1;
      index += 1;
    }
    if (index >= lines.length) break;
    if (columns[index] < 0) columns[index] = match.index - start;
    const end = match.index + match[0].length;
    for (
      let next = index + 1, at = start + lines[index].length + 1;
      next < lines.length && at < end;
      next += 1
    ) {
      if (columns[next] < 0) columns[next] = 0;
      at += lines[next].length + 1;
    }
    if (match[0] === "") pattern.lastIndex += (text.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1;
    if (pattern.lastIndex > text.length) break;
  }
  return columns;
}
