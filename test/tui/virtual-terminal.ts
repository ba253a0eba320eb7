import { PassThrough, Writable } from "node:stream";
import xterm from "@xterm/headless";

/** A terminal that nobody sees: what is written to it can be read as a person would. */
export interface VirtualTerminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly isRaw: boolean;
  /** Everything that was written, escape codes included. */
  readonly written: string;
  /** How often something was written. */
  readonly writes: number;
  /** The lines that are seen, without spaces at their ends. */
  screen(): Promise<string>;
  /** The lines that have gone out above as well. */
  all(): Promise<string>;
  cursor(): Promise<{ readonly x: number; readonly y: number }>;
  /** Whether a line that has this text has it in that colour: 1 red, 2 green, 3 yellow, 6 cyan, -1 none. */
  colourOf(text: string): Promise<number | null>;
  /** Resolves once the screen has it, or it is true of the screen. */
  until(wanted: RegExp | ((screen: string) => boolean)): Promise<string>;
  type(text: string): void;
  resize(columns: number, rows: number): void;
}

const patienceMs = 30_000;

export function createVirtualTerminal(columns = 80, rows = 24): VirtualTerminal {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 20_000, allowProposedApi: true });
  const size = { columns, rows };
  let isRaw = false;
  let written = "";
  let writes = 0;
  const watching = new Set<() => void>();
  const output = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const text = chunk.toString();
      written += text;
      writes += 1;
      // A terminal turns a line feed into a new line where nobody has asked it not to.
      terminal.write(text.replace(/\r?\n/g, "\r\n"), () => {
        for (const watch of watching) watch();
      });
      done();
    },
  });
  const stdout = Object.assign(output, { isTTY: true, ...size }) as unknown as NodeJS.WriteStream;
  const input = new PassThrough();
  const stdin = Object.assign(input, {
    isTTY: true,
    setRawMode(mode: boolean) {
      isRaw = mode;
      return stdin;
    },
    ref: () => stdin,
    unref: () => stdin,
  }) as unknown as NodeJS.ReadStream;

  const settled = () => new Promise<void>((resolve) => terminal.write("", resolve));
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => terminal.buffer.active.getLine(from + at))
      .map((line) => line?.translateToString(true) ?? "")
      .join("\n")
      .trimEnd();
  const seen = () => {
    const { baseY } = terminal.buffer.active;
    return lines(baseY, baseY + terminal.rows);
  };

  return {
    stdin,
    stdout,
    get isRaw() {
      return isRaw;
    },
    get written() {
      return written;
    },
    get writes() {
      return writes;
    },
    async screen() {
      await settled();
      return seen();
    },
    async all() {
      await settled();
      return lines(0, terminal.buffer.active.length);
    },
    async cursor() {
      await settled();
      const { cursorX: x, cursorY: y } = terminal.buffer.active;
      return { x, y };
    },
    async colourOf(text) {
      await settled();
      const { active } = terminal.buffer;
      for (let at = active.length - 1; at >= 0; at -= 1) {
        const line = active.getLine(at);
        const column = line?.translateToString(true).indexOf(text) ?? -1;
        const cell = column < 0 ? undefined : line?.getCell(column);
        if (cell) return cell.isFgDefault() ? -1 : cell.getFgColor();
      }
      return null;
    },
    until(wanted) {
      const isThere = typeof wanted === "function" ? wanted : (text: string) => wanted.test(text);
      return new Promise((resolve, reject) => {
        const giveUp = setTimeout(() => {
          watching.delete(watch);
          reject(new Error(`${wanted} did not come:\n${seen()}`));
        }, patienceMs);
        const watch = () => {
          const text = seen();
          if (!isThere(text)) return;
          clearTimeout(giveUp);
          watching.delete(watch);
          resolve(text);
        };
        watching.add(watch);
        void settled().then(watch);
      });
    },
    type: (text) => void input.write(text),
    resize(toColumns, toRows) {
      terminal.resize(toColumns, toRows);
      Object.assign(stdout, { columns: toColumns, rows: toRows });
      output.emit("resize");
    },
  };
}
