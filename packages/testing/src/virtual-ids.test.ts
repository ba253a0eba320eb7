import { expect, test } from "vitest";
import { createVirtualIds } from "./virtual-clock.ts";

test("ids count per prefix and are the same in every run", () => {
  const ids = createVirtualIds();
  expect([ids.next("message"), ids.next("lease"), ids.next("message")]).toEqual([
    "message_000001",
    "lease_000001",
    "message_000002",
  ]);
});

test("labels keep the ids of two processes apart", () => {
  expect([createVirtualIds("a").next("token"), createVirtualIds("b").next("token")]).toEqual([
    "token_a000001",
    "token_b000001",
  ]);
});

test("a prefix that would not be safe as a file name is refused", () => {
  expect(() => createVirtualIds().next("../x")).toThrow("do not make a safe id");
});
