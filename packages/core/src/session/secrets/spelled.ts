/** Longer values are looked for as they are: their spelling was seen where they were found. */
const maxSpelledChars = 12_000;

/**
 * A pattern for a value however it was quoted: as it is, with its quotes, slashes and line ends escaped once or more, as
 * JSON, in a URL or in HTML.
 */
export function toSpelledPattern(value: string): RegExp {
  const text = value.replaceAll("\r\n", "\n");
  if (text.length > maxSpelledChars) return new RegExp(escapePattern(value), "g");
  const pattern = [...text].map(spelled).join("");
  return new RegExp(text.length < minFreeChars ? alone(pattern) : pattern, "g");
}

/** A shorter value is masked where it stands alone: it may be a part of a word. */
const minFreeChars = 12;

/** Behind an escaped line end it stands alone too. */
function alone(pattern: string): string {
  return String.raw`(?<![A-Za-z0-9](?<!\\[nrt]))(?<!%[0-9A-F](?=[0-9A-F]))${pattern}(?![A-Za-z0-9])`;
}

function spelled(character: string): string {
  if (character === "\n")
    return String.raw`(?:\\*\r?\n|\\+r\\+n|\\+n|\\+r|%0[Dd]%0[Aa]|%0[Aa]|&#(?:10|x[aA]);)[ \t]*`;
  const code = character.codePointAt(0) ?? 0;
  if (/[A-Za-z0-9_\-.~]/.test(character)) return escapePattern(character);
  const hex = code.toString(16);
  const forms = [
    String.raw`\\*${escapePattern(character)}`,
    ...(code <= 0xffff ? [String.raw`\\+[uU]${eitherCase(hex.padStart(4, "0"))}`] : []),
    ...(code < 0x80
      ? [`%${eitherCase(hex.padStart(2, "0"))}`, `%25${eitherCase(hex.padStart(2, "0"))}`]
      : []),
    `&#(?:${code}|[xX]${eitherCase(hex)});`,
    ...(entities.get(character) ?? []),
  ];
  return `(?:${forms.join("|")})`;
}

const entities: ReadonlyMap<string, readonly string[]> = new Map([
  ['"', ["&quot;"]],
  ["'", ["&apos;"]],
  ["&", ["&amp;"]],
  ["<", ["&lt;"]],
  [">", ["&gt;"]],
  [" ", [String.raw`\+`]],
]);

const eitherCase = (hex: string) => hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
