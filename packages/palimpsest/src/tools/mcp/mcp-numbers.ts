/** Every number the MCP clients rest on. Characters are UTF-16 code units. */
export interface McpNumbers {
  /** The session waits this long for servers to come; what comes later comes as late tools. */
  readonly startWaitMs: number;
  /** A server that has not answered by then has failed. */
  readonly connectMs: number;
  /** A server that was asked to end and forced to is waited for this long. */
  readonly closeMs: number;
  /** How often a lost server is tried to be reached again, and the wait before the second try; it doubles. */
  readonly reconnectTries: number;
  readonly reconnectDelayMs: number;
  /** A server that is lost this often without an answer in between has failed. */
  readonly maxLosses: number;
  /** A server that is silent this long during a call is asked whether it is alive. */
  readonly quietMs: number;
  /** One that does not answer that for so long has stalled. Long, since some servers are busy while they work. */
  readonly stalledMs: number;
  /** How long a call outlives the stream its answer should have come on: usually, and where it can be resumed. */
  readonly streamEndMs: number;
  readonly resumeMs: number;
  readonly maxDescriptionChars: number;
  readonly maxInstructionsChars: number;
  /** Tools of one server; what it has beyond is left out. */
  readonly maxTools: number;
  /** The rest of a longer result is dropped. Long before that, layer 1 puts results on disk. */
  readonly maxResultChars: number;
  /** A program that sends a longer message is cut off. */
  readonly maxMessageBytes: number;
  /** The part kept of the end of a program's error output. */
  readonly maxStderrBytes: number;
}

export const mcpNumbers: McpNumbers = {
  startWaitMs: 5_000,
  connectMs: 30_000,
  closeMs: 5_000,
  reconnectTries: 3,
  reconnectDelayMs: 1_000,
  maxLosses: 3,
  quietMs: 30_000,
  stalledMs: 300_000,
  streamEndMs: 1_000,
  resumeMs: 600_000,
  maxDescriptionChars: 2_000,
  maxInstructionsChars: 4_000,
  maxTools: 500,
  maxResultChars: 10_000_000,
  maxMessageBytes: 64 * 1024 * 1024,
  maxStderrBytes: 4_096,
};
