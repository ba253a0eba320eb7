import { describe, expect, it } from "vitest";
import type { Tool } from "../../packages/core/src/spec/index.ts";
import { callTool, fault, type RecordedRequest, say } from "../../packages/testing/src/index.ts";
import { endOf } from "../support/agent.ts";
import { onePixel } from "../support/images.ts";
import { expectGoesOn, providers, setStage } from "./stage.ts";

const look: Tool = {
  name: "Look",
  description: "Looks.",
  input_schema: { type: "object", properties: {} },
  isReadOnly: true,
  run: async () => ({ content: [{ type: "text", text: "See:" }, onePixel] }),
};

const hasImage = (request: RecordedRequest) => JSON.stringify(request.whole?.messages).includes('"image"');
const refusal = (message: string) => fault.error({ status: 400, type: "invalid_request_error", message });

describe.each(providers)("an image that the server of %s refuses", (provider) => {
  it("gives way to a note, and the request is made once more", async () => {
    const stage = await setStage({
      provider,
      tools: [look],
      script: (request, { answered }) => {
        if (answered === 0) return callTool("Look");
        return hasImage(request)
          ? refusal("messages.2.content.0: image exceeds 5 MB maximum")
          : say("I see nothing.");
      },
    });
    const events = await stage.run("Look.");
    expect(endOf(events)).toMatchObject({ reason: "done", text: "I see nothing." });
    expect(events.flatMap((event) => (event.type === "message-show" ? event.text : []))).toEqual([
      "The model's server has refused an image: it is left out from here on.",
    ]);
    expect(JSON.stringify(stage.emulator.requests.last?.whole)).toContain(
      "[An image was here: the provider has refused it · ",
    );
    await expectGoesOn(stage);
  });

  it("ends the run where there is none, or where it is refused all the same", async () => {
    const stage = await setStage({
      provider,
      script: () => refusal("At least one image exceeds the maximum."),
    });
    const end = endOf(await stage.run("Look."));
    expect(end).toMatchObject({ reason: "error", error: { code: "request-invalid" }, requests: 0 });
    expect(
      [...stage.emulator.requests].filter(({ endpoint }) => endpoint !== "models" && endpoint !== "model"),
    ).toHaveLength(1);
  });
});
