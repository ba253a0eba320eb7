import { describe, expect, it } from "vitest";
import { type ForkResult, ok, PalimpsestError } from "../spec/index.ts";
import { forkWithoutKeyIsNoModel, missingKeyIsNoModel } from "./session-config.ts";

const keyless = new PalimpsestError("unauthenticated", "There is no key.", { fix: "Set one." });
const refused = new PalimpsestError("unauthenticated", "It was refused.", { facts: { status: 401 } });

describe("a model that cannot be asked", () => {
  it("is no model where there is no key, in the same words", () => {
    const { code, message, fix, cause } = missingKeyIsNoModel(keyless);
    expect({ code, message, fix, cause }).toEqual({
      code: "no-model",
      message: "There is no key.",
      fix: "Set one.",
      cause: keyless,
    });
  });

  it("stays what it is where a server has refused the key, and for everything else", () => {
    const other = new PalimpsestError("disconnected", "Gone.");
    expect([refused, other].map(missingKeyIsNoModel)).toEqual([refused, other]);
  });

  it("is no model for a fork that could not begin, or found out once it had begun", () => {
    const ended = (error?: PalimpsestError) =>
      ok({ text: "", end: { reason: "error", ...(error && { error }) } } as ForkResult);
    expect(forkWithoutKeyIsNoModel({ ok: false, error: keyless })).toMatchObject({
      error: { code: "no-model" },
    });
    expect(forkWithoutKeyIsNoModel(ended(keyless))).toMatchObject({
      value: { end: { error: { code: "no-model" } } },
    });
    expect(forkWithoutKeyIsNoModel(ended(refused))).toEqual(ended(refused));
    expect(forkWithoutKeyIsNoModel(ended())).toEqual(ended());
  });
});
