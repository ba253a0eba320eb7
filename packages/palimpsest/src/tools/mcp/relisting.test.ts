import { expect, it } from "vitest";
import { createRelisting } from "./server-link.ts";

it("asks once more for all changes that come while it asks, and later where nobody can be asked", async () => {
  const asked: ((isPossible: boolean) => void)[] = [];
  const relisting = createRelisting(() => new Promise((resolve) => asked.push(resolve)));
  const answer = async (isPossible: boolean) => {
    asked.at(-1)?.(isPossible);
    await new Promise((resolve) => setImmediate(resolve));
  };
  relisting.resume();
  expect(asked).toHaveLength(0);
  for (let change = 0; change < 5; change += 1) relisting.request();
  expect(asked).toHaveLength(1);
  relisting.request();
  await answer(true);
  expect(asked).toHaveLength(2);
  relisting.request();
  await answer(false);
  expect(asked).toHaveLength(2);
  relisting.resume();
  expect(asked).toHaveLength(3);
  await answer(true);
  relisting.resume();
  expect(asked).toHaveLength(3);
});
