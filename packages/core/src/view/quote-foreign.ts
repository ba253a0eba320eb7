import { stripInvisible } from "./trust/fold-text.ts";

/** Stands in a quote where a line ended. */
const lineEnd = "⏎";
const lineEnds = /[\n⏎↵]/;
const brackets = "<\\uff1c\\ufe64\\u2039\\u27e8\\u3008";
const colons = ":\\uff1a\\ufe55\\ua789";
const tagSigns = new RegExp(`[${brackets}]`, "u");
const colonSigns = new RegExp(`[${colons}]`, "u");
const fenceSigns = /```|~~~/;
const headingSigns = /[#\uff03\ufe5f]/;

/**
 * A text that is not the user's, as summaries, notes, titles and notices show it: on one line, between quotes that it
 * cannot end, without anything invisible, its headings, list marks, tags and names of speakers broken. Who shows it says
 * in front of it whose words these are. Cut at a code point where it has more than `maxChars`.
 */
export function quoteForeign(text: string, maxChars: number): string {
  return quoteLines(text, maxChars, (line) => line.replaceAll(/\s+/g, " ").trim());
}

/** The same for code and tables: blanks inside lines and before them stay as they are. */
export function quoteCode(text: string, maxChars: number): string {
  return quoteLines(text, maxChars, (line) => line.trimEnd());
}

const leadingHeading = /^\s*[#\uff03\ufe5f]{1,6}\s+/;
const fenceLine = /^\s*(?:```|~~~)/;

/**
 * Lines of what the agent told the user, each behind the mark of a quote, so that none can be taken for a line of the
 * frame: headings without their signs, fences and blank lines left out. Each cut where it is long.
 */
export function quoteAnswerLines(lines: readonly string[], maxChars: number): string {
  let isCode = false;
  const quoted: string[] = [];
  for (const line of lines.flatMap((text) => stripInvisible(text).split(anyLineEnd))) {
    if (fenceLine.test(line)) isCode = !isCode;
    else if (/[\p{L}\p{N}]/u.test(line)) {
      const plain = line.replace(leadingHeading, (sign) => (isCode ? `\\${sign.trimStart()}` : ""));
      quoted.push(`> ${breakOwnFrames(firstChars(plain, maxChars).trimEnd())}`);
    }
  }
  return quoted.join("\n");
}

