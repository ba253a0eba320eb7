/**
 * Whether a pattern with wildcards, each of which stands for any number of elements, matches a whole sequence. Takes at
 * most the product of both lengths, whatever the pattern: a rule may come from somebody else's repository.
 */
export function matchSequence<Part, Element>(
  pattern: readonly Part[],
  sequence: readonly Element[],
  isWildcard: (part: Part) => boolean,
  matches: (part: Part, element: Element) => boolean,
): boolean {
  let [at, place] = [0, 0];
  let retry: { readonly at: number; place: number } | undefined;
  while (place < sequence.length) {
    const part = pattern[at];
    if (at < pattern.length && isWildcard(part as Part)) {
      retry = { at: at + 1, place };
      at += 1;
    } else if (at < pattern.length && matches(part as Part, sequence[place] as Element)) {
      at += 1;
      place += 1;
    } else if (retry !== undefined) {
      retry.place += 1;
      at = retry.at;
      place = retry.place;
    } else return false;
  }
  return pattern.slice(at).every(isWildcard);
}
