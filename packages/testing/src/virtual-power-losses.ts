import type { VirtualDisk } from "./virtual-disk.ts";
import {
  keepUnsynced,
  loseUnsynced,
  type PowerLossChoice,
  type PowerLossInput,
  seededChoices,
} from "./virtual-power-loss.ts";

export interface PowerLossOutcome {
  readonly disk: VirtualDisk;
  /** How it came about, for the message of a failing test. */
  readonly answers: readonly (PowerLossInput & { readonly answer: number })[];
}

/** Distinct outcomes of power loss at this moment; each disk is made when it is asked for. */
export interface PowerLosses extends Iterable<PowerLossOutcome> {
  /** True: these are all there are. False: a seeded sample, with "all lost" and "all kept" among them. */
  readonly exhaustive: boolean;
}

/** Different answers often lead to one outcome: how many to try for each outcome that is wanted. */
const triesPerOutcome = 16;

/** At most `limit` outcomes, at least two where there are two. */
export function enumeratePowerLosses(disk: VirtualDisk, limit: number, seed = 1): PowerLosses {
  const all = allOutcomes(disk, limit);
  const scripts = all ?? sampleOutcomes(disk, Math.max(limit, 2), seed);
  return {
    exhaustive: all !== undefined,
    *[Symbol.iterator]() {
      for (const script of scripts) yield tell(disk, follow(script));
    },
  };
}

/** The answers that lead to each outcome, or nothing if there are too many. */
function allOutcomes(disk: VirtualDisk, limit: number): readonly (readonly number[])[] | undefined {
  const scripts = new Map<string, readonly number[]>();
  let script: readonly number[] | undefined = [];
  for (let tries = 0; script !== undefined; tries++) {
    if (tries === limit * triesPerOutcome) return undefined;
    const { disk: after, answers } = tell(disk, follow(script));
    const given = answers.map(({ answer }) => answer);
    const print = after.fingerprint();
    if (!scripts.has(print)) scripts.set(print, given);
    if (scripts.size > limit) return undefined;
    const last = answers.findLastIndex(({ answer, options }) => answer + 1 < options);
    script = last < 0 ? undefined : [...given.slice(0, last), (given[last] as number) + 1];
  }
  return [...scripts.values()];
}

function sampleOutcomes(disk: VirtualDisk, limit: number, seed: number): readonly (readonly number[])[] {
  const scripts = new Map<string, readonly number[]>();
  for (let tries = 0; tries < limit * triesPerOutcome && scripts.size < limit; tries++) {
    const choose = [loseUnsynced, keepUnsynced][tries] ?? seededChoices(seed + tries);
    const { disk: after, answers } = tell(disk, choose);
    const print = after.fingerprint();
    if (!scripts.has(print))
      scripts.set(
        print,
        answers.map(({ answer }) => answer),
      );
  }
  return [...scripts.values()];
}

/** Gives the answers of a script, then loses the rest. */
function follow(script: readonly number[]): PowerLossChoice {
  let asked = 0;
  return () => script[asked++] ?? 0;
}

function tell(disk: VirtualDisk, choose: PowerLossChoice): PowerLossOutcome {
  const answers: (PowerLossInput & { readonly answer: number })[] = [];
  const after = disk.afterPowerLoss((input) => {
    const answer = choose(input);
    answers.push({ ...input, answer });
    return answer;
  });
  return { disk: after, answers };
}
