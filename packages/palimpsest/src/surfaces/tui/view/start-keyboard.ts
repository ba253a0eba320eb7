import { createKeyReader } from "../state/create-key-reader.ts";
import type { Key } from "../state/key.ts";

const pasteOn = "\u001b[?2004h";
const pasteOff = "\u001b[?2004l";

export interface KeyboardOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly onKeys: (keys: readonly Key[]) => void;
  /** The terminal is gone. */
  readonly onEnd: () => void;
}

/** Reads keys until it is closed; then the terminal is as it was. */
export function startKeyboard({ stdin, stdout, onKeys, onEnd }: KeyboardOptions): { close(): void } {
  const reader = createKeyReader();
  const decoder = new TextDecoder();

  function give(keys: readonly Key[]): void {
    if (keys.length > 0) onKeys(keys);
  }

  const onData = (chunk: Uint8Array | string) => {
    give(reader.push(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true })));
    // An escape that nothing follows in the same breath was a key of its own.
    if (reader.isHolding) setImmediate(() => reader.isHolding && give(reader.flush()));
  };

  stdin.setRawMode(true);
  stdout.write(pasteOn);
  stdin.on("data", onData);
  stdin.on("end", onEnd);
  stdin.resume();
  return {
    close() {
      stdin.off("data", onData);
      stdin.off("end", onEnd);
      stdin.pause();
      stdout.write(pasteOff);
      stdin.setRawMode(false);
    },
  };
}
