/** Why a sentence is taken as something to be known next time. */
export type StatementRule = "remember" | "always" | "never" | "decided" | "correction";

/** A sentence that says so outright, without the words that only ask to keep it. */
export interface FoundRule {
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

/** What a sentence asks to be known next time; `null` where it does not say so outright. */
export function findRule(sentence: string): FoundRule | null {
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
