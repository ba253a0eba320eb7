import { expect, it } from "vitest";
import { createTail } from "./connection.ts";

it("keeps the last whole lines, or the end of a long one", () => {
  const tail = createTail(10);
  expect(tail.text()).toBe("");
  tail.add(Buffer.from("one\ntwo\n"));
  expect(tail.text()).toBe("one\ntwo");
  tail.add(Buffer.from("three\n"));
  expect(tail.text()).toBe("three");
  tail.add(Buffer.from("x".repeat(1_000)));
  expect(tail.text()).toBe("x".repeat(10));
});
