import type { Clock } from "@palimpsest/core/spec";
import type { Style } from "../cli/style.ts";
import type { ChatDoors, SessionChoice } from "./session/chat-doors.ts";
import { type Chat, createChat } from "./session/create-chat.ts";
import { startKeyboard } from "./view/start-keyboard.ts";
import { startView } from "./view/start-view.ts";

export interface RunChatOptions {
  readonly doors: ChatDoors;
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
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
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
