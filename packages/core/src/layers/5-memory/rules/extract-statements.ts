import type { MemoryType, UserMessageRecord } from "../../../spec/index.ts";
import { firstChars } from "../../../view/quote-foreign.ts";
import { type KnownMemory, saysSame, significantWords } from "./to-memory.ts";

/** Something the user has said outright to be known next time. */
export interface Statement {
  readonly type: MemoryType;
  readonly rule: StatementRule;
  /** In the user's words. */
  readonly text: string;
  /** Messages it was said in. */
  readonly entries: readonly string[];
}

/** The user's outright statements, in order, each once. No model is asked, and nothing is guessed. */
export function extractStatements(messages: readonly UserMessageRecord[]): readonly Statement[] {
  const found: Statement[] = [];
  for (const { entry, text } of messages) {
    for (const sentence of sentencesOf(spokenText(text))) {
      const rule = findRule(sentence);
      if (!rule) continue;
      const statement: Statement = {
        type: statementType(rule),
        rule: rule.rule,
        text: toSentence(rule.text),
        entries: [entry],
      };
      const same = found.findIndex((one) => isSame(one.text, statement.text));
      const former = found[same];
      if (!former) found.push(statement);
      else found[same] = { ...former, entries: [...new Set([...former.entries, entry])] };
    }
  }
  return found;
}

/** The memory that says it already; `undefined` where none does. */
export function knownAs(statement: Statement, memories: readonly KnownMemory[]): KnownMemory | undefined {
  const wanted = significantWords(statement.text);
  return memories.find(({ name, description, body }) =>
    [name, description, ...sentencesOf(body)].some((text) => saysSame(wanted, text)),
  );
}

function isSame(one: string, other: string): boolean {
  return saysSame(significantWords(one), other) && saysSame(significantWords(other), one);
}

function toSentence(text: string): string {
  const trimmed = text.trim().replaceAll(/\s+/g, " ");
  const [first = ""] = trimmed;
  return (
    first.toUpperCase() +
    trimmed
      .slice(first.length)
      .replace(/[\s,;:–—-]*$/, "")
      .replace(/([^.!…])$/, "$1.")
  );
}

const person =
  /^(?:i['’]m\b|i am\b|i (?:work|live|know|do not know|don['’]t know|have|prefer|like|hate|use|speak|only|usually|mostly|started|joined|lead|manage|own)\b|my (?:name|role|job|title|team|background|time ?zone|pronouns|manager|editor|machine|laptop|native language|first language)\b|call me\b)/i;
const place =
  /https?:\/\/|\b(?:dashboard|runbook|wiki|tracker|grafana|confluence|notion|jira|linear|sentry|datadog|slack channel|figma|spreadsheet)\b|#[a-z][\w-]{2,}\b|\b(?:lives?|documented|tracked|stored|kept|found|reported|filed) (?:in|at|on|under)\b/i;
