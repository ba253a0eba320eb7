import type { SeededRandom } from "../../packages/testing/src/index.ts";

/** Words that write a file, run a program or print the environment, if the program before them takes them so. */
const harmful = [
  "-o canary",
  "-ocanary",
  "-no canary",
  "-LNifo 1 canary",
  "--output=canary",
  "--output canary",
  "--outp canary",
  "--o=canary",
  "-o ~/canary",
  "-i",
  "-i.canary",
  "--in-place",
  "-w canary",
  "-r",
  "-R",
  "-C",
  "-T .",
  "-s canary",
  "-f canary",
  "-l",
  "-O canary",
  "-Otouch",
  "--open-files-in-pager=./touch-canary",
  "--compress-program=./touch-canary -S1",
  "--pre=./touch-canary",
  "--pre ./touch-canary",
  "-z",
  "--hostname-bin=./touch-canary",
  "--ext-diff",
  "--textconv",
  "--no-index",
  "--contents=canary",
  "-delete",
  "-exec touch canary \\;",
  "-execdir touch canary +",
  "-ok touch canary \\;",
  "-fprint canary",
  "-fprintf canary x",
  "-fls canary",
  "--files0-from=list",
  "-v 'a[$(touch canary)]'",
  "-f",
  "-e",
  "e",
  "eww",
  "-E",
  "-o environ",
  "-u xe",
  "/proc/self/environ",
  "'/proc/self/environ'",
  "/proc/*/environ",
  "../../../../../../../proc/self/environ",
  "env",
  "'$ENV'",
  "-n env",
  "canary",
  "a b",
  "- canary",
  "-d old",
  "-D main",
  "-m canary",
  "new",
  "--edit",
  "--help",
  "--",
  "-",
  "*",
  "-*",
  "''",
];

/** What ends a command, sends its output away or puts another one into it. */
const breaks = [
  "> canary",
  ">canary",
  ">> ~/canary",
  "2>canary",
  "&>canary",
  ">|canary",
  "<> canary",
  "| tee canary",
  "|& tee canary",
  "| xargs touch canary",
  "; touch canary",
  "&& touch canary",
  "|| touch canary",
  "& touch canary",
  "\n touch canary",
  "\r touch canary",
  "\r\n touch canary",
  "\u2028 touch canary",
  "\v touch canary",
  "\0 touch canary",
  "$(touch canary)",
  "`touch canary`",
  '"$(touch canary)"',
  "<(touch canary)",
  "$'\\x3e' canary",
  "{-o,canary}",
  "(touch canary)",
  "# x\ntouch canary",
  "<<< x > canary",
  "$SECRET_OF_THE_TEST",
  '"$SECRET_OF_THE_TEST"',
  `\${SECRET_OF_THE_TEST}`,
  "; env",
  "; set",
  "; export -p",
  "; cd .. ",
  "\\\n> canary",
  "\\> canary",
  "';' touch canary",
  "'>' canary",
];

const blanks = ["\u00a0", "\u2003", "\u3000", "\u200b", "\ufeff", "\t", "  ", "\f", "\v"];

type Variation = (line: string, random: SeededRandom, corpus: readonly string[]) => string;

function pick<Item>(items: readonly Item[], random: SeededRandom): Item {
  return items[random.below(items.length)] as Item;
}

/** Changes one of the pieces between spaces. */
function changeWord(change: (word: string, random: SeededRandom) => string): Variation {
  return (line, random) => {
    const words = line.split(" ");
    const at = random.below(words.length);
    return words.with(at, change(words[at] ?? "", random)).join(" ");
  };
}

/** Puts a text between two words. */
function insert(texts: readonly string[]): Variation {
  return (line, random) => {
    const words = line.split(" ");
    return words.toSpliced(1 + random.below(words.length), 0, pick(texts, random)).join(" ");
  };
}

/** Cuts a word in two at some place. */
function cut(word: string, random: SeededRandom): readonly [string, string] {
  const at = random.below(word.length + 1);
  return [word.slice(0, at), word.slice(at)];
}

const variations: readonly Variation[] = [
  insert(harmful),
  insert(harmful),
  insert(harmful),
  insert(breaks),
  // Quoting
  changeWord((word) => `'${word}'`),
  changeWord((word) => `"${word}"`),
  changeWord((word, random) => cut(word, random).join("''")),
  changeWord((word, random) => cut(word, random).join('""')),
  changeWord((word, random) => cut(word, random).join("\\")),
  changeWord((word, random) => cut(word, random).join("'")),
  changeWord(
    (word) => `$'${[...word].map((one) => `\\x${(one.codePointAt(0) ?? 0).toString(16)}`).join("")}'`,
  ),
  // Options
  changeWord((word, random) => word.slice(0, 2 + random.below(word.length + 1))),
  changeWord((word) => word.replace("=", " ")),
  changeWord((word) => word.replace(/^-([a-zA-Z])(.+)$/, "-$1 $2")),
  changeWord((word) => (/^--\w/.test(word) ? word.slice(1) : word.replace(/^-(\w)/, "--$1"))),
  changeWord((word, random) => word.replace(/^-(\w+)$/, `-$1${pick([..."oiOeErRCwTfsz"], random)}`)),
  changeWord((word, random) => word.replace(/^-(\w+)$/, `-${pick([..."oiOeErRCwTfszkLt"], random)}$1`)),
  (line) => line.replace(/ -(\w+) -(\w+)/, " -$1$2"),
  (line, random) => {
    const [program = "", ...words] = line.split(" ");
    const at = random.below(words.length + 1);
    return [program, ...words.slice(at), ...words.slice(0, at)].join(" ");
  },
  (line, random) => {
    const words = line.split(" ");
    return words.length > 1 ? words.toSpliced(1 + random.below(words.length - 1), 1).join(" ") : line;
  },
  // The words of another command behind this one's
  (line, random, corpus) => `${line} ${pick(corpus, random).split(" ").slice(1).join(" ")}`,
  (line, random, corpus) => `${line.split(" ")[0]} ${pick(corpus, random).split(" ").slice(1).join(" ")}`,
  (line, random, corpus) =>
    `${line}${pick([" | ", " && ", "; ", "||", ";", " & "], random)}${pick(corpus, random)}`,
  // Encodings
  (line, random) => line.replace(" ", pick(blanks, random)),
  (line) => line.replace(/[a-z]/, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)),
  (line) => line.replace("-", "\u2013"),
  changeWord((word, random) => cut(word, random).join(pick(["*", "?", "[a-z]", "[]-]"], random))),
  changeWord((word, random) => pick(["./", "~/", "../", "/", "$PWD/", "=", "~+/", "%"], random) + word),
];

/** A line of the corpus, changed one to three times. */
export function varyCommand(corpus: readonly string[], random: SeededRandom): string {
  let line = pick(corpus, random);
  const times = 1 + random.below(3);
  for (let time = 0; time < times; time += 1) line = pick(variations, random)(line, random, corpus);
  return line;
}
