import { mailNumbers } from "../../layers/7-agents/mail/rules/index.ts";
import { type AgentMessage, fail, ok, type ReceivedMessage, type Result } from "../../spec/index.ts";

/** Messages for one agent of this process, in the order they came. */
export interface AgentQueue {
  push(message: Omit<ReceivedMessage, "seq">): Result<void>;
  drain(): readonly ReceivedMessage[];
  onMessage(listener: () => void): () => void;
}

export function createAgentQueue(name: string, maxWaiting: number = mailNumbers.maxWaiting): AgentQueue {
  const listeners = new Set<() => void>();
  let waiting: ReceivedMessage[] = [];
  let seq = 0;
  return {
    push(message) {
      if (waiting.length >= maxWaiting)
        return fail("too-large", `The queue of ${name} is full: ${waiting.length} messages wait in it.`, {
          path: name,
          fix: "Send it again once the receiver has read some of them.",
          retryable: true,
        });
      seq = Math.max(seq + 1, Date.parse(message.at));
      // A copy: what the sender does with its own afterwards is not the receiver's.
      waiting.push({ ...message, message: structuredClone(message.message) as AgentMessage, seq });
      for (const listener of listeners) listener();
      return ok();
    },
    drain() {
      const drained = waiting;
      waiting = [];
      return drained;
    },
    onMessage(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