const request =
  /^(?:to|not to|always|never|use|don['’]t|do not|run|write|ask|keep|prefer|avoid|check|put|call|name|make|add|test|commit|explain|answer|show)\b/i;

/** The kind of memory that a statement becomes. */
function statementType({ rule, text }: FoundRule): MemoryType {
  if (rule === "decided") return "project";
  if (rule !== "remember") return "feedback";
  if (person.test(text)) return "user";
  if (request.test(text)) return "feedback";
  return place.test(text) ? "reference" : "project";
}

const maxSentenceChars = 400;
const listMark = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;
/** Words that come before what is meant. */
const opening =
  /^(?:(?:please|pls|ok(?:ay)?|also|and|so|btw|by the way|hey|hi|well|yes|yeah|right|but|oh|again|fyi|one more thing|important|note)\b[\s,:;.!–—-]+)+/i;

/** The sentences of a text, each without list marks and words that only open it. */
function sentencesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) =>
      line
        .replace(listMark, "")
        .replaceAll(/\*\*|__/g, "")
        .trim(),
    )
    .flatMap((line) => line.split(/(?<=[.!?…])(?<!\b(?:e\.g|i\.e|etc|vs|Mr|Dr)\.)\s+(?=[\p{Lu}\p{N}"“(])/u))
    .map((sentence) => sentence.trim().replace(opening, "").trim())
    .filter((sentence) => sentence !== "" && sentence.length <= maxSentenceChars);
}

/** Characters that are not seen, or turn the direction of text. */
const unseen = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
/** The most characters of spoken text: longer text was pasted; with more tags it is markup. */
const maxSpokenChars = 20_000;
const maxTags = 100;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const tagBegin = /<([a-z][\w:-]*)(?:\s[^<>]*)?>/i;
/** Ends with a colon and names something that others wrote: what follows was pasted. */
const pasting =
  /\b(?:logs?|output|errors?|trace|file|readme|docs?|documentation|page|article|e?mails?|messages?|issue|ticket|comments?|says?|said|wrote|reads|response|transcript|paste[ds]?|contents?|text|prompt|quote|snippet|code|diff|patch|config|rules?)\b[^:]{0,40}:$/i;

/**
 * The part of a message in the user's own voice: without code, quotes, whatever stands in tags (what was recalled,
 * attached or put there by a program) and what follows an announcement of a paste. Where in doubt it is left out.
 */
function spokenText(text: string): string {
  const kept: string[] = [];
  const clean = firstChars(text, maxSpokenChars).replaceAll("\r\n", "\n").replaceAll(unseen, "");
  let fenced: string | null = null;
  let isBehindBlank = true;
  for (const line of withoutTags(clean).split("\n")) {
    const mark = fence.exec(line)?.[1];
    if (fenced !== null) {
      if (mark?.startsWith(fenced)) fenced = null;
      continue;
    }
    if (mark !== undefined) {
      fenced = mark;
      continue;
    }
    const isCode: boolean = isBehindBlank && /^(?: {4}|\t)/.test(line);
    isBehindBlank = line.trim() === "" || isCode;
    if (isCode || /^\s*(?:>|\|)/.test(line)) continue;
    kept.push(line);
    if (pasting.test(line.trim())) break;
  }
  return kept.join("\n");
}

/** Text in tags is a break. A tag that is not closed takes its line and everything behind it along. */
function withoutTags(text: string): string {
  let rest = text;
  for (let tags = 0; ; tags += 1) {
    const found = tagBegin.exec(rest);
    if (!found) return rest;
    const [whole, name = ""] = found;
    const end = rest.toLowerCase().lastIndexOf(`</${name.toLowerCase()}`);
    const close = end < found.index + whole.length ? -1 : rest.indexOf(">", end);
    if (close === -1 || tags === maxTags) return rest.slice(0, rest.lastIndexOf("\n", found.index) + 1);
    rest = `${rest.slice(0, found.index)}\n${rest.slice(close + 1)}`;
  }
}

/** Why a sentence is taken as something to be known next time. */
export type StatementRule = "remember" | "always" | "never" | "decided" | "correction";

/** A sentence that says so outright, without the words that only ask to keep it. */
interface FoundRule {
  readonly rule: StatementRule;
  readonly text: string;
}

const remember =
  /^(?:(?:you (?:should|must|need to)|can you|could you|i want you to|i'd like you to) )?(?:remember|memori[sz]e|don['’]t forget|do not forget|never forget|keep in mind|bear in mind|make a note|take note)(?: of)?(?:\s+(?:that|this|for (?:next time|later|the future)))?\s*[:,–—-]?\s+(?<rest>\S.*)$/i;
const from = /^(?:from now on|going forward|from here on|in (?:the )?future)\b[\s,:–—-]+(?<rest>\S.*)$/i;
const condition = "(?:(?:when|whenever|if|before|after|for|in|on|while) [^,.;]{3,80},\\s*)?";
const should = "(?:(?:you|we|please) (?:(?:should|must|have to|need to) )?|please )?";
const always = new RegExp(`^${condition}${should}always\\s+(?<first>[a-z][\\w'’-]*)\\s+\\S`, "i");
const never = new RegExp(
  `^${condition}${should}(?:never(?: ever)?|(?:don['’]t|do not) ever)\\s+(?<first>[a-z][\\w'’-]*)\\s+\\S`,
  "i",
);
const decided =
  /^(?:(?:as a team,?|yesterday|today|last \w+|in the meeting)[, ]+)?(?:we(?:['’]ve| have)?(?: (?:all|now|finally|also))? (?:decided|agreed|settled|chose|chosen|opted|resolved) (?:to|that|on|not to|against|for|in favou?r of)\b|(?:the|our) decision (?:is|was)\b|decision:)\s*\S.*$/i;
const corrections: readonly RegExp[] = [
  /^(?:no|nope|wrong)[,.;:!]?\s+(?:please\s+)?(?:(?:don['’]t|do not|use|it['’]s|it is|that['’]s|we|our|the|call|put|keep)\b.*\S)$/i,
  /^(?:that['’]s|that is|this is) (?:wrong|incorrect|not right|not how we \w+)[,;:–—-]+\s*\S.*$/i,
  /^(?:actually,?\s+)?(?:please\s+)?(?:use|prefer|write|call|run|put|name)\b.*\b(?:instead of|rather than|, not|(?:,? )and not)\b.*\S$/i,
  /^(?:please\s+)?(?:don['’]t|do not)\s+\w+.*[,;–—-]\s*(?:but )?(?:use|write|call|run|put|do|prefer|always)\b.*\S$/i,
  /^(?:please\s+)?stop\s+\w+ing\b.*\S$/i,
];

/** Forms that tell of something instead of asking for it: “always fails”, “never worked”. */
const telling =
  /^(?:seen|been|had|has|did|does|gone|went|heard|knew|known|got|gotten|was|were|is|are|mind|happened|wanted|liked|loved|works?|worked|thought|again|the|a|an|my|it|this|that|in|on|so)$/i;
const imperativesInS: ReadonlySet<string> = new Set(
  "pass process address discuss access compress express focus guess miss press suppress bypass assess stress toss cross dismiss".split(
    " ",
  ),
);

/** Tied to the work at hand: no word about next time. */
const passing =
  /\b(?:for now|for today|this time|just this once|(?:in|for|on) this (?:file|function|pr|commit|task|session|change|test|branch|case|line|conversation|chat)|until i say|right now|at the moment|line \d+|the (?:first|second|third|last|other) (?:one|file|line|option))\b/i;
const secret =
  /\b(?:pass(?:word|phrase|code)|api[ _-]?keys?|secret(?: key)?|access[ _-]?tokens?|private[ _-]?keys?|credentials?|pin|cvv|ssn)\b.*(?:\bis\b|\bare\b|[:=])|\b(?:sk-[\w-]{8,}|gh[pousr]_\w{16,}|AKIA[0-9A-Z]{12,}|xox[a-z]-[\w-]{8,}|eyJ[\w-]{10,}\.)|-----BEGIN/i;
const recalling = /^(?:when|how|what|where|who|why|if|whether|me\b|you\b|last time|yesterday)/i;

/** The rule of a sentence that asks to be known next time; `null` where it does not say so outright. */
function findRule(sentence: string): FoundRule | null {
  if (sentence.endsWith("?") || passing.test(sentence) || secret.test(sentence)) return null;
  const asked = remember.exec(sentence)?.groups?.rest;
  if (asked !== undefined)
    return recalling.test(asked) || !isWords(asked) ? null : { rule: "remember", text: asked };
  const later = from.exec(sentence)?.groups?.rest;
  if (later !== undefined) return isWords(later) ? { rule: "always", text: sentence } : null;
  if (isAsked(always.exec(sentence))) return { rule: "always", text: sentence };
  if (isAsked(never.exec(sentence))) return { rule: "never", text: sentence };
  if (decided.test(sentence)) return { rule: "decided", text: sentence };
  if (corrections.some((one) => one.test(sentence))) return { rule: "correction", text: sentence };
  return null;
}

function isAsked(found: RegExpExecArray | null): boolean {
  const first = found?.groups?.first;
  if (first === undefined || telling.test(first)) return false;
  const word = first.toLowerCase();
  return !(/s$/.test(word) && !imperativesInS.has(word)) && !/(?:[^e]ed|ing)$/.test(word);
}

/** At least two words, so that there is something to know. */
function isWords(text: string): boolean {
  return (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) >= 2;
}
