import { isPlaceholder, looksRandom, type SecretFinding } from "./known-tokens.ts";

const names =
  "pass(?:word|wd|phrase|code)?|pwd|secret|token|api[-_ ]?key|apikey|access[-_ ]?key|private[-_ ]?key|secret[-_ ]?key|signing[-_ ]?key|encryption[-_ ]?key|account[-_ ]?key|auth(?:[-_ ]?(?:key|token|secret))?|authtoken|credentials?|client[-_ ]?secret|webhook[-_ ]?secret|session[-_ ]?key|license[-_ ]?key|dsn|pin";

/** A name that ends in one of these, what assigns, and a value: quoted, escaped once or more, or bare. */
const assignment = new RegExp(
  String.raw`(?<name>[A-Za-z0-9_.-]{0,60}(?:${names})s?)(?<close>(?:\\*["'\x60])?\]?)(?<by>[ \t]{0,3}(?::=|=>|[:=])(?:\s{1,40}(?=\\*["'\x60])|[ \t]{0,3})| (?:is|was|are) (?:now )?)(?<quote>\\*["'\x60])?(?<rest>[^\r\n]{1,4000})`,
  "gi",
);
const environmentName = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[A-Z]{3,}$/;
const isNumber = /^[\d_.,]+$/;
/** A call, a member, a path of names: not a value but where one comes from. */
const isCode = /^[A-Za-z_$][\w$]*(?:[?!]?\.[A-Za-z_$][\w$]*)+$|^[A-Za-z_$][\w$.]*[([{<].*|^[/(]/;
/** A name in a program: words set together by capitals, at most one digit group. */
const isCamelCase = /^_?[A-Z]?[a-z]{2,}(?:\d{0,2}[A-Z][a-z]{2,})*(?:\d{0,2}[A-Z][a-z]+)\d{0,2}$/;
const maxValueChars = 4_000;

/** Values assigned to names that say they are secret. */
export function assignedSecrets(text: string): readonly SecretFinding[] {
  const found: SecretFinding[] = [];
  assignment.lastIndex = 0;
  for (let match = assignment.exec(text); match !== null; match = assignment.exec(text)) {
    const { name = "", by = "", quote, rest = "" } = match.groups ?? {};
    const value = assignedValue(rest, quote);
    const isSecret = value !== null && isSecretValue(value, name, by, quote);
    if (isSecret) found.push({ kind: kindOf(name), value });
    // The rest of the line may hold another assignment.
    assignment.lastIndex = match.index + match[0].length - rest.length + (isSecret ? value.length : 0);
  }
  return found;
}

function assignedValue(rest: string, quote: string | undefined): string | null {
  if (quote === undefined) return /^[^\s"'\x60,;&<>()[\]{}]+/.exec(rest)?.[0].replace(/[.!?:]+$/, "") || null;
  return quotedValue(rest, quote);
}

/** Up to the same quote at the same depth of escaping; where it never comes, to the end of the line. */
function quotedValue(rest: string, quote: string): string | null {
  const mark = quote.slice(-1);
  const depth = quote.length - 1;
  for (let at = rest.indexOf(mark); at !== -1; at = rest.indexOf(mark, at + 1)) {
    let slashes = 0;
    while (slashes < at && rest[at - 1 - slashes] === "\\") slashes += 1;
    if (slashes <= depth) return rest.slice(0, at - slashes) || null;
  }
  return rest.length <= maxValueChars ? rest.trimEnd() : null;
}

function isSecretValue(value: string, name: string, by: string, quote: string | undefined): boolean {
  if (value.length < 4 || isPlaceholder(value) || value.startsWith("//")) return false;
  const isPassword = /pass|pwd|pin$/i.test(name);
  if (isNumber.test(value)) return isPassword && quote !== undefined && value.length >= 6;
  if (environmentName.test(name) && by === "=") return !isCode.test(value);
  if (/tokens$/i.test(name) || (/\s/.test(value.trim()) && !isPassword)) return false;
  if (quote !== undefined && isPassword && by.trim() !== "" && /^\S{4,}$/.test(value)) return true;
  if (quote === undefined && (/tokens$/i.test(name) || isCode.test(value) || isCamelCase.test(value)))
    return false;
  return looksRandom(value);
}

function kindOf(name: string): string {
  if (/pass|pwd|pin$/i.test(name)) return "password";
  if (/token/i.test(name)) return "token";
  return /key/i.test(name) ? "api-key" : "secret";
}
