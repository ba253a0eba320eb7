import { isBlock, type LoopEvent } from "@palimpsest/core/spec";
import type { MailMember } from "../mail/mail-member.ts";

/** Requests that an agent may still make once it has agreed to end: to finish what it is at, and to say so. */
export const partingRequests = 3;

/** Sees to it that an agent that has agreed to end does. */
export interface Parting {
  see(event: LoopEvent): void;
  /** Why it was ended here; absent: it was not. */
  reason(): string | undefined;
}

export function createParting(member: () => MailMember | undefined, abort: () => void): Parting {
  let requests = 0;
  let reason: string | undefined;
  async function count(isDone: boolean): Promise<void> {
    if (!(await member()?.hasAgreedToEnd())) return;
    requests += 1;
    if (isDone || requests < partingRequests) return;
    reason = "It had agreed to end, and went on.";
    abort();
  }
  return {
    see(event) {
      if (event.type !== "response-end") return;
      const isDone = !event.content.some((block) => isBlock(block, "tool_use"));
      void count(isDone).catch(() => undefined);
    },
    reason: () => reason,
  };
}
