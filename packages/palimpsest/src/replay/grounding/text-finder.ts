/**
 * Looks for texts among others that come one after the other. Whether one holds what is looked for is tested once: views
 * of a run show the same texts at many requests, and the same is looked for in each of them.
 */
export interface TextFinder {
  /** From now on this text may be the one that holds something. */
  add(text: string): void;
  /** Whether one of these, all of them added before, holds what is wanted. */
  isIn(texts: ReadonlySet<string>, wanted: string): boolean;
  /** Whether any that was ever added does. */
  wasIn(wanted: string): boolean;
}

/** The texts that hold something, and how many of all were looked through. */
interface Search {
  readonly holders: string[];
  looked: number;
}

export function createTextFinder(holds: (text: string, wanted: string) => boolean): TextFinder {
  const added: string[] = [];
  const known = new Set<string>();
  const searches = new Map<string, Search>();

  function holdersOf(wanted: string): readonly string[] {
    const search = searches.get(wanted) ?? { holders: [], looked: 0 };
    searches.set(wanted, search);
    for (; search.looked < added.length; search.looked += 1) {
      const text = added[search.looked] as string;
      if (holds(text, wanted)) search.holders.push(text);
    }
    return search.holders;
  }

  return {
    add(text) {
      if (known.has(text)) return;
      known.add(text);
      added.push(text);
    },
    isIn: (texts, wanted) => holdersOf(wanted).some((text) => texts.has(text)),
    wasIn: (wanted) => holdersOf(wanted).length > 0,
  };
}

/** Word for word. */
export function hasWords(text: string, wanted: string): boolean {
  return text.length >= wanted.length && text.includes(wanted);
}

/** As a word of its own, or as the end of one: so a long id is named by its end too. */
export function hasId(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at !== -1; at = text.indexOf(id, at + 1))
    if (!/[\w-]/.test(text.charAt(at + id.length)) && (id.length >= 8 || !/[\w-]/.test(text.charAt(at - 1))))
      return true;
  return false;
}

/** How summaries mark what the user said, and how they mark what is no longer wanted. */
const mark = /^\s*(?:-\s*)?(?:\[\d+ · |Message \d+ \()/;
const endedMark =
  /^\s*(?:-\s*)?(?:\[\d+ · |Message \d+ \()(?:done|superseded|cancelled|revoked order)[\])\s]/;
/** Another part of the summary begins. */
const otherPart = /^(?:#|Standing orders\b)/;

/** In a message of the user's that is marked as ended. */
export function hasEnded(text: string, wanted: string): boolean {
  if (!hasWords(text, wanted)) return false;
  let isEnded = false;
  return text.split("\n").some((line) => {
    if (mark.test(line)) isEnded = endedMark.test(line);
    else if (otherPart.test(line)) isEnded = false;
    return isEnded && line.includes(wanted);
  });
}
