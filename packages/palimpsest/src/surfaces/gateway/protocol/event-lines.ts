import { StringDecoder } from "node:string_decoder";

/** Takes the `data` of server-sent events out of what passes, piece by piece. */
export interface EventLines {
  take(chunk: Uint8Array): void;
}

/** A line that is longer than this is nothing that can be read: the rest of the stream is let pass unread. */
const maxLineChars = 33_554_432;
const field = "data:";

export function createEventLines(onData: (data: string) => void): EventLines {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let isOver = false;
  return {
    take(chunk) {
      if (isOver) return;
      rest += decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      let start = 0;
      for (let end = rest.indexOf("\n"); end !== -1; end = rest.indexOf("\n", start)) {
        const line = rest.slice(start, rest[end - 1] === "\r" ? end - 1 : end);
        start = end + 1;
        if (line.startsWith(field)) onData(line.slice(field.length).trim());
      }
      rest = rest.slice(start);
      isOver = rest.length > maxLineChars;
      if (isOver) rest = "";
    },
  };
}
