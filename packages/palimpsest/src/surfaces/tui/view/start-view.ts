import { render } from "ink";
import { createElement, Fragment } from "react";
import type { Style } from "../../terminal/style.ts";
import { screenLines } from "../lines/screen-lines.ts";
import type { ChatState } from "../state/chat-state.ts";
import type { Part } from "../state/part.ts";
import { ChatView } from "./chat-view.tsx";

export interface ViewOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly style: Style;
  readonly isPlain: boolean;
  readonly cwd: string;
}

export interface View {
  show(state: ChatState): void;
  /** The screen is emptied and drawn anew. */
  redraw(): void;
  /** Nothing is drawn any more; what has happened stays on the screen. */
  close(): void;
}

const framesPerSecond = 120;
const hideCursor = "\u001b[?25l";
const showCursor = "\u001b[?25h";
const otherScreen = `\u001b[?1049h${hideCursor}`;
const ownScreen = "\u001b[?1049l";
const home = "\u001b[H";
const restOfLine = "\u001b[K";
const restOfScreen = "\u001b[J";

/** Draws states with Ink. The transcript has a screen of its own, where Ink writes nothing, so that it leaves nothing behind. */
export function startView({ stdin, stdout, style, isPlain, cwd }: ViewOptions): View {
  let shown: ChatState | null = null;
  let parts: readonly Part[] = [];
  /** So many of the parts were printed before the screen was emptied. */
  let printedBefore = 0;
  let unprinted: readonly Part[] = parts;
  let instance: ReturnType<typeof render> | null = null;
  let isElsewhere = false;
  /** Ink has the cursor in its newest frame, and thinks that it is seen. */
  let hasCursor = false;
  const output = holdOutput(stdout);

  const look = (state: ChatState) => ({ columns: state.size.columns, style, isPlain, cwd });

  function draw(state: ChatState): void {
    if (isElsewhere) {
      const lines = screenLines(state, look(state)).lines.map((line) => line + restOfLine);
      stdout.write(`${home}${lines.join("\r\n")}${restOfScreen}`);
      return;
    }
    if (state.parts !== parts) {
      parts = state.parts;
      unprinted = printedBefore === 0 ? parts : parts.slice(printedBefore);
    }
    const node = createElement(ChatView, { state, look: look(state), parts: unprinted });
    if (instance) {
      instance.rerender(node);
      return;
    }
    instance = render(node, {
      stdin,
      stdout: output.stdout,
      stderr: output.stdout,
      exitOnCtrlC: false,
      patchConsole: false,
      maxFps: framesPerSecond,
      isScreenReaderEnabled: isPlain,
    });
  }

  function turnScreen(isPaging: boolean): void {
    if (isPaging === isElsewhere) return;
    isElsewhere = isPaging;
    if (isPaging) output.hold();
    if (isPaging && shown) hasCursor = screenLines(shown, look(shown)).cursor !== null;
    stdout.write(isPaging ? otherScreen : ownScreen + (hasCursor ? showCursor : ""));
    if (!isPaging) output.release();
  }

  /** The live part is taken away; what stands above it is printed for good. */
  function stop(): void {
    instance?.rerender(createElement(Fragment));
    instance?.unmount();
    instance = null;
  }

  return {
    show(state) {
      turnScreen(state.pager !== null && !isPlain);
      shown = state;
      draw(state);
    },
    redraw() {
      if (!shown) return;
      if (!isElsewhere) {
        stop();
        printedBefore = parts.length;
        unprinted = [];
      }
      stdout.write(`${home}${restOfScreen}`);
      draw(shown);
    },
    close() {
      turnScreen(false);
      stop();
    },
  };
}

/** A terminal's output that can be held back: what is written meanwhile comes when it is let go. */
interface HeldOutput {
  readonly stdout: NodeJS.WriteStream;
  hold(): void;
  release(): void;
}

/** Everything but writing is the terminal's own. */
function holdOutput(terminal: NodeJS.WriteStream): HeldOutput {
  const held: (string | Uint8Array)[] = [];
  let isHeld = false;
  const write = (chunk: string | Uint8Array) => {
    if (!isHeld) return terminal.write(chunk);
    held.push(chunk);
    return true;
  };
  const stdout = new Proxy(terminal, {
    get(target, name) {
      if (name === "write") return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return {
    stdout,
    hold() {
      isHeld = true;
    },
    release() {
      isHeld = false;
      for (const chunk of held.splice(0)) terminal.write(chunk);
    },
  };
}
