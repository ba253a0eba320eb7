import { shipped } from "./with-one-name.mjs";

const width = 760;
const height = 300;
const left = 60;
const right = 90;
const top = 16;
const bottom = 46;

/** Tokens of each request, one line a policy; that of the engine as it ships has the colour of what is best. */
export function contextSvg(runs) {
  const most = Math.max(...runs.flatMap(({ sizes }) => sizes));
  const requests = Math.max(...runs.map(({ sizes }) => sizes.length));
  const step = niceStep(most);
  const ticks = Array.from({ length: Math.ceil(most / step) + 1 }, (_, at) => at * step);
  const x = (at) => left + (at / Math.max(1, requests - 1)) * (width - left - right);
  const y = (tokens) => top + (1 - tokens / ticks.at(-1)) * (height - top - bottom);
  const across = [0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * (requests - 1)));
  const curves = runs.map(({ policy, sizes }) => {
    const points = sizes.map((tokens, at) => `${x(at).toFixed(1)},${y(tokens).toFixed(1)}`).join(" ");
    const kind = policy === shipped ? "best" : "other";
    const end = y(sizes.at(-1)) + 4;
    const name = policy === "identity" ? "without" : policy;
    return `<polyline class="curve ${kind}" points="${points}"/><text x="${width - right + 8}" y="${end.toFixed(1)}">${name}</text>`;
  });
  const parts = [
    ...ticks.map(
      (tokens) =>
        `<line class="grid" x1="${left}" x2="${width - right}" y1="${y(tokens).toFixed(1)}" y2="${y(tokens).toFixed(1)}"/><text x="${left - 8}" y="${(y(tokens) + 4).toFixed(1)}" text-anchor="end">${tokens / 1000}k</text>`,
    ),
    ...across.map(
      (at) =>
        `<text x="${x(at).toFixed(1)}" y="${height - bottom + 18}" text-anchor="middle">${at + 1}</text>`,
    ),
    ...curves,
    `<text x="${(left + width - right) / 2}" y="${height - 8}" text-anchor="middle">request of the bundled session, replayed; tokens sent</text>`,
  ];
  return `<svg role="img" aria-label="Context over requests" viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg">${parts.join("")}</svg>`;
}

/** 1, 2 or 5 times a power of ten, for about five lines. */
function niceStep(most) {
  const rough = most / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * [1, 2, 5, 10].find((times) => times * power >= rough);
}
