import { describe, expect, it } from "vitest";
import { createCatalog } from "../../../../core/src/catalog/index.ts";
import { checkRequest } from "./check-request.ts";

type Block = Record<string, unknown>;
const capabilities = createCatalog().capabilities("claude-opus-4-6").value;
const user = (...content: Block[]) => ({ role: "user", content });
const talk = (...messages: unknown[]) => ({ model: "claude-opus-4-6", max_tokens: 4_096, messages });
const result = (...content: Block[]): Block => ({ type: "tool_result", tool_use_id: "t1", content });
const call = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Look", input: {} }] };

/** The header of a PNG, which is all that is read of it. */
function image(width = 10, height = 10, mediaType = "image/png"): Block {
  const header = Buffer.alloc(24);
  header.write("\x89PNG\r\n\x1a\n", "latin1");
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return {
    type: "image",
    source: { type: "base64", media_type: mediaType, data: header.toString("base64") },
  };
}

const broken = (request: unknown) =>
  checkRequest(request, { betas: new Set(), capabilities }).map(({ rule, path }) => `${rule} ${path}`);

describe("checkRequest, of images", () => {
  it.each<[string, unknown]>([
    ["at the limits", talk(user(image(8_000, 8_000)))],
    ["by address", talk(user({ type: "image", source: { type: "url", url: "https://example.org/a.png" } }))],
    ["many small ones", talk(user(...Array.from({ length: 600 }, () => image(2_000, 2_000))))],
    [
      "stand-ins without a header",
      talk(user({ type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } })),
    ],
  ])("takes %s", (_, request) => {
    expect(broken(request)).toEqual([]);
  });

  it.each<[string, unknown]>([
    ["image-source messages.0.content.0.source", talk(user({ type: "image" }))],
    [
      "image-media-type messages.0.content.0.image.source.base64.media_type",
      talk(user(image(1, 1, "image/bmp"))),
    ],
    ["image-media-type messages.0.content.0.image.source.base64.data", talk(user(image(1, 1, "image/gif")))],
    ["image-pixels messages.0.content.0.image.source.base64.data", talk(user(image(8_001, 1)))],
    [
      "image-pixels messages.0.content.20.image.source.base64.data",
      talk(user(...Array.from({ length: 20 }, () => image()), image(1, 2_001))),
    ],
    ["image-count messages", talk(user(...Array.from({ length: 601 }, () => image())))],
    [
      "image-size messages.0.content.0.image.source.base64",
      talk(
        user({
          type: "image",
          source: { type: "base64", media_type: "image/png", data: "A".repeat(5_242_884) },
        }),
      ),
    ],
    [
      "image-data messages.0.content.0.image.source.base64.data",
      talk(user({ type: "image", source: { type: "base64", media_type: "image/png", data: "A*==" } })),
    ],
    [
      "image-pixels messages.2.content.0.content.0.image.source.base64.data",
      talk(user(image()), call, user(result(image(1, 8_001)))),
    ],
  ])("refuses %s", (expected, request) => {
    expect(broken(request)).toEqual([expected]);
  });

  it("says it as the API does", () => {
    const [wide, many] = [
      talk(user(image(9_000, 1))),
      talk(user(...Array.from({ length: 21 }, () => image(3_000, 1)))),
    ];
    const message = (request: unknown) =>
      checkRequest(request, { betas: new Set(), capabilities })[0]?.message;
    expect(message(wide)).toContain(
      "At least one of the image dimensions exceed max allowed size: 8000 pixels",
    );
    expect(message(many)).toContain("max allowed size for many-image requests: 2000 pixels");
  });
});
