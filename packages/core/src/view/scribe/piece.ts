import type { Ledgers, ViewItem } from "../../spec/index.ts";
import { firstChars } from "../quote-foreign.ts";

/** One thing that a text may say, from its shortest form to its whole. */
export interface Piece {
  readonly levels: readonly string[];
  /** A line that stands once before neighbouring pieces which share it. */
  readonly label?: string;
}

export interface Section {
  readonly title: string;
  /** In the order in which they are shown. */
  readonly pieces: readonly Piece[];
  /** Says that so many have no room at all; where it is absent nobody is told. */
  readonly leftOut?: (count: number) => string;
  /** The pieces that are counted for it; all where absent. */
  readonly counted?: readonly Piece[];
}

/** Pieces that together may take this part of the budget, until all steps had their turn. */
export interface Share {
  readonly name: string;
  readonly part: number;
  /** Holds to the end: what is left of the budget is not handed out to these. */
  readonly isFirm?: true;
}

/** Wishes for a piece in this form. Earlier steps are served first: what does not fit is what comes late. */
export interface Step {
  readonly piece: Piece;
  readonly level: number;
  readonly share?: Share;
}

/** The steps that wish for each of these pieces in one form; `last` is the whole. */
export function stepsFor(pieces: readonly Piece[], level: number | "last", share?: Share): readonly Step[] {
  return pieces.flatMap((piece) => {
    const last = piece.levels.length - 1;
    const at = level === "last" ? last : Math.min(level, last);
    return at < 0 ? [] : [{ piece, level: at, ...(share && { share }) }];
  });
}

export interface PackInput {
  /** The text above all sections, in ever shorter forms: the longest that leaves room is taken. */
  readonly headings: readonly string[];
  readonly sections: readonly Section[];
  readonly steps: readonly Step[];
  readonly budgetTokens: number;
  readonly estimate: (text: string) => number;
  /** The limit of each section, its title included. */
  readonly maxSectionTokens?: number;
  /** The text of an empty section: empty for its title alone. Absent: it is left out. */
  readonly nothing?: string;
  /** The text of a section that has something to say and no room for it; as that of an empty one where absent. */
  readonly noRoom?: string;
  /** Shares hold to the end: what is left of the budget is not handed out. */
  readonly keepsShares?: boolean;
}

/** How much of the budget a heading may take before a shorter one is chosen, and titles together. */
const maxHeadingPart = 0.25;
const maxTitlePart = 0.25;
/** What is left out is told of where that takes no more. */
const maxLeftOutPart = 0.05;

/**
 * Puts as much as fits into sections, step by step; then once more without regard to shares. The text counts no more
 * than the budget, whatever the estimate is like: what was put in last goes first.
 */
export function packPieces(input: PackInput): string {
  const { headings, steps, sections, budgetTokens, estimate, maxSectionTokens = budgetTokens } = input;
  const heading =
    headings.find((text) => estimate(text) <= budgetTokens * maxHeadingPart) ??
    headings.findLast((text) => estimate(text) <= budgetTokens);
  if (heading === undefined) return "";
  const packing = createPacking(input, estimate(heading));
  for (const step of steps) packing.admit(step, true);
  if (!input.keepsShares) for (const step of steps) packing.admit(step, step.share?.isFirm === true);
  for (const section of sections) packing.fillEmpty(section);
  const rendered = () => sections.map((section) => renderSection(section, packing));
  const sectionText = (parts: readonly string[]) =>
    [heading, ...parts.filter((part) => part !== "")].join("\n\n");
  const isWithin = (parts: readonly string[]) =>
    parts.every((part) => estimate(part) <= maxSectionTokens) && estimate(sectionText(parts)) <= budgetTokens;
  let parts = rendered();
  while (!isWithin(parts) && packing.takeBack()) parts = rendered();
  return isWithin(parts) ? sectionText(parts) : "";
}

