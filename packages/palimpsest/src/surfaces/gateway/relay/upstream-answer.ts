import type { IncomingMessage } from "node:http";

/** What the provider answers: a message whose body is still to come, or one that was read and is given on all the same. */
export type UpstreamAnswer = Pick<
  IncomingMessage,
  "statusCode" | "statusMessage" | "rawHeaders" | "headers" | "complete"
> &
  AsyncIterable<Uint8Array> & { destroy(): unknown };

/** An answer whose body was read already. */
export function readAnswer(answer: UpstreamAnswer, body: Uint8Array): UpstreamAnswer {
  const { statusCode, statusMessage, rawHeaders, headers, complete } = answer;
  return {
    ...{ statusCode, statusMessage, rawHeaders, headers, complete },
    destroy: () => answer.destroy(),
    async *[Symbol.asyncIterator]() {
      yield body;
    },
  };
}
