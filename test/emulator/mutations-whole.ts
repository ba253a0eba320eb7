import type { ModelRequest } from "../../packages/core/src/spec/index.ts";
import {
  assistant,
  bases,
  call,
  compaction,
  image,
  readTool,
  requestOf,
  result,
  text,
  thinking,
  user,
} from "./mutations-bases.ts";
import type { Mutation } from "./mutations-edit.ts";

const base = bases.plain as ModelRequest;
const asked = user(text("Read a.ts."));

/** Requests that break a rule about more than one block: their head, where thinking stands, how large images are. */
export function wholeMutations(limits: {
  readonly maxImageBytes: number;
  readonly maxSidePixels: number;
  readonly many: { readonly count: number; readonly maxSidePixels: number };
}): readonly Mutation[] {
  const many = Array.from({ length: limits.many.count }, () => image());
  return [
    {
      name: "image-pixels: an image with too long a side",
      request: requestOf([user(image(limits.maxSidePixels + 1, 1))]),
    },
    {
      name: "image-pixels: in a result",
      request: requestOf([
        asked,
        assistant(call("t")),
        user(result("t", [image(1, limits.maxSidePixels + 1)])),
      ]),
    },
    {
      name: "image-pixels: among many images",
      request: requestOf([user(...many, image(limits.many.maxSidePixels + 1, 1))]),
    },
    {
      name: "image-size: over the limit as base64, under it as bytes",
      request: requestOf([user(image(1, 1, limits.maxImageBytes - 1))]),
    },
    {
      name: "compaction: a signed block behind the first message",
      request: requestOf([asked, assistant(compaction(), text("So far.")), asked]),
    },
    {
      name: "compaction: a second signed block",
      request: requestOf([assistant(compaction(), compaction("More.")), asked]),
    },
    {
      name: "thinking-first: thinking behind text",
      request: requestOf([asked, assistant(text("I read."), thinking(), call("t")), user(result("t"))]),
    },
    {
      name: "thinking-first: thinking behind a call",
      request: requestOf([
        asked,
        assistant(call("t"), thinking()),
        user(result("t")),
        assistant(text("Done.")),
        asked,
      ]),
    },
    {
      name: "thinking-last: the newest answer is thinking only",
      request: requestOf([asked, assistant(thinking()), user(text("Well?"))]),
    },
    {
      name: "thinking-turn: an open round without its thinking",
      request: requestOf([asked, assistant(call("t")), user(result("t"))], {
        thinking: { type: "enabled", budget_tokens: 2_000 },
      }),
    },
    {
      name: "thinking-signature: redacted thinking without data",
      request: requestOf([asked, assistant({ type: "redacted_thinking", data: "" }, text("Done.")), asked]),
    },
    {
      name: "unicode: in a result given as a string",
      request: requestOf([asked, assistant(call("t")), user(result("t", "half \ud83d"))]),
    },
    {
      name: "unicode: in a tool's input",
      request: requestOf([asked, assistant(call("t", "Read", { path: "\ud83d" })), user(result("t"))]),
    },
    {
      name: "unicode: in the system prompt",
      request: { ...base, system: [{ type: "text", text: "half \ud83d" }] },
    },
    {
      name: "unicode: in a tool's description",
      request: { ...base, tools: [{ ...readTool, description: "half \ud83d" }] },
    },
    { name: "text-empty: in the system prompt", request: { ...base, system: [{ type: "text", text: " " }] } },
    { name: "tool-name: of a definition", request: { ...base, tools: [{ ...readTool, name: "two words" }] } },
    { name: "tool-name-unique: two definitions", request: { ...base, tools: [readTool, readTool] } },
    {
      name: "tool-input: no object",
      request: requestOf([asked, assistant(call("t", "Read", "a.ts")), user(result("t"))]),
    },
    {
      name: "block-type: a result inside a result",
      request: requestOf([asked, assistant(call("t")), user(result("t", [result("t")]))]),
    },
  ];
}