function createPacking(input: PackInput, headingTokens: number) {
  const { sections, budgetTokens, estimate, maxSectionTokens = budgetTokens, nothing } = input;
  const { noRoom = nothing } = input;
  const sectionOf = new Map(sections.flatMap((section) => section.pieces.map((piece) => [piece, section])));
  const chosen = new Map<Piece | Section, string>();
  const admitted: { readonly key: Piece | Section; readonly former: string | undefined }[] = [];
  const inSection = new Map<Section, number>();
  const inShare = new Map<string, number>();
  const labels = new Set<string>();
  const cost = (text: string) => estimate(`${text}\n`);
  const emptyText = ({ pieces }: Section) => (pieces.length === 0 ? nothing : noRoom) ?? "";
  const emptyTokens = sections.reduce((sum, one) => sum + cost(`\n\n${one.title}\n${emptyText(one)}`), 0);
  /** Titles are set aside first, so that no section is missing without a word, unless they are most of the budget. */
  const hasTitles = nothing !== undefined && emptyTokens <= (budgetTokens - headingTokens) * maxTitlePart;
  const leftOutTokens = sections.reduce((sum, { leftOut, pieces, counted = pieces }) => {
    return counted.length === 0 || !leftOut ? sum : sum + cost(leftOut(counted.length));
  }, 0);
  const tellsLeftOut = leftOutTokens <= budgetTokens * maxLeftOutPart;
  let used = headingTokens + (hasTitles ? emptyTokens : 0) + (tellsLeftOut ? leftOutTokens : 0);

  function fits(section: Section, share: Share | undefined, tokens: number): boolean {
    if (used + tokens > budgetTokens) return false;
    if ((inSection.get(section) ?? 0) + tokens > maxSectionTokens) return false;
    return !share || (inShare.get(share.name) ?? 0) + tokens <= share.part * budgetTokens;
  }

  function put(key: Piece | Section, section: Section, text: string, tokens: number): void {
    admitted.push({ key, former: chosen.get(key) });
    chosen.set(key, text);
    used += tokens;
    inSection.set(section, (inSection.get(section) ?? 0) + tokens);
  }

  const titleTokens = (section: Section) =>
    inSection.has(section) || hasTitles ? 0 : cost(`\n\n${section.title}`);

  return {
    chosen,
    leftOutText({ leftOut, pieces, counted = pieces }: Section): string | undefined {
      const missing = counted.filter((piece) => !chosen.has(piece)).length;
      return leftOut && tellsLeftOut && missing > 0 ? leftOut(missing) : undefined;
    },
    emptyText: (section: Section) => (hasTitles ? emptyText(section) : undefined),
    admit({ piece, level, share }: Step, keepsShares: boolean): void {
      const text = piece.levels[level];
      const section = sectionOf.get(piece);
      const former = chosen.get(piece);
      if (text === undefined || !section || text === former) return;
      if (former !== undefined && piece.levels.indexOf(former) > level) return;
      const { label } = piece;
      const labelTokens = label === undefined || labels.has(label) ? 0 : cost(label);
      const tokens =
        titleTokens(section) + labelTokens + cost(text) - (former === undefined ? 0 : cost(former));
      if (!fits(section, keepsShares ? share : undefined, tokens)) return;
      put(piece, section, text, tokens);
      if (label !== undefined) labels.add(label);
      if (share) inShare.set(share.name, (inShare.get(share.name) ?? 0) + tokens);
    },
    fillEmpty(section: Section): void {
      if (nothing === undefined || hasTitles || section.pieces.length > 0) return;
      const tokens = titleTokens(section) + cost(nothing);
      if (!inSection.has(section) && fits(section, undefined, tokens)) put(section, section, nothing, tokens);
    },
    /** Takes the newest twentieth back; false when nothing is left. */
    takeBack(): boolean {
      const count = Math.ceil(admitted.length / 20);
      for (const { key, former } of admitted.splice(admitted.length - count).reverse()) {
        if (former === undefined) chosen.delete(key);
        else chosen.set(key, former);
      }
      return count > 0;
    },
  };
}

function renderSection(
  section: Section,
  { chosen, emptyText, leftOutText }: ReturnType<typeof createPacking>,
): string {
  const lines: string[] = [];
  let label: string | undefined;
  for (const piece of section.pieces) {
    const text = chosen.get(piece);
    if (text === undefined) continue;
    if (piece.label !== undefined && piece.label !== label) lines.push(piece.label);
    label = piece.label;
    lines.push(text);
  }
  const leftOut = leftOutText(section);
  if (leftOut !== undefined && lines.length > 0) lines.push(leftOut);
  const empty = lines.length > 0 ? undefined : (chosen.get(section) ?? emptyText(section));
  if (empty !== undefined && empty !== "") lines.push(empty);
  return lines.length > 0 || empty !== undefined ? [section.title, ...lines].join("\n") : "";
}

/** A text on one line, cut where it is long, with a sign that it was. */
export function oneLine(text: string, maxChars: number): string {
  const line = firstChars(text, maxChars * 4)
    .replaceAll(/[\s\u0085]+/g, " ")
    .trim();
  if (line.length <= maxChars && text.length <= maxChars * 4) return line;
  return `${firstChars(line, maxChars - 1).trimEnd()}…`;
}

/** The last characters of a text, a code point that does not fit left out. */
export function lastChars(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const from = text.length - maxChars;
  const isSplit = (text.codePointAt(from - 1) ?? 0) > 0xffff;
  return text.slice(isSplit ? from + 1 : from);
}

/** A text between fences that are longer than any inside it. */
export function fenceText(text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** The scribe's input. A view with a budget and an estimate is a question. */
export interface ScribeInput {
  /** Items to summarise, since the last boundary, its summary included. */
  readonly items: readonly ViewItem[];
  readonly ledgers: Ledgers;
  /** The most tokens of the text. */
  readonly budgetTokens: number;
  /** How many tokens a text has. */
  readonly estimate: (text: string) => number;
  /** Entries that stay in view word for word: answers there are not told again. */
  readonly kept?: ReadonlySet<string>;
  /** The folder that paths are shown relative to; found out from the files where absent. */
  readonly root?: string;
  /** Where the log is, for a model that has no tool to recall with. */
  readonly logAddress?: string | undefined;
}
