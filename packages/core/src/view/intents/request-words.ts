/**
 * What a message does to the requests before it. `stop`: calls them off. `correction`: stands in for the one before.
 * `resume`: takes back a stop. `interruption`: written by a program when the user pressed a key, not by the user.
 */
type RequestMeaning = "stop" | "correction" | "resume" | "interruption" | "request";

interface RequestWords {
  readonly meaning: RequestMeaning;
  /** Nothing is asked besides: `stop` alone, not `stop, and do this instead`. */
  readonly isBare: boolean;
}

const lead = String.raw`(?:(?:please|ok|okay|oh|hey|hm+|wait|sorry|well|no|alright|and|so|but|just)[\s,.!]+)*`;
const it = `(?:that|this|it|everything|all of (?:that|this|it)|(?:the|that|this|my) (?:(?:last|previous) )?(?:task|request|job|work|plan)|what you(?:'re| are) doing|working(?: on (?:that|this|it))?|doing (?:that|this|it))`;
const tail = String.raw`(?:\s+(?:now|here|please|for now|right now|right there|immediately|at once|altogether|already))*`;

/** A clause that is one of these and nothing more calls off what is being done. */
const stops = [
  String.raw`stop(?:\s+${it})?`,
  String.raw`(?:cancel|abort|drop|leave|scrap)\s+${it}`,
  "cancel|abort|halt",
  "never\\s?mind(?:\\s+(?:that|this|it|then))?",
  String.raw`(?:forget|scratch|skip|ignore)\s+(?:about\s+)?${it}`,
  String.raw`(?:don't|do not|dont)\s+(?:bother|do (?:that|this|it)|continue|go on|proceed)`,
  "(?:let's|lets|let us)\\s+not(?:\\s+do (?:that|this|it))?",
  "i(?:'ve| have)? changed my mind",
];
const stopClause = new RegExp(`^${lead}(?:${stops.join("|")})${tail}$`);

/** A message that begins like this puts something else in the place of what was asked, or done, before. */
const corrections = [
  /^(?:no|nope|nah)\s*(?:[,;:.!–—-]|$)/,
  /^(?:no|nope|nah)\s+(?:no\b|wait\b|not\b|don't\b|do not\b|that's\b|that is\b|i (?:meant|mean|said|want|wanted)\b|you\b|use\b)/,
  /^(?:that's|that is|this is|it's|it is)\s+(?:wrong|not right|incorrect|not what i (?:meant|asked|wanted|said))/,
  /^(?:wrong|not like that|not that|not this)\s*(?:[,;:.!–—-]|$)/,
  /^(?:i meant|what i meant|i said)\b/,
  /^on second thoughts?\b/,
  /^instead\s*[,:]/,
  /^actually,?\s+(?:no\b|let's\b|don't\b|do not\b|use\b|make\b|i want\b|i meant\b|i'd rather\b|i would rather\b|keep\b|instead\b)/,
  /^(?:please\s+)?(?:undo|revert|roll back)\s+(?:that|this|it|the last|your|what you)\b/,
];
/** `use pnpm instead`, but not `instead of npm`. */
const insteadAtEnd = /\binstead(?:\s+please)?\s*$/;

const resumes =
  /^(?:please\s+)?(?:continue|go on|carry on|resume|keep going|go ahead|proceed)(?:\s+(?:please|then|now|with (?:that|this|it)|where you left off))*\s*[.!]*$/;
const interruption = /^\s*\[request interrupted by user[^\]\n]*\]\s*$/i;

/** Where one clause ends and the next begins. */
const clauseEnd = /[.,;:!?\n–—]+|\s-+\s/;
const maxFirstSentenceChars = 160;

/**
 * Reads a message by small tables of English words. What they do not know is a request like any other: better to keep
 * a request open than to call one off that nobody called off.
 */
export function readRequestWords(text: string): RequestWords {
  if (interruption.test(text)) return { meaning: "interruption", isBare: true };
  const words = plainWords(text);
  const stop = readStop(words);
  if (stop) return stop;
  if (resumes.test(words)) return { meaning: "resume", isBare: true };
  const meaning = isCorrection(words) ? "correction" : "request";
  return { meaning, isBare: false };
}

function readStop(words: string): RequestWords | null {
  const clauses = words.split(clauseEnd).map((clause) => clause.trim());
  const said = clauses.filter((clause) => clause !== "" && clause !== "…");
  let at = 0;
  while (at < said.length && /^(?:no|ok|okay|wait|hey|oh|please|sorry|hm+)$/.test(said[at] ?? "")) at += 1;
  if (!stopClause.test(said[at] ?? "")) return null;
  const rest = said
    .slice(at + 1)
    .filter((clause) => !stopClause.test(clause) && !/^(?:thanks|thank you|please|sorry)$/.test(clause));
  const hasMore = rest.length > 0 || clauses.includes("…");
  if (hasMore && resumes.test(rest.join(" "))) return null;
  return { meaning: "stop", isBare: !hasMore };
}

function isCorrection(words: string): boolean {
  if (corrections.some((pattern) => pattern.test(words))) return true;
  const [first = ""] = words.split(/[.!?\n]/);
  return first.length <= maxFirstSentenceChars && insteadAtEnd.test(first);
}

const fenced = /^[ \t]*(```+|~~~+)[^\n]*\n[\s\S]*?(?:\n[ \t]*\1[`~]*[ \t]*(?=\n|$)|(?![\s\S]))/gm;
const inlineCode = /`[^`\n]*`/g;
const quotedLine = /^[ \t]*>[^\n]*$/gm;
const quoted = /"[^"\n]*"|“[^”\n]*”|«[^»\n]*»|(?<![\p{L}\p{N}])'[^'\n]*'(?![\p{L}\p{N}])/gu;
/** Lengths are bounded, so that a text full of openings costs no more than its length. */
const tagged = /<([a-z][\w-]{0,40})(?:\s[^<>\n]{0,200})?>[^<]*<\/\1>/gi;

/** Longer texts are looked at no further: what counts stands at the beginning or at the end. */
const maxChars = 20_000;

/**
 * A text in its author's own voice: without code, quotes and tagged parts, in lower case and with plain apostrophes.
 * For telling what a message means, never for showing.
 */
export function plainWords(text: string): string {
  const half = maxChars / 2;
  const whole = text.length <= maxChars ? text : `${text.slice(0, half)}\n${text.slice(-half)}`;
  return whole
    .replaceAll("\r\n", "\n")
    .replace(fenced, "\n")
    .replace(inlineCode, " … ")
    .replace(quotedLine, "")
    .replaceAll("’", "'")
    .replace(quoted, " … ")
    .replace(tagged, " … ")
    .toLowerCase()
    .trim();
}
