import { firstChars } from "@palimpsest/core/internal";

/** Characters that are kept of a command's output: so many from its beginning, and so many from its end. */
export const outputHeadChars = 100_000;
export const outputTailChars = 100_000;

export interface OutputWindow {
  add(bytes: Uint8Array, stream: "stdout" | "stderr"): void;
  /** The text kept, with a line that counts what is not; well-formed. */
  text(): string;
  /** The newest line that is not empty, short. */
  lastLine(): string;
  /** As `text`, and begins anew. */
  take(): string;
}

const lastLineChars = 200;

/**
 * The beginning and the end of output without end, in constant memory. Streams are told apart only to put characters
 * together whose bytes came in pieces; they are mixed as they come.
 */
export function createOutputWindow(
  limits: { readonly headChars: number; readonly tailChars: number } = {
    headChars: outputHeadChars,
    tailChars: outputTailChars,
  },
): OutputWindow {
  const decoders = { stdout: createDecoder(), stderr: createDecoder() };
  let head = "";
  let isHeadFull = false;
  let tail: string[] = [];
  let tailChars = 0;
  let missingChars = 0;

  function addText(text: string): void {
    let rest = text;
    if (!isHeadFull) {
      const fitting = firstChars(rest, limits.headChars - head.length);
      isHeadFull = fitting.length < rest.length;
      head += fitting;
      rest = rest.slice(fitting.length);
    }
    if (rest === "") return;
    tail.push(rest);
    tailChars += rest.length;
    while (tail.length > 0 && tailChars - (tail[0]?.length ?? 0) >= limits.tailChars) {
      const dropped = tail.shift()?.length ?? 0;
      tailChars -= dropped;
      missingChars += dropped;
    }
    if (tail.length > 1_000) tail = [tail.join("")];
  }

  function text(): string {
    const all = tail.join("");
    const kept = lastChars(all, limits.tailChars);
    const missing = missingChars + all.length - kept.length;
    return missing === 0 ? head + kept : `${head}\n[… ${missing} characters left out here …]\n${kept}`;
  }

  return {
    add(bytes, stream) {
      addText(decoders[stream].decode(bytes, { stream: true }));
    },
    text,
    lastLine() {
      const end = (tail.length > 0 ? tail.join("") : head).slice(-4 * lastLineChars);
      const lines = end.split(/[\r\n]+/).filter((line) => line.trim() !== "");
      return firstChars((lines.at(-1) ?? "").toWellFormed(), lastLineChars);
    },
    take() {
      for (const decoder of Object.values(decoders)) addText(decoder.decode());
      const taken = text();
      head = "";
      isHeadFull = false;
      tail = [];
      tailChars = 0;
      missingChars = 0;
      return taken;
    },
  };
}

const createDecoder = () => new TextDecoder("utf-8", { ignoreBOM: true });

/** The end of a text in at most so many characters; a code point that does not fit is left out. */
function lastChars(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const from = text.length - maxChars;
  const isSplit = from > 0 && (text.codePointAt(from - 1) ?? 0) > 0xffff;
  return text.slice(isSplit ? from + 1 : from);
}
