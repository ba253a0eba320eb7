import { defaultLayers } from "@palimpsest/core";
import { resolveConfig } from "@palimpsest/core/internal";
import type { Layer, Settings } from "@palimpsest/core/spec";
import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../../../testing/src/index.ts";
import type { PolicyContext } from "../policy.ts";
import { namePolicies } from "./aliases.ts";
import { identity } from "./baseline-policies.ts";
import { engine, faithful, thrifty } from "./engine.ts";
import { policies } from "./index.ts";

/** What a session that a user opens with these settings goes by. */
async function resolved(options: Settings = {}) {
  const config = await resolveConfig({
    model: "claude-sonnet-4-5",
    options,
    environment: {},
    clock: createVirtualClock(),
  });
  if (!config.ok) throw config.error;
  const { settings, flags, switches, thresholds, warnings } = config.value;
  return { settings, flags, switches, thresholds, warnings };
}

const shapeOf = ({ id, moments }: Layer) => ({ id, moments });
const context: PolicyContext = { ttlMs: 1, seed: 1, restore: {} as never, future: {} as never };

describe("the policies that are the engine", () => {
  it("have the settings of a session with nothing set, and with economy set alone", async () => {
    expect(await resolved(faithful.settings)).toEqual(await resolved());
    expect(await resolved(engine.settings)).toEqual(await resolved());
    const { settings, ...rest } = await resolved(thrifty.settings);
    const { settings: usual, ...others } = await resolved();
    expect([settings, rest]).toEqual([{ ...usual, economy: "thrifty" }, others]);
  });

  it("have the layers of a session, all of them, in their order", () => {
    const usual = defaultLayers().map(shapeOf);
    for (const policy of [faithful, thrifty, engine])
      expect(policy.createLayers(context).map(shapeOf)).toEqual(usual);
  });

  it("stand behind identity in every report, the shipped one first", () => {
    const [first, ...rest] = policies.map(({ name }) => name);
    expect([first, ...rest.slice(0, 3)]).toEqual(["identity", "faithful", "thrifty", "engine"]);
  });
});

describe("namePolicies", () => {
  const named = (...asked: Parameters<typeof namePolicies>[0]) => {
    const { run, names } = namePolicies(asked);
    return [run.map(({ name }) => name), [...names]];
  };

  it("runs what has two names once, and by its own name where that alone is asked for", () => {
    expect(named(identity, faithful, engine)).toEqual([
      ["identity", "faithful"],
      [
        ["identity", "identity"],
        ["faithful", "faithful"],
        ["engine", "faithful"],
      ],
    ]);
    expect(named(engine)).toEqual([["engine"], [["engine", "engine"]]]);
  });
});
