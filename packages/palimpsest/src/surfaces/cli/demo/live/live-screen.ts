import type { FrameSize } from "./frame-lines.ts";

/** The terminal while a live view has it: a screen of its own, so that what stood there before comes back. */
export interface LiveScreen {
  readonly size: FrameSize;
  /** Draws only what is not there already. */
  draw(lines: readonly string[]): void;
  /** Gives the terminal back as it was; can be called more than once. */
  leave(): void;
}

export interface LiveScreenOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly onKey: () => void;
  readonly onInterrupt: () => void;
}

const enter = "\u001b[?1049h\u001b[?25l";
const leave = "\u001b[?25h\u001b[?1049l";
const home = "\u001b[H";
const clearLine = "\u001b[K";
const clearBelow = "\u001b[J";
/** A terminal that knows it shows everything up to the second at once. */
const begin = "\u001b[?2026h";
const end = "\u001b[?2026l";
const interruptKey = "\u0003";

export function openLiveScreen({ stdin, stdout, onKey, onInterrupt }: LiveScreenOptions): LiveScreen {
  const hasKeys = stdin.isTTY === true;
  let drawn = "";
  let isOpen = true;

  const hear = (chunk: Buffer | string) => {
    if (chunk.toString().includes(interruptKey)) onInterrupt();
    else onKey();
  };
  const forget = () => {
    drawn = "";
  };

  stdout.write(enter);
  stdout.on("resize", forget);
  if (hasKeys) {
    stdin.setRawMode(true);
    stdin.on("data", hear).resume();
  }
  return {
    get size() {
      return { columns: Math.max(1, stdout.columns || 80), rows: Math.max(1, stdout.rows || 24) };
    },
    draw(lines) {
      const text = lines.map((line) => `${line}${clearLine}`).join("\r\n");
      if (!isOpen || text === drawn) return;
      drawn = text;
      stdout.write(`${begin}${home}${text}${clearBelow}${end}`);
    },
    leave() {
      if (!isOpen) return;
      isOpen = false;
      stdout.off("resize", forget);
      if (hasKeys) {
        stdin.off("data", hear).pause();
        stdin.setRawMode(false);
      }
      stdout.write(leave);
    },
  };
}
