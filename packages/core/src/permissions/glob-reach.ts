import type { Segment, Token } from "./glob.ts";

/** A name that stands for itself. */
export function literalName(name: string): Segment {
  return [...name].map((value) => ({ kind: "character", value }));
}

/** Names of a path as a shell reads them: `*`, `?` and `[…]`, and `**` for any folders. */
export function shellNames(names: readonly string[]): readonly Segment[] {
  return names.map((name) => (name === "**" ? "folders" : [...toTokens(name)]));
}

function* toTokens(name: string): Generator<Token> {
  for (const [part] of name.matchAll(/\[[^\]]+\]|[\s\S]/gu)) {
    if (part === "*") yield { kind: "anything" };
    else if (part === "?" || part.length > 2) yield { kind: "one" };
    else yield { kind: "character", value: part };
  }
}

/**
 * Whether a path can fit both: what a rule names, with all below it, and what a shell's pattern stands for, with all
 * below it where the read is recursive. A star of the shell at the beginning of a name stands for no dot.
 */
export function globsMeet(rule: readonly Segment[], read: readonly Segment[], isRecursive: boolean): boolean {
  const failed = new Set<number>();
  return meet(0, 0);

  function meet(at: number, place: number): boolean {
    const key = at * (read.length + 1) + place;
    if (failed.has(key)) return false;
    const isMet = step(at, place);
    if (!isMet) failed.add(key);
    return isMet;
  }

  function step(at: number, place: number): boolean {
    const [wanted, name] = [rule[at], read[place]];
    if (wanted === undefined) return true;
    if (name === undefined) return isRecursive || rule.slice(at).every((one) => one === "folders");
    if (wanted === "folders") return meet(at + 1, place) || meet(at, place + 1);
    if (name === "folders") return meet(at, place + 1) || meet(at + 1, place);
    return namesMeet(wanted, name) && meet(at + 1, place + 1);
  }
}

function namesMeet(rule: readonly Token[], read: readonly Token[]): boolean {
  const [first] = rule;
  const isHidden = first?.kind === "character" && first.value === ".";
  if (isHidden && read[0]?.kind !== "character") return false;
  return tokensMeet(rule, read);
}

/** Whether one name can fit both. */
export function tokensMeet(rule: readonly Token[], read: readonly Token[]): boolean {
  let reached = new Set([0]);
  const width = read.length + 1;
  const spread = (states: ReadonlySet<number>) => {
    const all = new Set(states);
    for (const state of all) {
      const [at, place] = [Math.floor(state / width), state % width];
      if (rule[at]?.kind === "anything") all.add((at + 1) * width + place);
      if (read[place]?.kind === "anything") all.add(at * width + place + 1);
    }
    return all;
  };
  for (let count = 0; count <= rule.length + read.length; count += 1) {
    const all = spread(reached);
    if (all.has(rule.length * width + read.length)) return true;
    const next = new Set<number>();
    for (const state of all) {
      const [at, place] = [Math.floor(state / width), state % width];
      const [wanted, given] = [rule[at], read[place]];
      if (wanted === undefined || given === undefined || !agree(wanted, given)) continue;
      next.add(
        (wanted.kind === "anything" ? at : at + 1) * width + (given.kind === "anything" ? place : place + 1),
      );
    }
    reached = next;
  }
  return false;
}

function agree(wanted: Token, given: Token): boolean {
  return wanted.kind !== "character" || given.kind !== "character" || wanted.value === given.value;
}
