/** A day of the calendar, as its noon in UTC: no hour of any zone moves it. */
type Day = number;

const dayMs = 24 * 60 * 60 * 1000;

/** The day on which something happened, for people so many minutes ahead of UTC; `undefined` for what is no time. */
export function dayOf(at: string, utcOffsetMinutes = 0): Day | undefined {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return undefined;
  return Math.floor((ms + utcOffsetMinutes * 60_000) / dayMs) * dayMs + dayMs / 2;
}

function addDays(day: Day, count: number): Day {
  return day + count * dayMs;
}

/** The same day of another month, or its last where it is shorter. */
function addMonths(day: Day, count: number): Day {
  const date = new Date(day);
  const month = date.getUTCMonth() + count;
  const last = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0, 12));
  return Date.UTC(
    last.getUTCFullYear(),
    last.getUTCMonth(),
    Math.min(date.getUTCDate(), last.getUTCDate()),
    12,
  );
}

/** 0 is Monday. */
function weekdayOf(day: Day): number {
  return (new Date(day).getUTCDay() + 6) % 7;
}

function mondayOf(day: Day): Day {
  return addDays(day, -weekdayOf(day));
}

/** `YYYY-MM-DD`, or its first characters. */
function formatDay(day: Day, precision: "day" | "month" | "year" = "day"): string {
  return new Date(day).toISOString().slice(0, { day: 10, month: 7, year: 4 }[precision]);
}

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const numbers = [
  "",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];
const count = String.raw`(\d{1,3}|an?|${numbers.slice(1).join("|")})`;
const units = "(day|week|month|year)s?";

/** Code, addresses and quoted lines: not the memory's own words. */
const foreign = /(```[\s\S]*?(?:```|(?![\s\S]))|`[^`\n]*`|\bhttps?:\/\/\S+|^[ \t]*>.*$)/m;

/** A word behind which a date needs no other one. */
const preposition =
  /\b(?:on|in|of|since|until|till|by|from|before|after|to|for|through|around|and|or|is|was|be)\s+$/i;
/** Here "last week" is no week of the calendar but any seven days, or the end of a list. */
const noDate = /\b(?:the|every|each|a|any|at)\s+$/i;
/** Behind these "in two weeks" says how long something took. */
const duration = /\b(?:done|built|made|written|run|ran|rebuilt|\w+ed|\w+s|within|once|twice|times)\s+$/i;

/** How far around an expression is looked. */
const lookChars = 40;

interface Replacement {
  readonly date: string;
  /** The word that goes before it inside a sentence. */
  readonly word: "on" | "in";
}

interface Rule {
  readonly pattern: RegExp;
  replace(day: Day, words: readonly string[]): Replacement;
  /** A pattern that must not stand before it. */
  readonly notAfter?: RegExp;
}

const onDay = (day: Day): Replacement => ({ date: formatDay(day), word: "on" });

function rule(pattern: string, replace: Rule["replace"], notAfter?: RegExp): Rule {
  const end = String.raw`(?![\w-]|\s+of\b)`;
  return {
    pattern: new RegExp(String.raw`(?<![\w-])${pattern}${end}`, "gi"),
    replace,
    ...(notAfter && { notAfter }),
  };
}

const days: Readonly<Record<string, number>> = {
  "the day before yesterday": -2,
  "the day after tomorrow": 2,
  yesterday: -1,
  today: 0,
  tomorrow: 1,
};

/** Longer expressions stand before those they contain. */
const rules: readonly Rule[] = [
  ...Object.entries(days).map(([words, away]) =>
    rule(words.replaceAll(" ", String.raw`\s+`), (day) => onDay(addDays(day, away))),
  ),
  rule(
    `(last|next|this) (${weekdays.join("|")})`,
    (day, [which = "", name = ""]) => onDay(nearestWeekday(day, which, weekdays.indexOf(name))),
    noDate,
  ),
  rule("(last|next|this) (week|month|year)", (day, [which, unit]) => inPeriod(day, which, unit), noDate),
  rule(`${count} ${units} ago`, (day, [number, unit]) => daysAway(day, -toNumber(number), unit)),
  rule(`${count} ${units} from now`, (day, [number, unit]) => daysAway(day, toNumber(number), unit)),
  rule(`in ${count} ${units}`, (day, [number, unit]) => daysAway(day, toNumber(number), unit), duration),
];

function toNumber(words = ""): number {
  const named = numbers.indexOf(words);
  return /^an?$/.test(words) ? 1 : named > 0 ? named : Number(words);
}

/** `next` is the first such day after the given one, `last` the last before it, `this` the one in its week. */
function nearestWeekday(day: Day, which: string, weekday: number): Day {
  const ahead = (weekday - weekdayOf(day) + 7) % 7;
  if (which === "this") return addDays(mondayOf(day), weekday);
  return addDays(day, which === "next" ? ahead || 7 : ahead - 7);
}

function inPeriod(day: Day, which = "", unit = ""): Replacement {
  const step = { last: -1, this: 0, next: 1 }[which] ?? 0;
  if (unit === "week")
    return { date: `the week of ${formatDay(mondayOf(addDays(day, 7 * step)))}`, word: "in" };
  if (unit === "month") return { date: formatDay(addMonths(day, step), "month"), word: "in" };
  return { date: formatDay(addMonths(day, 12 * step), "year"), word: "in" };
}

function daysAway(day: Day, number: number, unit = ""): Replacement {
  if (unit === "day") return onDay(addDays(day, number));
  if (unit === "week") return onDay(addDays(day, 7 * number));
  if (unit === "month") return { date: formatDay(addMonths(day, number), "month"), word: "in" };
  return { date: formatDay(addMonths(day, 12 * number), "year"), word: "in" };
}

/**
 * English expressions that mean a date only on the day they were written, as dates of the calendar. Code, addresses,
 * quoted lines and words in quotes stay; so does what may be a span of time and no date.
 */
export function absoluteDates(text: string, day: Day): string {
  const parts = text.split(foreign).map((part, at) => (at % 2 === 1 ? part : replaceAll(part, day)));
  return parts.join("");
}

/** Text behind a replaced expression may read differently now: until nothing changes, which takes one from each. */
function replaceAll(text: string, day: Day): string {
  const replaced = rules.reduce((words, one) => applyRule(words, day, one), text);
  return replaced === text ? text : replaceAll(replaced, day);
}

/** From left to right: what stands before an expression is judged as it reads by then. */
function applyRule(text: string, day: Day, { pattern, replace, notAfter }: Rule): string {
  let written = "";
  let from = 0;
  for (const found of text.matchAll(pattern)) {
    const [words, ...groups] = found;
    const end = found.index + words.length;
    written += text.slice(from, found.index);
    from = end;
    const before = written.slice(-lookChars);
    const after = text.slice(end, end + lookChars);
    if (notAfter?.test(before) || isQuoted(before, after)) {
      written += words;
      continue;
    }
    const { date, word } = replace(
      day,
      groups.map((group) => group.toLowerCase()),
    );
    written += isBare(before, after) ? date : `${word} ${date}`;
  }
  return written + text.slice(from);
}

function isQuoted(before: string, after: string): boolean {
  return /["“‘]$/.test(before) && /^["”’]/.test(after);
}

/** At the beginning of a sentence or line, behind a preposition, and where it belongs to a noun. */
function isBare(before: string, after: string): boolean {
  return !/[\p{L}\p{N},)]\s+$/u.test(before) || preposition.test(before) || /^['’]s\b/.test(after);
}
