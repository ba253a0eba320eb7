import { type Answer, say, toBlocks } from "../script/answer.ts";
import type { Fault, StreamFault } from "../script/fault.ts";

/** Whether the answer begins before it fails. */
export function isInStream(fault: Fault): fault is StreamFault {
  return "afterEvent" in fault;
}

/** What is being said when a stream breaks. */
export function answerOf({ answer = say("This answer does not end well.") }: StreamFault): Answer {
  return "kind" in answer && answer.kind === "answer"
    ? (answer as Answer)
    : { kind: "answer", content: toBlocks(answer as Parameters<typeof toBlocks>[0]) };
}
