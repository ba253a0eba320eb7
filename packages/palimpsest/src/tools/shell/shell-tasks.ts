import { firstChars, showLine } from "@palimpsest/core/internal";
import {
  fail,
  type Ids,
  type Notice,
  type NoticeSource,
  ok,
  type Result,
  type Shell,
  type ShellEnd,
} from "@palimpsest/core/spec";
import { createCommandShell, describeEnd } from "./command-shell.ts";
import { createOutputWindow } from "./output-window.ts";

interface ShellTaskRequest {
  readonly command: string;
  readonly description?: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Commands in the background. Each keeps a bounded part of its output; one notice tells that it has ended. */
export interface ShellTasks extends TaskSource, NoticeSource {
  start(request: ShellTaskRequest): Result<BackgroundTask>;
  /** Ends all of them and waits for it; none starts afterwards. */
  close(): Promise<void>;
}

export const maxRunningTasks = 16;

/** Tasks that have ended and are still known. */
const maxEndedTasks = 32;

/** Kept of the output of each task, from its beginning and from its end. */
const taskHeadChars = 20_000;
const taskTailChars = 80_000;

const titleChars = 120;

interface Entry extends BackgroundTask {
  isTold: boolean;
}

export function createShellTasks({ shell, ids }: { readonly shell: Shell; readonly ids: Ids }): ShellTasks {
  const startCommand = createCommandShell(shell);
  const entries = new Map<string, Entry>();
  let isClosed = false;

  const running = () => [...entries.values()].filter(({ isRunning }) => isRunning);

  /** Those that the model knows of go first. */
  function forgetOldest(): void {
    const ended = [...entries.values()].filter(({ isRunning }) => !isRunning);
    const leaving = [...ended.filter(({ isTold }) => isTold), ...ended.filter(({ isTold }) => !isTold)];
    for (const { id } of leaving.slice(0, Math.max(0, ended.length - maxEndedTasks))) entries.delete(id);
  }

  function begin({ command, description, cwd, environment }: ShellTaskRequest): Entry {
    const window = createOutputWindow({ headChars: taskHeadChars, tailChars: taskTailChars });
    const child = startCommand(command, { cwd, environment, onOutput: window.add });
    let end: Result<ShellEnd> | undefined;
    const entry: Entry = {
      id: ids.next("task"),
      title: firstChars((description ?? command).replace(/\s+/g, " ").trim(), titleChars),
      isTold: false,
      get isRunning() {
        return end === undefined;
      },
      get outcome() {
        return end && describeEnd(end);
      },
      ended: child.ended.then((value) => {
        end = value;
        forgetOldest();
      }),
      takeOutput: window.take,
      async stop() {
        child.kill();
        await entry.ended;
      },
      markTold() {
        entry.isTold = true;
      },
    };
    return entry;
  }

  return {
    name: "shell-tasks",
    tasks: () => [...entries.values()],
    start(request) {
      if (isClosed) return fail("closed", "No task can be started: the session is ending.");
      if (running().length >= maxRunningTasks) {
        return fail("too-large", `${maxRunningTasks} tasks are running already.`, {
          fix: "Stop one of them with TaskStop, or wait for one to end.",
        });
      }
      const entry = begin(request);
      entries.set(entry.id, entry);
      return ok(entry);
    },
    async take() {
      const due = [...entries.values()].filter(({ isRunning, isTold }) => !isRunning && !isTold);
      for (const entry of due) entry.markTold();
      return due.map(toNotice);
    },
    async restore() {
      const open = [...entries.values()].filter(({ isRunning, isTold }) => isRunning || !isTold);
      for (const entry of open.filter(({ isRunning }) => !isRunning)) entry.markTold();
      return open.map((entry) => (entry.isRunning ? toRunningNotice(entry) : toNotice(entry)));
    },
    async close() {
      isClosed = true;
      await Promise.all(running().map((entry) => entry.stop()));
    },
  };
}

function toNotice({ id, title, outcome }: BackgroundTask): Notice {
  return {
    subtype: "task",
    text: `The background task ${id} (${showLine(title)}) has ended: ${outcome}. TaskOutput gives its output.`,
  };
}

function toRunningNotice({ id, title }: BackgroundTask): Notice {
  return {
    subtype: "task",
    text: `The background task ${id} (${showLine(title)}) is running. TaskOutput gives its output so far, TaskStop ends it.`,
  };
}

/** Work that goes on while the model does something else. */
export interface BackgroundTask {
  readonly id: string;
  /** Its title, for a person and the model; one line. */
  readonly title: string;
  readonly isRunning: boolean;
  /** How it ended, in a few words; absent while it runs. */
  readonly outcome?: string;
  /** Resolves once it has ended, however. */
  readonly ended: Promise<void>;
  /** Its output since it was asked last, bounded. */
  takeOutput(): string;
  /** Ends it with all it started; resolves once it has ended. */
  stop(): Promise<void>;
  /** The model knows that it has ended: no notice of it is due. */
  markTold(): void;
}

/** Who has tasks: the shell, agents. */
export interface TaskSource {
  tasks(): readonly BackgroundTask[];
}
