import type { EntrySink } from "./entry-sink.ts";
import type { LineLocation } from "./import-report.ts";
import type { JsonObject } from "./json-value.ts";
import type { LineTimes } from "./line-times.ts";
import type { Tally } from "./tally.ts";

/** What every reader works with. */
export interface ReadingParts {
  readonly sink: EntrySink;
  readonly tally: Tally;
  readonly times: LineTimes;
}

/** Turns the records of one format into entries, and counts every one. */
export interface RecordReader {
  read(record: JsonObject, place: LineLocation): void;
  /** Lets go what was held back for lines that did not come. */
  end(): void;
}
