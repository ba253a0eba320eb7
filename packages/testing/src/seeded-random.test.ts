import { expect, test } from "vitest";
import { createSeededRandom } from "./seeded-random.ts";

test("the same seed gives the same numbers", () => {
  const [one, other] = [createSeededRandom(7), createSeededRandom(7)];
  const draw = (random: typeof one) => Array.from({ length: 20 }, () => random.below(1000));
  expect(draw(one)).toEqual(draw(other));
});

test("numbers stay below their bound and reach all of it", () => {
  const random = createSeededRandom(1);
  const seen = new Set(Array.from({ length: 200 }, () => random.below(5)));
  expect([...seen].sort()).toEqual([0, 1, 2, 3, 4]);
});
