import type { LinePlace } from "./import-report.ts";
import type { JsonObject } from "./json-value.ts";

/** Turns the records of one format into entries, and counts every one. */
export interface RecordReader {
  read(record: JsonObject, place: LinePlace): void;
  /** Lets go what was held back for lines that did not come. */
  end(): void;
}
