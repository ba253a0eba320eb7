import { InvalidArgumentError } from "commander";

const durations: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
  y: 365 * 86_400_000,
};

/** `30d` in milliseconds. */
export function parseDuration(text: string): number {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)\s*([smhdwy])$/.exec(text.trim().toLowerCase()) ?? [];
  const unitMs = durations[unit];
  if (number === undefined || unitMs === undefined) {
    throw new InvalidArgumentError("It must be a number and s, m, h, d, w or y, such as 30d.");
  }
  return Number(number) * unitMs;
}

const sizes: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
};

/** `5GB` in bytes. */
export function parseSize(text: string): number {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)\s*([kmgt]?i?b)$/.exec(text.trim().toLowerCase()) ?? [];
  const unitBytes = sizes[unit];
  if (number === undefined || unitBytes === undefined) {
    throw new InvalidArgumentError("It must be a number and B, KB, MB, GB or TB, such as 5GB.");
  }
  return Math.floor(Number(number) * unitBytes);
}

/** A whole number over zero. */
export function parseCount(text: string): number {
  const count = /^\d+$/.test(text.trim()) ? Number(text) : 0;
  if (!Number.isSafeInteger(count) || count < 1) {
    throw new InvalidArgumentError("It must be a whole number over 0.");
  }
  return count;
}
