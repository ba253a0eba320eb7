import { placeLabels } from "./place-labels.mjs";
import { shipped } from "./with-one-name.mjs";

const width = 760;
const height = 430;
const frame = { left: 60, right: 740, top: 20, bottom: 352 };

/** Policies that keep less, or cost more, than this are named in words below the picture. */
const leastShown = 0.5;
const mostShown = 1.5;

/**
 * Cost against survival, on the part of the axes where policies that are worth a choice stand. A dot is what is in view, the stroke above it what is one recall away besides.
 */
export function paretoPicture({ policies, priceRows }) {
  const [row] = priceRows;
  const points = policies.flatMap(({ policy, cost, all, isPareto }) => {
    const [dear, inView, recall] = [cost[row].fetched.value, all.inView.value, all.withRecall.value];
    return dear === null || inView === null ? [] : [{ name: policy, cost: dear, inView, recall, isPareto }];
  });
  const isShown = ({ inView, cost }) => inView >= leastShown && cost <= mostShown;
  const shown = points.filter(isShown);
  const least = Math.floor(Math.min(0.95, ...shown.map(({ inView }) => inView)) * 20 - 0.2) / 20;
  const most = Math.ceil(Math.max(1, ...shown.map(({ cost }) => cost)) * 4 + 0.2) / 4;
  const x = (cost) => frame.left + (cost / most) * (frame.right - frame.left);
  const y = (kept) => frame.top + 14 + ((1 - kept) / (1 - least)) * (frame.bottom - frame.top - 14);
  const placed = placeLabels(
    [...shown]
      .sort(
        (one, other) =>
          Number(other.name === shipped) - Number(one.name === shipped) || one.cost - other.cost,
      )
      .map((point) => ({ ...point, x: x(point.cost), y: y(point.inView) })),
    { ...frame, top: 4 },
  );
  const parts = [
    ...grid(least, most, x, y),
    frontier(shown, x, y),
    ...placed.map((point) => mark(point, y)),
    words(
      height - 44,
      `cost with every missing block fetched again, identity = 1 (reading from the cache at ${row} of input)`,
    ),
    words(
      height - 26,
      "dot: part of what later calls need that is in view; stroke: or one recall away; dashes: nothing beats these",
    ),
    words(height - 8, besides(points.filter((point) => !isShown(point)))),
    `<text transform="translate(14 ${(frame.top + frame.bottom) / 2}) rotate(-90)" text-anchor="middle">kept</text>`,
  ];
  return `<svg role="img" aria-label="Cost against survival" viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg">${parts.join("")}</svg>`;
}

function grid(least, most, x, y) {
  const rows = Math.round((1 - least) * 20);
  const kept = Array.from({ length: rows + 1 }, (_, at) => least + at / 20);
  const costs = Array.from({ length: Math.floor(most * 4) + 1 }, (_, at) => at / 4);
  return [
    ...kept.map(
      (one) =>
        `<line class="grid" x1="${frame.left}" x2="${frame.right}" y1="${round(y(one))}" y2="${round(y(one))}"/><text x="${frame.left - 8}" y="${round(y(one) + 4)}" text-anchor="end">${one.toFixed(2)}</text>`,
    ),
    ...costs.map(
      (one) =>
        `<line class="grid" y1="${frame.top}" y2="${frame.bottom}" x1="${round(x(one))}" x2="${round(x(one))}"/><text x="${round(x(one))}" y="${frame.bottom + 16}" text-anchor="middle">${one}</text>`,
    ),
  ];
}

function frontier(shown, x, y) {
  const best = shown.filter(({ isPareto }) => isPareto).sort((one, other) => one.cost - other.cost);
  const points = best.map(({ cost, inView }) => `${round(x(cost))},${round(y(inView))}`);
  return `<polyline class="frontier" points="${points.join(" ")}"/>`;
}

function mark({ name, cost, inView, recall, isPareto, x, y: dotY, labelX, labelY, isFar }, y) {
  const kind = isPareto ? "best" : "other";
  const title = `${name}: cost ${cost.toFixed(3)}, in view ${inView.toFixed(3)}, or one recall away ${recall.toFixed(3)}`;
  const leader = isFar
    ? `<line class="leader" x1="${round(x)}" y1="${round(dotY)}" x2="${round(labelX < x ? labelX + name.length * 6.1 : labelX)}" y2="${round(labelY - 4)}"/>`
    : "";
  return `${leader}<line class="reach ${kind}" x1="${round(x)}" x2="${round(x)}" y1="${round(dotY)}" y2="${round(y(recall))}"/><circle class="${kind}" cx="${round(x)}" cy="${round(dotY)}" r="5"><title>${title}</title></circle><text${name === shipped ? ' font-weight="bold"' : ""} x="${round(labelX)}" y="${round(labelY)}">${name}</text>`;
}

function besides(points) {
  if (points.length === 0) return "every policy that was run is shown";
  const said = points.map(({ name, cost, inView }) => `${name} ${cost.toFixed(2)}, ${inView.toFixed(2)}`);
  return `not shown (cost, in view): ${said.join(" · ")}`;
}

function words(at, text) {
  return `<text x="${(frame.left + frame.right) / 2}" y="${at}" text-anchor="middle">${text}</text>`;
}

function round(value) {
  return value.toFixed(1);
}
