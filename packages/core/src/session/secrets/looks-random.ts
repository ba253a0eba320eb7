/** Bits per character, from how often each occurs. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** A name such as `private-key`. */
const isName = /^[a-z]+(?:[-_./ ][a-z]+)*$/;
const minChars = 6;
const minBits = 2.2;

/** Whether a value could have been made up by a machine or by someone who follows the rules for passwords. */
export function looksRandom(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  return !isName.test(value) && value.length >= minChars && kinds >= 2 && entropyOf(value) >= minBits;
}
