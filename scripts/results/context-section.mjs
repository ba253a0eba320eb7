import { table } from "./markdown.mjs";

/** Sizes of the requests under each policy, summed up; the picture shows all of them. */
export function contextSection({ sizes }) {
  const rows = sizes.map(({ policy, sizes: all }) => {
    const sorted = [...all].sort((one, other) => one - other);
    const mean = all.reduce((sum, size) => sum + size, 0) / all.length;
    const shown = [mean, sorted[Math.floor(0.95 * (sorted.length - 1))], sorted.at(-1)];
    return [policy, all.length, ...shown.map((tokens) => Math.round(tokens).toLocaleString("en-US"))];
  });
  return table(["policy", "requests", "mean tokens", "p95", "peak"], rows);
}
