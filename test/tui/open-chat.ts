import { realpathSync } from "node:fs";
import { onTestFinished } from "vitest";
import { createRuntime } from "../../packages/core/src/runtime.ts";
import { createSecretMask } from "../../packages/core/src/session/secrets/index.ts";
import type { Clock } from "../../packages/core/src/spec/index.ts";
import type { OpenAgentOptions } from "../../packages/palimpsest/src/loop/agent/open-agent.ts";
import { createDoors } from "../../packages/palimpsest/src/surfaces/cli/chat/create-chat-environment.ts";
import type { CommandContext, Terminal } from "../../packages/palimpsest/src/surfaces/local/terminal.ts";
import { createStyle } from "../../packages/palimpsest/src/surfaces/terminal/style.ts";
import { loadChat } from "../../packages/palimpsest/src/surfaces/tui/load-chat.ts";
import {
  createPromptFile,
  type SessionChoice,
} from "../../packages/palimpsest/src/surfaces/tui/session/chat-environment.ts";
import type { Chat } from "../../packages/palimpsest/src/surfaces/tui/session/create-chat.ts";
import type { Emulator, EmulatorOptions } from "../../packages/testing/src/index.ts";
import { modelAt } from "../support/agent.ts";
import { emulate } from "../support/emulator.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { createVirtualTerminal, type VirtualTerminal } from "./virtual-terminal.ts";

export interface OpenChatOptions extends EmulatorOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly isColoured?: boolean;
  readonly isPlain?: boolean;
  readonly agent?: OpenAgentOptions;
  readonly home?: string;
  readonly project?: string;
  readonly first?: SessionChoice;
  readonly chatClock?: Clock;
  readonly emulator?: Emulator;
}

export interface OpenedTestChat {
  readonly terminal: VirtualTerminal;
  readonly emulator: Emulator;
  readonly chat: Chat;
  readonly home: string;
  readonly project: string;
  /** Sends a line and waits until nothing goes on any more, and until the screen has something. */
  say(line: string, wanted?: RegExp): Promise<string>;
  /** Resolves with the session's id once the person has quit. */
  readonly ended: Promise<string | null>;
}

export const enter = "\r";
export const escapeKey = "\u001b";
export const up = "\u001b[A";
export const down = "\u001b[B";
export const ctrl = (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 96);

export const ready = /Ask or tell/;

/** The terminal agent on a terminal that nobody sees, its model an emulator. */
export async function openChat(options: OpenChatOptions = {}): Promise<OpenedTestChat> {
  const { columns, rows, isColoured = false, isPlain = false, agent, first = {}, ...rest } = options;
  const emulator = options.emulator ?? (await emulate(rest)).emulator;
  const home = options.home ?? realpathSync(await temporaryFolder());
  const project = options.project ?? realpathSync(await temporaryFolder());
  const terminal = createVirtualTerminal(columns, rows);
  const stopping = new AbortController();
  const prompts = createPromptFile(
    `${home}/prompts.jsonl`,
    createSecretMask({ key: "a key for the tests, long enough" }),
  );
  const doors = createDoors({
    context: testContext(home, project, stopping.signal),
    agent: {
      model: modelAt(emulator),
      ...agent,
      settings: { ...agent?.settings, flags: { "memory-extraction": false, ...agent?.settings?.flags } },
    },
    workspace: [project],
    environment: { ANTHROPIC_API_KEY: "sk-test" },
    prompts,
    isColoured,
  });
  const runChat = await loadChat();
  let opened: (chat: Chat) => void = () => {};
  const opening = new Promise<Chat>((resolve) => {
    opened = resolve;
  });
  const ended = runChat({
    doors,
    clock: options.chatClock ?? createRuntime().clock,
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    style: createStyle(isColoured),
    isPlain,
    history: await prompts.read(),
    first,
    signal: stopping.signal,
    onOpen: opened,
  });
  onTestFinished(async () => {
    stopping.abort();
    await ended;
  });
  const chat = await Promise.race([opening, ended.then(() => Promise.reject(new Error("it ended")))]);
  if (!isPlain) await terminal.until(ready);
  return {
    terminal,
    emulator,
    chat,
    home,
    project,
    ended,
    async say(line, wanted = ready) {
      const before = chat.state.parts.length;
      terminal.type(line + enter);
      await terminal.until(() => {
        const { parts, run, work, editor } = chat.state;
        return parts.length > before && !run && !work && editor.text === "";
      });
      return terminal.until(wanted);
    },
  };
}

export function testContext(home: string, folder: string, signal: AbortSignal): CommandContext {
  const terminal: Terminal = {
    columns: 80,
    style: createStyle(false),
    isInteractive: true,
    isWatched: true,
    isScreen: true,
    isPiped: false,
    signal,
    isClosed: false,
    write: async () => undefined,
    say: () => undefined,
    progress: () => undefined,
    confirm: async () => false,
    ask: async () => null,
    askHidden: async () => "",
    async *input() {},
  };
  return { terminal, home, folder, now: () => Date.now() };
}
