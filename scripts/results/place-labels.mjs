const letterWidth = 6.1;
const lineHeight = 13;

/**
 * Where the names of points stand: beside their point where there is room, else further away. No two names overlap, none
 * covers a point, and all stay inside the frame. The first points get the best places.
 * @template {{ name: string, x: number, y: number }} Point
 * @param {readonly Point[]} points
 * @param {{ left: number, right: number, top: number, bottom: number }} frame
 * @returns {readonly (Point & { labelX: number, labelY: number, isFar: boolean })[]}
 */
export function placeLabels(points, frame) {
  const taken = points.map(({ x, y }) => ({ left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 }));
  return points.map((point) => {
    const width = point.name.length * letterWidth;
    const boxes = candidates(point, width).filter((box) => isInside(box, frame));
    const box = boxes.find((one) => !taken.some((other) => overlap(one, other))) ?? boxes[0];
    taken.push(box);
    return { ...point, labelX: box.left, labelY: box.bottom - 3, isFar: box.distance > 14 };
  });
}

/** Nearest first: right, left, then turns around the point at growing distance. */
function candidates({ x, y }, width) {
  const boxAt = (left, middle, distance) => ({
    left,
    right: left + width,
    top: middle - lineHeight / 2,
    bottom: middle + lineHeight / 2,
    distance,
  });
  const boxes = [boxAt(x + 9, y, 9), boxAt(x - 9 - width, y, 9)];
  for (let distance = 16; distance <= 260; distance += 6)
    for (let turn = 0; turn < 16; turn += 1) {
      const angle = (turn / 16) * 2 * Math.PI + Math.PI / 4;
      const [alongX, alongY] = [Math.cos(angle) * distance, Math.sin(angle) * distance];
      boxes.push(boxAt(x + alongX - (alongX < 0 ? width : 0), y + alongY, distance));
    }
  return boxes;
}

function isInside({ left, right, top, bottom }, frame) {
  return left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom;
}

function overlap(one, other) {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}
