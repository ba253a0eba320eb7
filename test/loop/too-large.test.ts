import { describe, expect, it } from "vitest";
import { fault, otherwise, type RecordedRequest, say, when } from "../../packages/testing/src/index.ts";
import { endOf } from "../support/agent.ts";
import { imageOf } from "../support/images.ts";
import { expectGoesOn, providers, type Stage, setStage, storyOf } from "./stage.ts";

const mediaIn = ({ body }: RecordedRequest) =>
  (JSON.stringify(body?.messages).match(/"type":"(?:image|image_url|document|file)"/g) ?? []).length;
const asked = ({ emulator }: Stage) =>
  emulator.requests.where(({ endpoint }) => endpoint === "messages" || endpoint === "chat_completions");
const overBytes = (limit: number) => [
  when(({ bodyBytes }) => bodyBytes > limit, fault.tooLarge()),
  otherwise(say("I see them.")),
];
const leftOut =
  "warning: The model's server found the request too large: images and documents with half of its bytes are left out.";

describe.each(providers)("a request with more bytes than the server of %s takes", (provider) => {
  it("goes out with fewer images, as a recorded decision, and the session lives on", async () => {
    const stage = await setStage({ provider, script: overBytes(300_000) });
    const images = Array.from({ length: 8 }, (_, number) => imageOf(9, 9, number, { bytes: 40_000 }));
    await stage.session.add({ role: "user", content: images });
    const events = await stage.run("Look.");
    expect(endOf(events)).toMatchObject({ reason: "done", text: "I see them." });
    expect(storyOf(events).filter((line) => line === leftOut)).toHaveLength(1);
    expect(asked(stage).map((one) => [one.status, mediaIn(one)])).toEqual([
      [413, 8],
      [200, 4],
    ]);
    const repairs = [];
    for await (const entry of stage.session.entries())
      if (entry.kind === "decision" && entry.decision.type === "repair") repairs.push(entry.decision.steps);
    expect(JSON.stringify(repairs)).toContain("An image was here: the server found the request too large");
    await stage.resume();
    expect(endOf(await stage.run("And now?"))).toMatchObject({ reason: "done" });
    await expectGoesOn(stage);
  });

  it("goes out with fewer and fewer where its server says no number", async () => {
    const stage = await setStage({ provider, script: overBytes(60_000) });
    const images = Array.from({ length: 8 }, (_, number) => imageOf(9, 9, number, { bytes: 40_000 }));
    await stage.session.add({ role: "user", content: images });
    expect(endOf(await stage.run("Look."))).toMatchObject({ reason: "done" });
    expect(asked(stage).map((one) => [one.status, mediaIn(one)])).toEqual([
      [413, 8],
      [413, 4],
      [413, 2],
      [200, 1],
    ]);
  });

  it("ends the run where the limit leaves no room at all", async () => {
    const stage = await setStage({ provider, script: overBytes(10) });
    await stage.session.add({ role: "user", content: [imageOf(9, 9, 1, { bytes: 40_000 })] });
    expect(endOf(await stage.run("Look."))).toMatchObject({
      reason: "blocked",
      error: { code: "prompt-too-long" },
    });
    expect(asked(stage).map((one) => [one.status, mediaIn(one)])).toEqual([
      [413, 1],
      [413, 0],
    ]);
  });
});

describe("sixteen images of two million bytes", () => {
  it("are sent as far as the 32 MB of a request go, in order, and the session lives on", async () => {
    const stage = await setStage({ script: () => say("I see them.") });
    const images = Array.from({ length: 16 }, (_, number) => imageOf(9, 9, number, { bytes: 2_000_000 }));
    await stage.session.add({ role: "user", content: images });
    expect(endOf(await stage.run("Compare them."))).toMatchObject({ reason: "done" });
    const [first] = asked(stage);
    const messages = first?.body?.messages as readonly { readonly content: readonly object[] }[];
    const content = messages[0]?.content;
    const sources = (blocks: readonly object[]) =>
      blocks.map((block) => ("source" in block ? block.source : 0));
    expect(sources(content ?? []).slice(0, 16)).toEqual([...sources(images.slice(0, 11)), 0, 0, 0, 0, 0]);
    expect(JSON.stringify(content)).toContain(
      "An image was here: with it the request is larger than the 32000000 bytes",
    );
    expect(endOf(await stage.run("Again."))).toMatchObject({ reason: "done" });
    expect(asked(stage).map((one) => [one.status, mediaIn(one)])).toEqual([
      [200, 11],
      [200, 11],
    ]);
  });
});
