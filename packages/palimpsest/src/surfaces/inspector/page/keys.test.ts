import { describe, expect, it } from "vitest";
import { keyBindings, toAction, toKeyName } from "./page-location.ts";

const press = (key: string, more = {}) =>
  toAction({ key, ctrlKey: false, metaKey: false, altKey: false, isTyping: false, ...more });

describe("toAction", () => {
  it("knows each key once", () => {
    const keys = keyBindings.flatMap((binding) => binding.keys);
    expect(keys).toEqual([...new Set(keys)]);
    expect(keys.map((key) => press(key))).toEqual(
      keyBindings.flatMap(({ keys, action }) => keys.map(() => action)),
    );
  });

  it("leaves the browser's and the system's own keys alone", () => {
    expect([
      press("d", { ctrlKey: true }),
      press("w", { metaKey: true }),
      press("ArrowLeft", { altKey: true }),
    ]).toEqual([undefined, undefined, undefined]);
  });

  it("leaves letters to fields, and takes Escape out of them", () => {
    expect([press("j", { isTyping: true }), press("Escape", { isTyping: true }), press("x")]).toEqual([
      undefined,
      "close",
      undefined,
    ]);
  });

  it("names keys as they look", () => {
    expect(["j", "ArrowUp", "Escape"].map(toKeyName)).toEqual(["j", "↑", "Esc"]);
  });
});