/** The agent's own words that must be found again as they were, such as a to-do: only what could deceive is broken. */
export function quoteWhole(text: string): string {
  const lines = linesOf(text).map((line) => line.replaceAll("\t", " "));
  const broken = lines.length > 1 || /^\s*[#\uff03\ufe5f>]/.test(text) ? lines.map(breakMarks) : lines;
  return betweenDelimiters(broken.map(breakFrames));
}

/** The user's words, on one line between quotes that they cannot end. Nothing else of it is changed. */
export function quoteUser(text: string, maxChars: number): string {
  const line = firstChars(text, maxChars * 4)
    .replaceAll(/[\s\u0085]+/g, " ")
    .trim();
  const isWhole = line.length <= maxChars && text.length <= maxChars * 4;
  return betweenDelimiters([isWhole ? line : `${firstChars(line, maxChars - 1).trimEnd()}…`]);
}

const maxNameChars = 1_000;
const plainName =
  /^(?![#\uff03\ufe5f])(?!\p{Nd}+[.)]$)(?![-*+=_~]+$)[\p{L}\p{M}\p{N}_.@~+/\\=%,()[\]{}$!&;?'^*#:-]+(?<![:,;])$/u;

/**
 * A path, an id, a tool, an argument: one word as it is, which is how it is found again. Whatever has blanks, quotes,
 * tags or anything invisible in it stands between quotes.
 */
export function showName(text: string): string {
  const isPlain = text.length <= maxNameChars && plainName.test(text) && stripInvisible(text) === text;
  return isPlain && breakFrames(text) === text ? text : quoteForeign(text, maxNameChars);
}

/**
 * A path or a to-do on a line of its own: as it is, which is how it is found again, or quoted where it has more than one
 * line or something in it that could deceive.
 */
export function showLine(text: string): string {
  const quote = quoteWhole(text);
  return quote === `“${text}”` ? text : quote;
}

/** A model's summary with what only we write broken: how summaries of ours begin, and what stands around and behind them. */
export function breakSummaryFrames(text: string): string {
  return text
    .replace(leadingFrameTags, "$1&lt;")
    .replace(summaryFrames, "$1\\$2")
    .replace(saidByUser, "$1\\$2");
}

/** A text of several lines as data: each line behind a mark, so that none can be taken for a line of the frame. */
export function dataLines(text: string): string {
  return text
    .split(anyLineEnd)
    .map((line) => `| ${line}`.trimEnd())
    .join("\n");
}

export const anyLineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** Tags, names of speakers and marks of ours inside a text that stands on its own lines. Idempotent. */
export function breakFrames(text: string): string {
  return breakOwnFrames(tagSigns.test(text) ? text.replace(otherTags, "&lt;") : text);
}

/** The same, but for tags that nobody frames anything with: `<id>` stays in what is quoted line by line. */
export function breakOwnFrames(text: string): string {
  // Most texts have none of the signs that all this begins with.
  let broken = text;
  if (tagSigns.test(broken)) broken = broken.replace(frameTags, "&lt;");
  if (colonSigns.test(broken))
    broken = broken.replace(speaker, "$1\\$2").replace(leadingSpeaker, "$1\\$2").replace(saying, "$1\\$2");
  if (broken.includes("[")) broken = broken.replace(ownMarks, "\\[");
  if (fenceSigns.test(broken)) broken = broken.replace(fences, (run) => run.replaceAll(/./g, "\\$&"));
  if (!headingSigns.test(broken)) return broken;
  return broken.replace(laterHeading, (run) => run.replaceAll(/[#\uff03\ufe5f]/g, "\\$&"));
}

/** Our frames and those that providers and harnesses use, also with brackets that look alike. */
const frameTag = `[${brackets}](?=[\\s/\\uff0f\\\\]*(?:summary|analysis|persisted-output|system|system-reminder|attachment|mail|memory|memories|recalled|fold|skill|skills|rules|mcp-instructions|fork-of-this-conversation|user|assistant|human|developer|tool_result|tool_use|function_results|function_calls|command-[a-z]+|local-command-[a-z]+|bash-[a-z]+|newest)(?![\\p{L}\\p{N}]))`;
const frameTags = new RegExp(frameTag, "giu");
const leadingFrameTags = new RegExp(`^([^\\S\\n]*)${frameTag}`, "gimu");
/** Types of code such as `Map<string, number>` stay as they are. */
const otherTags = /<(?=\/\s*[a-z])|(?<!\w)<(?=[a-z!?])/giu;
const speakers = "human|user|assistant|system|developer";
const speaker = new RegExp(
  `(?<![\\p{L}\\p{N}])((?:Human|User|Assistant|System|Developer|HUMAN|USER|ASSISTANT|SYSTEM|DEVELOPER)[*_"'\\s]*)([${colons}])`,
  "gu",
);
const leadingSpeaker = new RegExp(
  `^([\\s*_"'([{\`-]*(?:the\\s+)?(?:${speakers})[*_"'\\s]*)([${colons}])`,
  "giu",
);
const saying = new RegExp(
  `((?<![\\p{L}\\p{N}])(?:${speakers})[*_"']*\\s+(?:said|says|say|asks|asked|wants|wanted|wrote|writes|message|request)[\\s\\p{N}()*_"']*)([${colons}])`,
  "giu",
);
/** `[3 · open]`, `[open · …]`, `[Folded: …]`: how summaries of ours mark what the user said, and what stands around it. */
const ownMarks =
  /(?<!\\)\[(?=\s*(?:\p{Nd}+\s*·|(?:open|done|superseded|cancelled)\s*[·\]]|Folded:|Background:|From the log\b|The compaction was\b|Request interrupted\b|Old tool result\b|(?:rules|mail|sent) \{))/giu;
const summaryFrames =
  /^([^\S\n]*)(\[(?:Background:|From the log\b|Folded:|The compaction was\b)|Background, (?:written by|from the ledgers)|Added from the session|User messages, oldest first)/gmu;
const saidByUser = /^([^\S\n]*The user said)(:)/gmu;
const fences = /(?<!\\)(?:`{3,}|~{3,})/g;
const laterHeading = /(?<=\s)[#\uff03\ufe5f]{1,6}(?=\s)/g;

const heading = "[#\\uff03\\ufe5f\\u266f]+";
const quoteOrCell = "[>\\uff1e|\\uff5c]";
const bullet = "[-*+•·◦‣⁃∙●○▪▫■□–—−‐‑](?=\\s|$)";
const number = "\\p{Nd}{1,9}[.)\\uff0e\\u3002\\uff09](?=\\s|$)";
/** A line below a heading, or between parts. */
const rule = /^\s*(?:[-=_*~]\s*){3,}$/;
const box = "\\[[ xX>-]\\](?=\\s|$)";
const marks = `(?:${heading}|${quoteOrCell}|${bullet}|${number}|${box})`;
const leadingMarks = new RegExp(`^(?:\\s*${marks})+`, "u");
const mark = new RegExp(`\\s*${marks}`, "uy");

/** No mark begins so, and no line below a heading. */
const beginsPlain = /^\s*[A-Za-z"'(/\\$]/;

/** Escapes the signs that make a line a heading, a list, a quote or a table, with a backslash before each. */
function breakMarks(line: string): string {
  if (beginsPlain.test(line)) return line;
  mark.lastIndex = 0;
  let end = rule.test(line) ? line.length : 0;
  while (end < line.length && mark.test(line)) end = mark.lastIndex;
  if (end === 0) return line;
  return `${line.slice(0, end).replaceAll(/[^\s\p{Nd}xX\]]/gu, "\\$&")}${line.slice(end)}`;
}

function linesOf(text: string): readonly string[] {
  return stripInvisible(text)
    .split(lineEnds)
    .filter((line) => line.trim() !== "");
}

function quoteLines(text: string, maxChars: number, settle: (line: string) => string): string {
  const given = firstChars(text, maxChars * 4);
  const line = linesOf(given).map(settle).join(` ${lineEnd} `);
  const isWhole = line.length <= maxChars && given.length === text.length;
  const cut = isWhole ? line : `${firstChars(line, Math.max(0, maxChars - 1)).trimEnd()}…`;
  return betweenDelimiters(cut.split(` ${lineEnd} `).map((one) => breakFrames(breakMarks(one))));
}

/** A backslash at the end would read as if the quote went on. */
function betweenDelimiters(lines: readonly string[]): string {
  const line = lines
    .join(` ${lineEnd} `)
    .replaceAll(/[“”„‟〝〞〟＂]/g, '"')
    .replace(/\\$/, "\\ ");
  return `“${line}”`;
}

/** A text as a name for something: on one line, without what would make a heading, a list or a tag of it. */
export function toPlainTitle(text: string, maxChars: number): string {
  const lines = linesOf(firstChars(text, maxChars * 4)).map((line) => line.replace(leadingMarks, ""));
  const line = breakFrames(lines.join(" ")).replaceAll(/\s+/g, " ").trim();
  return line.length <= maxChars ? line : firstChars(line, maxChars);
}

/** The beginning of a text in at most so many characters; a code point that does not fit is left out. */
export function firstChars(text: string, maxChars: number): string {
  const isSplit = (text.codePointAt(maxChars - 1) ?? 0) > 0xffff && maxChars < text.length;
  return text.slice(0, Math.max(0, isSplit ? maxChars - 1 : maxChars));
}

const shortChars = 8;
/** Made by chance: the end of such an id tells it from all others of a session. */
const madeByChance = /(?=[A-Za-z]*\d)[A-Za-z0-9]{12,}$/;
/** No word looks like this: with a digit, or with capitals among small letters. */
const noWord = /\d|[a-z][A-Z]/;

/**
 * An id as texts name it: the end of a long one, which is enough to recall by, and a fraction of its tokens. What no
 * program would make an id of is quoted.
 */
export function shortId(id: string): string {
  const end = id.slice(-shortChars);
  return madeByChance.test(id) && noWord.test(end) ? end : id === "" ? id : showName(id);
}

/** Whether this may be the end of an id. */
export function isShortId(text: string): boolean {
  return text.length === shortChars && /^[A-Za-z0-9]+$/.test(text);
}
