import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { type OptionNames, warnOfUnknownOptions } from "../../packages/core/src/session/check-options.ts";
import { openAgent } from "../../packages/palimpsest/src/loop/agent/open-agent.ts";
import { openSession } from "../../packages/palimpsest/src/loop/open-session.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

interface Options {
  readonly settings?: object;
  readonly onEvent?: () => void;
}

const known: OptionNames<Options> = { settings: true, onEvent: true };

describe("an option that nobody knows", () => {
  it("is told of once, with the one that was most likely meant", () => {
    const told: string[] = [];
    const given = { seting: {}, settings: {}, onEvent: undefined, somethingElse: 1, gone: undefined };
    for (let time = 0; time < 2; time += 1)
      warnOfUnknownOptions<Options>("openThing", given, known, (text) => told.push(text));
    expect(told).toEqual([
      "openThing: “seting” is not an option and has no effect. Did you mean “settings”?",
      "openThing: “somethingElse” is not an option and has no effect.",
    ]);
  });

  it("of openSession is a warning of the process, and the session opens", async () => {
    const warning = once(process, "warning");
    const given = { store: createVirtualStore(), fallBackModell: "claude-haiku-4-5" };
    const session = await openSession(given);
    expect((await warning)[0]).toMatchObject({
      name: "PalimpsestWarning",
      message:
        "openSession: “fallBackModell” is not an option and has no effect. Did you mean “fallbackModel”?",
    });
    await session.close();
  });

  it("of openAgent is one too", async () => {
    const warning = once(process, "warning");
    const given = { resume: true, instruction: "Be brief." };
    await expect(openAgent(given)).rejects.toMatchObject({ code: "invalid-input" });
    expect((await warning)[0]).toMatchObject({
      message: "openAgent: “instruction” is not an option and has no effect. Did you mean “instructions”?",
    });
  });
});
