const leastWords = 3;
const mostWords = 5;

/** Verbs that say nothing, in the form that progress has. */
const vagueVerbs = new Set(
  "working doing processing continuing handling progressing proceeding trying going making being having performing".split(
    " ",
  ),
);

/** Words that name no thing. */
const vagueWords = new Set(
  "a an the some its it this that these those my our your on in at with for of to and or from by into about all various several multiple more next current different other something anything everything things thing stuff task tasks work job request step steps part progress user".split(
    " ",
  ),
);

/** Words that tell of what is over. */
const past = /\b(?:was|were|had|did|done|finished|completed|ended|already)\b/i;

/**
 * What a model wrote as progress, without quotes and full stop; `null` where it is not what it was asked for: 3 to 5
 * words in the present tense, beginning with a verb in “-ing”, that name a thing and are about nothing past.
 */
export function cleanProgress(text: string): string | null {
  const lines = text.trim().split("\n");
  const words = (lines[0] ?? "")
    .replace(/^["'“”‘’*`\s]+|["'“”‘’*`.!…\s]+$/g, "")
    .split(/\s+/)
    .filter((word) => word !== "");
  if (lines.length > 1 || words.length < leastWords || words.length > mostWords) return null;
  const [verb = "", ...rest] = words.map((word) => word.toLowerCase());
  const isPresent = /^\p{L}{2,}ing$/u.test(verb) && !past.test(words.join(" "));
  const isVague = vagueVerbs.has(verb) || rest.every((word) => vagueWords.has(word));
  return isPresent && !isVague ? words.join(" ") : null;
}
