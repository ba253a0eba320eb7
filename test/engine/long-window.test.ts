import { describe, expect, it } from "vitest";
import type { Event } from "../../packages/core/src/spec/index.ts";
import { createVirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { user } from "../support/session-messages.ts";
import { beginSession, resumeSession } from "../support/virtual-session.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const beta = "context-1m-2025-08-07";
const refusal = "“[1m]” asks for a window of 1000000 tokens, and claude-opus-4-5 has 200000.";

const taking = (longWindow: boolean) => ({
  catalog: { capabilities: { "claude-opus-4-5": { longWindow } } },
});

describe("a model's name with [1m]", () => {
  it("puts model and beta into every request, before the betas that were asked for", async () => {
    const session = await beginSession({
      model: "claude-sonnet-4-5[1m]",
      request: { betas: ["mine", beta] },
    });
    await session.add(user("Hello."));
    const { request } = await session.prepare();
    expect([request.model, request.betas]).toEqual(["claude-sonnet-4-5", [beta, "mine"]]);
    expect(session.usage().thresholds.window).toBe(1_000_000);
    await session.close();
  });

  it("may have a blank before it, which is no part of the name", async () => {
    const session = await beginSession({ model: "claude-sonnet-4-5 [1m]" });
    await session.add(user("Hello."));
    const { request } = await session.prepare();
    expect([request.model, request.betas]).toEqual(["claude-sonnet-4-5", [beta]]);
    expect(session.usage().thresholds.window).toBe(1_000_000);
    await session.close();
  });

  it("is refused with the reason where the model has no such window", async () => {
    await expect(beginSession({ model: "claude-opus-4-5[1m]" })).rejects.toMatchObject({
      code: "invalid-input",
      path: "model",
      message: `model: ${refusal}`,
      fix: "Leave “[1m]” out, or name a model with that window. If the catalog is wrong, set its “longWindow”.",
    });
  });

  it("is taken where a setting says that the model has one", async () => {
    const session = await beginSession({ model: "claude-opus-4-5[1m]", settings: taking(true) });
    await session.add(user("Hello."));
    expect((await session.prepare()).request).toMatchObject({ model: "claude-opus-4-5", betas: [beta] });
    await session.close();
  });

  it("opens a session that was begun with it, with the model's own window and a warning", async () => {
    const disk = createVirtualDisk();
    const store = createVirtualStore({ disk });
    const begun = await beginSession({ store, model: "claude-opus-4-5[1m]", settings: taking(true) });
    await begun.add(user("Hello."));
    await begun.close();
    const events: Event[] = [];
    const onEvent = (event: Event) => void events.push(event);
    const resumed = await resumeSession({ store, settings: taking(false), onEvent });
    const { request } = await resumed.prepare();
    expect([request.model, request.betas ?? []]).toEqual(["claude-opus-4-5", []]);
    expect(resumed.usage().thresholds.window).toBe(200_000);
    expect(events.filter(({ type }) => type === "setting-ignored")).toMatchObject([{ message: refusal }]);
    await resumed.close();
  });
});
