import { machineLine } from "./machine-line.mjs";

/**
 * What a bench says: lines for a person or, with --json, one document for a program with the same headlines.
 * A headline is { what, value, unit }, with atMost or atLeast where there is a goal.
 */
export function createReporting(bench, isJson) {
  const headlines = [];
  return {
    say(line) {
      if (!isJson) console.log(line);
    },
    headline(one) {
      headlines.push(one);
    },
    end(more = {}) {
      if (isJson) console.log(JSON.stringify({ bench, machine: machineLine(), headlines, ...more }, null, 2));
    },
  };
}

/**
 * Whether a headline meets its goal; null where it has none.
 * @param {{ value: number, atMost?: number, atLeast?: number }} headline
 */
export function isMet({ value, atMost, atLeast }) {
  if (atMost === undefined && atLeast === undefined) return null;
  if (typeof value !== "number" || Number.isNaN(value)) return false;
  return (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast);
}
