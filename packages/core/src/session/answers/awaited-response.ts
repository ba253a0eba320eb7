import type { Message } from "../../spec/index.ts";

/** Tells responses to requests that were made here from those that are only written down. */
export interface AwaitedResponse {
  /** A request was made. */
  ask(): void;
  /** Whether a message answers it: then it came just now, whatever time it was given. All entries of a response do. */
  take(message: Message): boolean;
}

export function createAwaitedResponse(): AwaitedResponse {
  let isWaiting = false;
  let answer: string | undefined;
  return {
    ask() {
      isWaiting = true;
    },
    take({ type, responseId, isAborted }) {
      if (type !== "assistant") return false;
      if (!isWaiting) return responseId !== undefined && responseId === answer;
      // What was cut is asked for again.
      if (!isAborted) {
        isWaiting = false;
        answer = responseId;
      }
      return true;
    },
  };
}
