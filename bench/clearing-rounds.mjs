/**
 * Tool rounds in the shape of a coding agent: files are read, searched and edited, commands run. The same seed gives
 * the same rounds. `tokens` is counted at four bytes each, as all three sides estimate.
 */
export function clearingRounds(tokens, seed = 1) {
  const chance = createChance(seed);
  const rounds = [];
  let bytes = 0;
  while (bytes < tokens * 4) {
    const made = kinds[rounds.length % kinds.length](chance, rounds.length);
    const round = { id: `toolu_${rounds.length}`, text: "Looking at the next part.", ...made };
    rounds.push(round);
    bytes += round.text.length + JSON.stringify(round.input).length + round.result.length;
  }
  return rounds;
}

const words = "session append entry view decision label result const await return import prefix cache".split(
  " ",
);

/** Numbers from 0 up to 1: a linear congruential generator, enough to vary lengths and words. */
function createChance(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const between = (chance, low, high) => low + Math.floor(chance() * (high - low));

function lines(chance, count, prefix = "  ") {
  const line = () =>
    Array.from({ length: between(chance, 3, 11) }, () => words[between(chance, 0, words.length)]).join(" ");
  return Array.from({ length: count }, (_, at) => `${prefix}${line()}; // ${at}`).join("\n");
}

const path = (at) => `src/part-${at % 40}/file-${at}.ts`;

const read = (chance, at) => ({
  tool: "Read",
  input: { file_path: path(at) },
  result: lines(chance, between(chance, 40, 220)),
});
const search = (chance, at) => ({
  tool: "Grep",
  input: { pattern: `append${at}`, path: "src" },
  result: lines(chance, between(chance, 10, 60), `${path(at)}:12: `),
});
const run = (chance, at) => ({
  tool: "Bash",
  input: { command: `npm test -- part-${at}` },
  result: lines(chance, between(chance, 20, 120), "✓ "),
});
const edit = (chance, at) => ({
  tool: "Edit",
  input: { file_path: path(at), old_string: lines(chance, 12), new_string: lines(chance, 16) },
  result: `The file ${path(at)} has been updated.\n${lines(chance, 20)}`,
});

const kinds = [read, search, read, edit, run];
