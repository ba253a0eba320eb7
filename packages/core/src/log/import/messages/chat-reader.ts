import { type EntrySink, lineId } from "../entry-sink.ts";
import type { LineTimes } from "../line-times.ts";
import type { RecordReader } from "../record-reader.ts";
import type { Tally } from "../tally.ts";
import { readChatMessage } from "./chat-message.ts";

export interface ChatReaderOptions {
  readonly sink: EntrySink;
  readonly tally: Tally;
  readonly times: LineTimes;
}

/** Reads messages in the shape of either API, one a record. */
export function createChatReader({ sink, tally, times }: ChatReaderOptions): RecordReader {
  return {
    read(record, place) {
      const read = readChatMessage(record, place.line);
      const at = times.of(record);
      if ("problem" in read) {
        tally.setAside("skipped", place, read.problem);
        return;
      }
      const { message, unsignedThinking } = read;
      if (message.type === "system") tally.other(message.subtype ?? "system");
      else tally.message(message);
      tally.add("unsignedThinking", unsignedThinking);
      sink.emit({ kind: "message", message, id: lineId(place.line), at });
    },
    end: () => {},
  };
}
