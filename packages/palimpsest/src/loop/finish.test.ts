import { expect, it } from "vitest";
import { PalimpsestError } from "../../../core/src/spec/index.ts";
import { toFinish } from "./run.ts";

it("keeps an error of the project as it is", () => {
  const error = new PalimpsestError("disk-full", "There is no room left.");
  expect(toFinish(error)).toEqual({ reason: "error", message: "There is no room left.", error });
});

it.each([
  [new TypeError("x is not a function"), "Something in the run failed: x is not a function"],
  ["words", "Something in the run failed: words"],
  [undefined, "Something in the run failed: undefined"],
])("makes one of %s", (cause, message) => {
  const { reason, error } = toFinish(cause);
  expect({ reason, code: error?.code, message: error?.message }).toEqual({
    reason: "error",
    code: "crashed",
    message,
  });
  expect(error?.cause).toBe(cause);
});
