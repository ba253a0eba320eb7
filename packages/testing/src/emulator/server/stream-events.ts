import { type Answer, say, toBlocks } from "../script/answer.ts";
import type { Fault, StreamFault } from "../script/fault.ts";
import { type SentBlock, wellFormedStart } from "./cut-blocks.ts";
import { toMessageBody, type WireMessage } from "./to-message.ts";

/** One server-sent event; its name is its type. */
export type StreamEvent = Readonly<Record<string, unknown>> & { readonly type: string };

const pieceLength = 16;
const maxPieces = 200;

/** The same answer as `toMessageBody` in pieces, as the API streams it. */
export function* streamEvents(message: WireMessage): Generator<StreamEvent> {
  const { answer, usage, extra } = message;
  const body = toMessageBody(message);
  const started = { ...usage, output_tokens: Math.min(1, usage.output_tokens) };
  yield {
    type: "message_start",
    message: {
      ...body,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...started, output_tokens_details: { thinking_tokens: 0 } },
    },
  };
  let index = 0;
  for (const block of answer.content) {
    const isLast = index === answer.content.length - 1;
    yield { type: "content_block_start", index, content_block: emptyBlock(block) };
    if (index === 0) yield { type: "ping" };
    for (const delta of deltasOf(block, isLast ? answer.partialInput : undefined)) {
      yield { type: "content_block_delta", index, delta };
    }
    yield { type: "content_block_stop", index };
    index += 1;
  }
  const { service_tier, inference_geo, speed, ...cumulative } = usage;
  yield {
    type: "message_delta",
    delta: {
      stop_reason: answer.stopReason,
      stop_sequence: answer.stopSequence,
      stop_details: null,
      container: null,
    },
    ...("context_management" in extra && { context_management: extra.context_management }),
    usage: cumulative,
  };
  yield { type: "message_stop" };
}

/** A block before its deltas. What has none comes whole. */
function emptyBlock(block: SentBlock): SentBlock {
  if (block.type === "text") return { ...block, text: "" };
  if (block.type === "thinking") return { ...block, thinking: "", signature: "" };
  if (block.type === "compaction") return { ...block, content: null };
  return block.type === "tool_use" ? { ...block, input: {} } : block;
}

function* deltasOf(block: SentBlock, partialInput: string | undefined): Generator<object> {
  if (block.type === "text") {
    for (const text of pieces(String(block.text))) yield { type: "text_delta", text };
  } else if (block.type === "thinking") {
    for (const thinking of pieces(String(block.thinking))) yield { type: "thinking_delta", thinking };
    yield { type: "signature_delta", signature: block.signature };
  } else if (block.type === "compaction") {
    const { content, encrypted_content } = block;
    yield { type: "compaction_delta", content, encrypted_content };
  } else if (block.type === "tool_use") {
    yield { type: "input_json_delta", partial_json: "" };
    for (const json of pieces(partialInput ?? JSON.stringify(block.input))) {
      yield { type: "input_json_delta", partial_json: json };
    }
  }
}

/** Always the same pieces for the same text, never a half character. */
export function* pieces(text: string): Generator<string> {
  const length = Math.max(pieceLength, Math.ceil(text.length / maxPieces));
  let rest = text;
  while (rest !== "") {
    const piece = wellFormedStart(rest, Math.min(length, rest.length));
    yield piece;
    rest = rest.slice(piece.length);
  }
}

/** Whether the answer begins before it fails. */
export function isInStream(fault: Fault): fault is StreamFault {
  return "afterEvent" in fault;
}

/** The answer that is being said when a stream breaks. */
export function answerOf({ answer = say("This answer does not end well.") }: StreamFault): Answer {
  return "kind" in answer && answer.kind === "answer"
    ? (answer as Answer)
    : { kind: "answer", content: toBlocks(answer as Parameters<typeof toBlocks>[0]) };
}
