import {
  type ContentBlock,
  isBlock,
  type ModelRequest,
  type RequestMessage,
} from "../../packages/core/src/spec/index.ts";
import { assistant, call, image, marked, result, text, thinking, user } from "./mutations-bases.ts";
import { mutationsOfCalls } from "./mutations-calls.ts";
import { type Mutation, named, withBlock, withMessages } from "./mutations-edit.ts";

/** What a mutation must go over. */
export interface MutationLimits {
  readonly maxImageBytes: number;
  readonly maxImages: number;
}

/** Every way in which this valid request is made to break one rule, at every place where it can. */
export function mutationsOf(request: ModelRequest, limits: MutationLimits): readonly Mutation[] {
  return [
    ...request.messages.flatMap((message, index) => mutationsOfMessage(request, message, index)),
    ...request.messages.flatMap(({ role, content }, index) =>
      content.flatMap((block, at) => [
        ...mutationsOfText(block, (changed) => withBlock(request, index, at, changed), `${index}.${at}`),
        ...mutationsOfBlock(request, block, role, index, at, limits),
      ]),
    ),
    ...mutationsOfCalls(request),
    ...mutationsOfTotals(request, limits),
  ];
}

function hasTools({ content }: RequestMessage): boolean {
  return content.some((block) => isBlock(block, "tool_use") || isBlock(block, "tool_result"));
}

function mutationsOfMessage(
  request: ModelRequest,
  message: RequestMessage,
  index: number,
): readonly Mutation[] {
  const { messages } = request;
  const other = message.role === "user" ? user(text("One more.")) : assistant(text("One more."));
  const mayRepeat = message.role === "user" || !hasTools(message);
  return [
    ...named(
      `begins with message ${index}`,
      index > 0 &&
        message.role === "assistant" &&
        !hasTools(message) &&
        withMessages(request, messages.slice(index)),
    ),
    ...named(
      `repeats the role of message ${index}`,
      mayRepeat && withMessages(request, messages.toSpliced(index + 1, 0, other)),
    ),
    ...named(
      `has nothing in message ${index}`,
      !hasTools(message) && withMessages(request, messages.with(index, { ...message, content: [] })),
    ),
    ...misplaced[message.role].flatMap((block) =>
      named(
        `has ${block.type} in message ${index} of the ${message.role}`,
        withMessages(request, messages.with(index, { ...message, content: [...message.content, block] })),
      ),
    ),
  ];
}

/** Blocks that are not this role's. */
const misplaced: Readonly<Record<RequestMessage["role"], readonly ContentBlock[]>> = {
  user: [thinking(), { type: "redacted_thinking", data: "ZGF0YQ==" }, call("toolu_misplaced")],
  assistant: [
    image(),
    { type: "document", source: { type: "text", media_type: "text/plain", data: "words" } },
    result("toolu_misplaced"),
  ],
  system: [],
};

/** A text block without a word, or with half a character; inside results too. */
function mutationsOfText(
  block: ContentBlock,
  put: (changed: ContentBlock) => ModelRequest,
  place: string,
): readonly Mutation[] {
  if (isBlock(block, "tool_result") && Array.isArray(block.content)) {
    const { content } = block;
    return content.flatMap((inner: ContentBlock, at) =>
      mutationsOfText(
        inner,
        (changed) => put({ ...block, content: content.with(at, changed) }),
        `${place}.${at}`,
      ),
    );
  }
  if (!isBlock(block, "text")) return [];
  return [
    ...["", " ", "\n\t \u00a0"].flatMap((words) =>
      named(`has ${JSON.stringify(words)} as text ${place}`, put({ ...block, text: words })),
    ),
    ...[`${block.text}\ud83d`, `\ude00${block.text}`].flatMap((words) =>
      named(`cuts a character of text ${place} in two`, put({ ...block, text: words })),
    ),
  ];
}

function mutationsOfBlock(
  request: ModelRequest,
  block: ContentBlock,
  role: RequestMessage["role"],
  index: number,
  at: number,
  { maxImageBytes }: MutationLimits,
): readonly Mutation[] {
  const place = `${index}.${at}`;
  if (isBlock(block, "thinking")) {
    const { signature, ...unsigned } = block;
    return [
      ...named(`has unsigned thinking at ${place}`, withBlock(request, index, at, unsigned)),
      ...named(
        `has an empty signature at ${place}`,
        withBlock(request, index, at, { ...block, signature: "" }),
      ),
    ];
  }
  const large = image(40, 30, maxImageBytes * 2);
  if (isBlock(block, "image"))
    return named(`has a large image at ${place}`, withBlock(request, index, at, large));
  if (isBlock(block, "tool_result") && role === "user")
    return named(
      `has a large image in the result at ${place}`,
      withBlock(request, index, at, { ...block, content: [large] }),
    );
  return [];
}

function mutationsOfTotals(request: ModelRequest, { maxImages }: MutationLimits): readonly Mutation[] {
  const index = request.messages.findLastIndex(({ role }) => role === "user");
  const message = request.messages[index];
  if (!message) return [];
  const put = (content: readonly ContentBlock[]) =>
    withMessages(
      request,
      request.messages.with(index, { ...message, content: [...message.content, ...content] }),
    );
  const images = Array.from({ length: maxImages + 1 }, () => image());
  const markers = Array.from({ length: 5 }, () => marked(text("Here.")));
  return [
    ...named("has too many images", put(images)),
    ...named(
      "has too many images in one result",
      withMessages(request, [
        ...request.messages.slice(0, index),
        message,
        assistant(call("toolu_images")),
        user(result("toolu_images", images)),
      ]),
    ),
    ...named("has five breakpoints in one message", put(markers)),
    ...named("has breakpoints in the system prompt and messages", {
      ...put(markers.slice(0, 3)),
      system: [marked(text("a")), marked(text("b"))] as ModelRequest["system"] & object,
    }),
  ];
}
