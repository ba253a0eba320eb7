// Entries and queries for the search bench: the same for every run.

/** Mulberry32: small, seeded, good enough to draw words. */
export function createDraw(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const onsets = [
  "b",
  "br",
  "c",
  "ch",
  "d",
  "dr",
  "f",
  "g",
  "gr",
  "h",
  "k",
  "l",
  "m",
  "n",
  "p",
  "pl",
  "r",
  "s",
  "st",
  "t",
  "tr",
  "v",
];
const vowels = ["a", "e", "i", "o", "u", "ai", "ea", "ou"];
const endings = ["", "n", "r", "s", "t", "ing", "er", "ed", "tion", "ment"];
const fillers = "the of and to in is it that for was on with as this are be at by we you not have".split(" ");
const vocabularySize = 60_000;
const wordsAtLeast = 10;
const wordsAtMost = 80;
export const messagesPerSession = 50;

function vocabulary(draw) {
  const pick = (list) => list[Math.floor(draw() * list.length)];
  const words = new Set();
  while (words.size < vocabularySize) {
    const syllables = 1 + Math.floor(draw() * 3);
    let word = "";
    for (let at = 0; at < syllables; at += 1) word += pick(onsets) + pick(vowels);
    words.add(word + pick(endings));
  }
  return [...words];
}

/** The most frequent ranks of a language are fillers, which are drawn by themselves. */
const firstRank = 50;

/** Texts whose words are as rare and as frequent as in language (Zipf), every third word a filler, some identifiers. */
export function createEntries(count) {
  const draw = createDraw(1);
  const words = vocabulary(draw);
  /** Of rank r with a probability of about 1 in r. */
  const zipf = () =>
    words[Math.floor(firstRank * ((vocabularySize + firstRank) / firstRank) ** draw()) - firstRank];
  const one = () => {
    const kind = draw();
    if (kind < 0.33) return fillers[Math.floor(draw() * fillers.length)];
    if (kind < 0.36) return `${zipf()}${zipf().replace(/^./, (letter) => letter.toUpperCase())}`;
    if (kind < 0.37) return `src/${zipf()}/${zipf()}.ts`;
    return zipf();
  };
  return Array.from({ length: count }, (_, at) => ({
    id: at,
    session: `s${String(Math.floor(at / messagesPerSession)).padStart(6, "0")}`,
    text: Array.from({ length: wordsAtLeast + Math.floor(draw() * (wordsAtMost - wordsAtLeast)) }, one).join(
      " ",
    ),
  }));
}

/** The mix: what people and agents ask, made of words of an entry that is there. */
export const queryMix = [
  { name: "two words", share: 0.3, words: 2 },
  { name: "five words of an entry", share: 0.3, words: 5 },
  { name: "a question of twelve words", share: 0.2, words: 12 },
  { name: "one word", share: 0.2, words: 1 },
];

function drawKind(drawn) {
  let sum = 0;
  for (const kind of queryMix) {
    sum += kind.share;
    if (drawn < sum) return kind;
  }
  return queryMix[0];
}

export function createQueries(entries, count) {
  const draw = createDraw(2);
  return Array.from({ length: count }, () => {
    const kind = drawKind(draw());
    const words = entries[Math.floor(draw() * entries.length)].text.split(" ");
    const from = Math.floor(draw() * Math.max(1, words.length - kind.words));
    return words.slice(from, from + kind.words).join(" ");
  });
}
