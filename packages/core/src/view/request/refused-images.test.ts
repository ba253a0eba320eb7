import { describe, expect, it } from "vitest";
import type { ContentBlock, ViewItem } from "../../spec/index.ts";
import { refusedImageSteps } from "./refused-blocks.ts";

const image: ContentBlock = {
  type: "image",
  source: { type: "base64", media_type: "image/png", data: "AA==" },
};
const item = (role: ViewItem["role"], entry: string, block: ContentBlock): ViewItem => ({
  role,
  entry,
  seq: 1,
  index: 0,
  block,
  json: JSON.stringify(block),
});
const items = [
  item("user", "a", { type: "text", text: "See:" }),
  item("user", "b", image),
  item("assistant", "c", { type: "text", text: "Nice." }),
  item("user", "d", { type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "x" }, image] }),
];
const entriesIn = (words: string) =>
  refusedImageSteps(items, words).map((step) => (step.repair === "replace-block" ? step.place.entry : ""));

describe("refusedImageSteps", () => {
  it("takes out the image that the words name", () => {
    expect(entriesIn("messages.0.content.1.image.source.base64: image exceeds 5 MB maximum")).toEqual(["b"]);
  });

  it("takes out those of the newest message where no place is named, or none is there", () => {
    expect(entriesIn("An image is too large.")).toEqual(["d"]);
    expect(entriesIn("messages.7.content.1: image exceeds")).toEqual(["d"]);
  });

  it("leaves the rest of a result, with a note in the image's place", () => {
    expect(refusedImageSteps(items, "")).toMatchObject([
      {
        block: {
          tool_use_id: "t",
          content: [
            { text: "x" },
            { type: "text", text: "[An image was here: the provider has refused it · recall t]" },
          ],
        },
      },
    ]);
  });

  it("takes out nothing where there is no image", () => {
    expect(refusedImageSteps(items.slice(2, 3), "image exceeds")).toEqual([]);
  });
});
