// Makes the pictures of docs/guides/terminal.md from a real session in tmux: node scripts/tui/screenshots.mjs
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import stringWidth from "string-width";

const session = fileURLToPath(new URL("tmux-session.mjs", import.meta.url));
const target = fileURLToPath(new URL("../../docs/guides/terminal", import.meta.url));

const pictures = [
  {
    columns: 80,
    rows: 24,
    titles: {
      "02-commands": "Commands are offered while a slash is written",
      "04-tool": "A tool card: escape codes in a file are shown and not obeyed",
      "05-permission": "Permission: once, always, or no and why",
      "08-transcript": "The transcript, with what was compacted",
      "13-tasks": "An agent in the background, and /tasks",
    },
  },
  { columns: 200, rows: 50, titles: { "06-context": "The context as a grid" } },
];

const [cellWidth, lineHeight, margin] = [8.4, 18, 12];
const colours = {
  31: "#e06c75",
  32: "#98c379",
  33: "#e5c07b",
  34: "#61afef",
  35: "#c678dd",
  36: "#56b6c2",
  90: "#7f848e",
};
const round = (pixels) => Math.round(pixels * 10) / 10;
const escaped = (text) =>
  text.replace(/[&<>]/g, (mark) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[mark]);

const graphemes = new Intl.Segmenter();
const isPlain = (segment) => /^[\x20-\x7e─│░█]$/.test(segment);

/** Runs of characters that every fixed-width font has, and each other one by itself: fonts differ in how wide those are. */
function piecesOf(text) {
  const pieces = [];
  let isOpen = false;
  for (const { segment } of graphemes.segment(text)) {
    if (isOpen && isPlain(segment)) pieces.push(pieces.pop() + segment);
    else pieces.push(segment);
    isOpen = isPlain(segment);
  }
  return pieces;
}

/** One line with its colours, as SVG; colours hold on from line to line. */
function lineOf(line, y, look) {
  let spans = "";
  let column = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a terminal sends
  for (const [at, part] of line.split(/\u001b\[([0-9;]*)m/).entries()) {
    const isText = at % 2 === 0;
    for (const code of isText ? [] : (part || "0").split(";").map(Number)) {
      if (code === 0) Object.assign(look, { fill: null, isBold: false, isDim: false });
      else if (code === 1) look.isBold = true;
      else if (code === 2) look.isDim = true;
      else if (code === 22) Object.assign(look, { isBold: false, isDim: false });
      else if (code === 39) look.fill = null;
      else if (colours[code]) look.fill = colours[code];
    }
    if (!isText) continue;
    const fill = look.fill ?? (look.isDim ? "#7f848e" : "#dcdfe4");
    for (const piece of piecesOf(part)) {
      const wide = stringWidth(piece);
      const place = `x="${round(margin + column * cellWidth)}" textLength="${round(wide * cellWidth)}"`;
      column += wide;
      if (piece.trim() === "") continue;
      spans += `<tspan ${place} fill="${fill}"${look.isBold ? ' font-weight="bold"' : ""}>${escaped(piece)}</tspan>`;
    }
  }
  return spans === "" ? "" : `<text y="${round(y)}">${spans}</text>\n`;
}

function toSvg(ansi, title, { columns, rows }) {
  const look = { fill: null, isBold: false, isDim: false };
  const lines = ansi.split("\n").slice(0, rows);
  const [width, height] = [columns * cellWidth + 2 * margin, rows * lineHeight + 2 * margin];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" xml:space="preserve" role="img">`,
    `<title>${escaped(title)}</title>`,
    '<rect width="100%" height="100%" rx="8" fill="#1e2127"/>',
    lines.map((line, at) => lineOf(line, margin + (at + 0.8) * lineHeight, look)).join(""),
    "</svg>\n",
  ].join("\n");
}

const out = mkdtempSync(join(tmpdir(), "palimpsest-shots-"));
mkdirSync(target, { recursive: true });
try {
  for (const size of pictures) {
    const args = ["--columns", String(size.columns), "--rows", String(size.rows), "--out", out];
    execFileSync(process.execPath, [session, ...args], { stdio: ["ignore", "ignore", "inherit"] });
    for (const [name, title] of Object.entries(size.titles)) {
      const picture = toSvg(readFileSync(join(out, `${name}.ansi`), "utf8"), title, size);
      writeFileSync(join(target, `${name.slice(3)}.svg`), picture);
    }
  }
} finally {
  rmSync(out, { recursive: true, force: true });
}
