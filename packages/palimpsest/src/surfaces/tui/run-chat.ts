import type { Clock } from "@palimpsest/core/spec";
import { untilAborted } from "../../signals.ts";
import type { Style } from "../terminal/style.ts";
import type { ChatEnvironment, SessionChoice } from "./session/chat-environment.ts";
import { type Chat, createChat } from "./session/create-chat.ts";
import { createKeyReader } from "./state/create-key-reader.ts";
import type { Key } from "./state/pager.ts";
import { startView } from "./view/start-view.ts";

export interface RunChatOptions {
  readonly doors: ChatEnvironment;
  readonly clock: Clock;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly style: Style;
  readonly isPlain: boolean;
  readonly history: readonly string[];
  readonly first: SessionChoice;
  /** Ends it as if the person had quit. */
  readonly signal: AbortSignal;
  /** Hears of the chat once its session is open. */
  readonly onOpen?: (chat: Chat) => void;
}

/** The terminal agent, until the person quits; the id of the session it ended with. */
export async function runChat(options: RunChatOptions): Promise<string | null> {
  const { doors, clock, stdin, stdout, style, isPlain, history, signal } = options;
  const sizeOf = () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 });
  const view = startView({ stdin, stdout, style, isPlain, cwd: doors.cwd });
  const chat = createChat({
    doors,
    clock,
    size: sizeOf(),
    isColoured: style.red("x") !== "x",
    history,
    show: view.show,
    redraw: view.redraw,
    signal,
  });
  const stopped = untilAborted(signal);
  let end: () => void = () => {};
  const gone = new Promise<void>((resolve) => {
    end = resolve;
  });
  const onResize = () => chat.resize(sizeOf());
  const keyboard = startKeyboard({ stdin, stdout, onKeys: (keys) => chat.press(...keys), onEnd: end });
  stdout.on("resize", onResize);
  try {
    await chat.open(options.first);
    options.onOpen?.(chat);
    await Promise.race([chat.hasQuit, stopped, gone]);
  } finally {
    stdout.off("resize", onResize);
    keyboard.close();
  }
  try {
    return await chat.close();
  } finally {
    view.close();
  }
}

const pasteOn = "\u001b[?2004h";
const pasteOff = "\u001b[?2004l";

interface KeyboardOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly onKeys: (keys: readonly Key[]) => void;
  /** The terminal is gone. */
  readonly onEnd: () => void;
}

/** Reads keys until it is closed; then the terminal is as it was. */
function startKeyboard({ stdin, stdout, onKeys, onEnd }: KeyboardOptions): { close(): void } {
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
