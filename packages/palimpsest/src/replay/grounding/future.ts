import { isBlock } from "@palimpsest/core/spec";
import type { PreparedRecording } from "../prepared-recording.ts";

/** What only hindsight knows: for the ceiling that policies are compared with. */
export interface Future {
  /** Whether a response to come needs something of which this result is the newest source. */
  needsResult(toolUseId: string): boolean;
  /** Requests to come before the next recorded boundary, the present one counted. */
  requestsLeft(): number;
}

/** `present`: the index of the request that is being made. */
export function createFuture(recording: PreparedRecording, present: () => number): Future {
  const { session, needs } = recording;
  const lastNeeded = new Map<string, number>();
  for (const [request, wanted] of needs.byRequest.entries()) {
    for (const { sources } of wanted) {
      const newest = sources.at(-1)?.block;
      if (newest && isBlock(newest, "tool_result")) lastNeeded.set(newest.tool_use_id, request);
    }
  }
  const ends = new Map<number, number>();
  for (const { segment, index } of session.requests) ends.set(segment, index);
  return {
    needsResult: (toolUseId) => (lastNeeded.get(toolUseId) ?? -1) >= present(),
    requestsLeft() {
      const segment = session.requests[present()]?.segment ?? 0;
      return (ends.get(segment) ?? 0) - present() + 1;
    },
  };
}
