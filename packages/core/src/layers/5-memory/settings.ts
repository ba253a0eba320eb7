import { onByDefault } from "../../settings/flag.ts";

export const memoryFlags = {
  "memory-extraction": onByDefault("Writes memories at the end of a turn."),
  "memory-recall": onByDefault("Attaches relevant memories at the start of a turn."),
};

/** Every number that extraction rests on. None can be set. */
export const extractionNumbers = {
  /** Requests that a fork may make to look for memories in one extraction. */
  maxTurns: 5,
  /** The newest messages that a memory names as its sources. */
  maxSources: 20,
  /** After so many failures in a row the wait no longer doubles. */
  maxDoublings: 4,
} as const;
