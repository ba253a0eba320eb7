/** How a value is written where it is quoted, encoded or dumped; each once, the value itself first. */
export function spellingsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const hex = bytes.toString("hex");
  const pairs = hex.match(/../g) ?? [];
  const quoted = [jsonText(value), jsonText(jsonText(value)), jsonText(jsonText(jsonText(value)))];
  const unicode = jsonText(value).replaceAll(/[^\x20-\x7e]/g, toUnicodeEscape);
  const inAddress = [strictPercent(value), encodeSafely(value), encodeSafely(encodeSafely(value))];
  const spellings = [
    value,
    ...quoted,
    unicode,
    value.replaceAll("/", "\\/"),
    ...inAddress.flatMap((one) => [one, lowerPercent(one), one.replaceAll("%20", "+")]),
    value.replaceAll("'", "'\\''"),
    value.replaceAll("'", `'"'"'`),
    value.replaceAll(/[^\w@%+=:,./-]/g, (character) => `\\${character}`),
    value.replaceAll(/["$`\\]/g, (character) => `\\${character}`),
    ...htmlTexts(value),
    ...alignedBase64(bytes),
    hex,
    hex.toUpperCase(),
    ...["%", "\\x"].flatMap((by) => [
      dumped(pairs, by, by),
      dumped(pairs, by, by).toUpperCase().replaceAll("X", "x"),
    ]),
    ...[" ", ":"].flatMap((by) => [pairs.join(by), pairs.join(by).toUpperCase()]),
    (hex.match(/.{1,4}/g) ?? []).join(" "),
    [...value].reverse().join(""),
  ];
  return [...new Set(spellings)];
}

const jsonText = (text: string) => JSON.stringify(text).slice(1, -1);

const toUnicodeEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Half a character has no bytes: it is left as it is. */
const encodeSafely = (text: string) => encodeURIComponent(text.toWellFormed());

const strictPercent = (text: string) =>
  encodeSafely(text).replaceAll(/[!'()*~._-]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

const lowerPercent = (text: string) => text.replaceAll(/%[0-9A-F]{2}/g, (one) => one.toLowerCase());

const dumped = (pairs: readonly string[], first: string, by: string) => first + pairs.join(by);

function htmlTexts(value: string): readonly string[] {
  const text = value
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
  return [
    text,
    text.replaceAll("'", "&#39;"),
    text.replaceAll("'", "&#x27;"),
    text.replaceAll("'", "&apos;"),
  ];
}

/**
 * The common part of all base64 texts that hold the value, for each of the three ways in which its bytes may lie:
 * letters that neighbours have a part in are left out.
 */
function alignedBase64(bytes: Buffer): readonly string[] {
  const found: string[] = [];
  for (const before of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64url");
    const bits = (before + bytes.length) * 8;
    const whole = text.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6));
    found.push(whole, whole.replaceAll("-", "+").replaceAll("_", "/"));
  }
  return found.filter(({ length }) => length >= minEncodedChars);
}

/** A shorter one turns up in base64 of anything. */
const minEncodedChars = 8;
