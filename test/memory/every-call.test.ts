import { expect, it } from "vitest";
import { seed } from "../support/seed.ts";
import { pathsPerFolder, tryEveryCall } from "./every-call.ts";

it("no call of the library, the memory tool or a dream reads or writes outside the folder", async () => {
  const totals = new Map<string, number>();
  for (let done = 0; done < 500; done += pathsPerFolder) {
    const { byCall } = await tryEveryCall(seed + done);
    for (const [name, count] of byCall) totals.set(name, (totals.get(name) ?? 0) + count);
  }
  expect(totals.size).toBe(32);
  console.log(`hostile paths by call: ${[...totals].map((one) => one.join(" ")).join(", ")}`);
});
