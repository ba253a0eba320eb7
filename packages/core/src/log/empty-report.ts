import type { LogReport } from "../spec/index.ts";
import { formatVersion } from "./codec.ts";

/** What is found in a log that has no lines yet. */
export const emptyReport: LogReport = {
  entries: 0,
  lastSeq: 0,
  epoch: 0,
  version: formatVersion,
  end: 0,
  tornBytes: 0,
  corruptLines: 0,
  corruptBytes: 0,
  fencedLines: 0,
  fencedBytes: 0,
  salvaged: 0,
  unknownKinds: {},
  damages: [],
  asides: [],
};
