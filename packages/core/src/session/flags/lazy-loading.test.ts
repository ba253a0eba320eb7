import type { Provider } from "@openfeature/server-sdk";
import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../../../testing/src/index.ts";
import { createBuiltInProvider, resolveFlags } from "./index.ts";

/** OpenFeature leaves its one instance here as soon as it is loaded. */
const isLoaded = () => Reflect.has(globalThis, Symbol.for("@openfeature/js-sdk/api"));

describe("OpenFeature", () => {
  it("is loaded by a session that has a provider and by nothing else", async () => {
    const input = { environment: {}, settings: {}, clock: createVirtualClock() };
    const builtIn = createBuiltInProvider({ environment: {} });
    await resolveFlags(input);
    expect(isLoaded()).toBe(false);
    await resolveFlags({ ...input, provider: builtIn satisfies Provider });
    expect(isLoaded()).toBe(true);
  });
});
