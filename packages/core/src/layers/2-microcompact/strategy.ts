import type { Flag } from "../../settings/flag.ts";
import type { DefaultSetting } from "../../settings/setting.ts";
import type { BlockLocation, Facts, RequestPatch, View } from "../../spec/index.ts";
import type { ClearablePart } from "../../view/clearing/clearable-parts.ts";
import type { FormerThinking } from "../../view/thinking/former-thinking.ts";
import type { MicrocompactNumbers } from "./settings.ts";

/** The input of a strategy. */
export interface ClearingContext {
  readonly view: View;
  readonly facts: Facts;
  readonly numbers: MicrocompactNumbers;
  /** Clearable parts in the view, oldest first. */
  readonly parts: readonly ClearablePart[];
  /** Nothing from this position on has been in a request: none of it is cleared. */
  readonly unseenFrom: number;
  /** A person asked for it: down to so many tokens of results where that is given. */
  readonly byHand?: { readonly targetTokens?: number };
}

export type ClearingChoice =
  | { readonly choice: "nothing"; readonly reason: string }
  | {
      readonly choice: "clear";
      readonly parts: readonly ClearablePart[];
      /** Thinking of former turns leaves the view as well. */
      readonly thinking?: FormerThinking;
      readonly reason: string;
    }
  /** The server deletes results from the prefix it has cached: every request from now on says so at this place. */
  | {
      readonly choice: "edit";
      readonly parts: readonly ClearablePart[];
      readonly behind: BlockLocation;
      readonly reason: string;
    }
  /** The server clears: the request asks for it. */
  | { readonly choice: "ask"; readonly request: RequestPatch; readonly reason: string };

type NumberSettings = Readonly<Record<string, DefaultSetting<number>>>;
type SwitchFlags = Readonly<Record<string, Flag<boolean>>>;
type NoFlags = Readonly<Record<never, never>>;

/** One way to choose what is cleared, and when. All of it is pure. */
export interface Strategy<
  Settings extends NumberSettings = NumberSettings,
  Flags extends SwitchFlags | NoFlags = SwitchFlags | NoFlags,
> {
  readonly name: string;
  /** The one that turns it on; none: it is always on. */
  readonly flags: Flags;
  /** The numbers it rests on; each can be set under `microcompact`. A number that depends on facts says how. */
  readonly settings: Settings;
  /** Whether it can be chosen now, given that it is on; absent: it always can. */
  readonly isPossible?: (moment: ClearingMoment) => boolean;
  readonly choose: (context: ClearingContext) => ClearingChoice;
}

/** The facts that a strategy's choice rests on. */
export interface ClearingMoment extends Pick<ClearingContext, "facts" | "numbers"> {
  /** The request is made again because its cache edits were taken back. */
  readonly withoutCacheEdits: boolean;
}

export const chooseNothing = (reason: string): ClearingChoice => ({ choice: "nothing", reason });

export function resultsIn(parts: readonly ClearablePart[]): readonly ClearablePart[] {
  return parts.filter(({ part }) => part === "result");
}

/** Those that a model has been asked with. */
export function seenParts(
  parts: readonly ClearablePart[],
  { unseenFrom }: Pick<ClearingContext, "unseenFrom">,
): readonly ClearablePart[] {
  return parts.filter(({ position }) => position < unseenFrom);
}

export function sumTokens(parts: readonly ClearablePart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Tokens freed by clearing parts, labels subtracted. */
export function freedBy(parts: readonly ClearablePart[]): number {
  return parts.reduce((sum, { tokens, labelTokens }) => sum + tokens - labelTokens, 0);
}

/** By list: what its first parts free, and how many they are. */
const freedSoFar = new WeakMap<
  readonly ClearablePart[],
  { readonly freed: number; readonly parts: number }
>();

/** `freedBy` of a list that only grows while it is the same one, at the cost of what is new. */
export function freedByAll(parts: readonly ClearablePart[]): number {
  const known = freedSoFar.get(parts) ?? { freed: 0, parts: 0 };
  if (known.parts === parts.length) return known.freed;
  const freed = known.freed + freedBy(parts.slice(known.parts));
  freedSoFar.set(parts, { freed, parts: parts.length });
  return freed;
}
