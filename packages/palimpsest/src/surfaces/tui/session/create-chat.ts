import { version } from "@palimpsest/core";
import {
  type Clock,
  fail,
  PalimpsestError,
  type PermissionAnswer,
  type Result,
  type RunOptions,
  type Session,
  type UserAnswer,
} from "@palimpsest/core/spec";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import type { Action, Effect } from "../state/action.ts";
import { type ChatState, initialState, type ScreenSize } from "../state/chat-state.ts";
import type { Key } from "../state/pager.ts";
import type { PartBody } from "../state/part.ts";
import { reduce } from "../state/reduce.ts";
import type { ChatEnvironment, SessionChoice } from "./chat-environment.ts";
import { performChoice } from "./perform-choice.ts";
import { performCommand } from "./perform-command.ts";
import { readOriginal, readPast } from "./read-past.ts";
import { readTranscriptItems } from "./read-transcript-items.ts";
import { type BackgroundWatch, watchBackground } from "./watch-background.ts";

export interface ChatOptions {
  readonly doors: ChatEnvironment;
  readonly clock: Clock;
  readonly size: ScreenSize;
  readonly isColoured: boolean;
  readonly history: readonly string[];
  /** Hears of every state that is to be shown. */
  readonly show: (state: ChatState) => void;
  readonly redraw?: () => void;
  /** Ends what is waited for at the end. */
  readonly signal?: AbortSignal;
}

/** The terminal agent without its terminal: keys go in, states come out. */
export interface Chat {
  readonly state: ChatState;
  /** Opens the first session. Throws where it cannot be opened. */
  open(choice: SessionChoice): Promise<void>;
  press(...keys: readonly Key[]): void;
  resize(size: ScreenSize): void;
  /** Ends what goes on and closes the session; the id it has. */
  close(): Promise<string | null>;
  /** Resolves when the person quits. */
  readonly hasQuit: Promise<void>;
}

/** The context of commands and choices. */
export interface ChatContext {
  readonly doors: ChatEnvironment;
  readonly state: () => ChatState;
  readonly dispatch: (action: Action) => void;
  readonly session: () => Session;
  readonly isColoured: boolean;
  open(choice: SessionChoice): Promise<void>;
  measure(): void;
  /** Tells how agents and commands in the background are now. */
  look(): void;
  /** Ends one of them. */
  stop(id: string): Promise<void>;
  /** Something that takes a while and can be stopped. */
  work(name: string, task: (signal: AbortSignal) => Promise<void>): Promise<void>;
}

type Performers = {
  readonly [Type in Effect["type"]]: (effect: Extract<Effect, { readonly type: Type }>) => void;
};

const tickMs = 1_000;

const tellsOfAgents: ReadonlySet<string> = new Set(["agent-start", "agent-update", "agent-end"]);

export function createChat(options: ChatOptions): Chat {
  const { doors, clock, show } = options;
  let state = initialState(options.size, options.history);
  let session: Session | null = null;
  let watch: BackgroundWatch | null = null;
  let ending: AbortController | null = null;
  let quit: () => void = () => {};
  const hasQuit = new Promise<void>((resolve) => {
    quit = resolve;
  });
  const permissions = new Map<string, (answer: PermissionAnswer) => void>();
  const questions = new Map<number, (answers: Result<readonly UserAnswer[]>) => void>();
  /** Work in progress, to be waited for at the end. */
  const going = new Set<Promise<unknown>>();
  let questionCount = 0;

  function dispatch(action: Action): void {
    const step = reduce(state, action);
    state = step.state;
    show(state);
    for (const effect of step.effects) perform(effect);
  }

  const fails = (cause: unknown) =>
    dispatch({ type: "show", part: { kind: "note", level: "error", text: failureText(cause) } });

  function track(task: Promise<unknown>): void {
    const tracked = task.catch(fails).finally(() => going.delete(tracked));
    going.add(tracked);
  }

  const current = (): Session => {
    if (!session)
      throw fail("closed", "No session is open.", { fix: "/resume opens one, /clear a new one." }).error;
    return session;
  };

  const context: ChatContext = {
    doors,
    state: () => state,
    dispatch,
    session: current,
    isColoured: options.isColoured,
    open,
    measure,
    look: () => watch?.look(),
    stop,
    async work(name, task) {
      const stop = new AbortController();
      ending = stop;
      dispatch({ type: "work", work: { name, steps: [], canStop: true } });
      try {
        await task(stop.signal);
      } finally {
        if (ending === stop) ending = null;
        dispatch({ type: "work", work: null });
      }
    },
  };

  const performers: Performers = {
    run: ({ prompt }) => track(follow(prompt)),
    queue: ({ prompt }) => session?.queue(prompt),
    remember: ({ prompt }) => track(doors.remember(prompt)),
    interrupt: () => ending?.abort(),
    quit: () => quit(),
    redraw: () => options.redraw?.(),
    permission({ toolUseId, answer }) {
      permissions.get(toolUseId)?.(answer);
      permissions.delete(toolUseId);
    },
    answers({ id, answers }) {
      questions.get(id)?.(answers);
      questions.delete(id);
    },
    command: ({ name, rest }) => track(performCommand(context, name, rest)),
    choose: ({ purpose, id }) => track(performChoice(context, purpose, id)),
    "list-files": () => track(doors.files().then((paths) => dispatch({ type: "files", paths }))),
    "read-transcript": () => track(showTranscript()),
    "read-original": ({ id }) => track(showOriginal(id)),
  };

  function perform<Type extends Effect["type"]>(effect: Extract<Effect, { readonly type: Type }>): void {
    performers[effect.type as Type](effect);
  }

  const asking: Required<Pick<RunOptions, "onPermission" | "onQuestion">> = {
    onPermission: (question, signal) =>
      new Promise((resolve) => {
        const { toolUseId } = question;
        permissions.set(toolUseId, resolve);
        signal.addEventListener("abort", () => withdraw(toolUseId), { once: true });
        const always = doors.always(question);
        dispatch({ type: "ask-permission", question, ...(always && { always }) });
      }),
    onQuestion: (asked) =>
      new Promise((resolve) => {
        questionCount += 1;
        questions.set(questionCount, resolve);
        dispatch({ type: "ask-questions", id: questionCount, questions: asked });
      }),
  };

  /** Nobody waits for the answer any more. */
  function withdraw(toolUseId: string): void {
    if (permissions.delete(toolUseId)) dispatch({ type: "withdraw-permission", toolUseId });
  }

  /** An agent, a command, or what a layer does. */
  async function stop(id: string): Promise<void> {
    const layer = state.tasks.find((task) => task.id === id)?.layer;
    if (layer === undefined) await watch?.stop(id);
    else await session?.stopTask(layer);
  }

  /** Lets the model work. The seconds are counted only meanwhile. */
  async function follow(prompt: string): Promise<void> {
    const stop = new AbortController();
    ending = stop;
    const over = new AbortController();
    void tick(over.signal);
    try {
      for await (const event of current().run(prompt, { ...asking, signal: stop.signal })) {
        dispatch({ type: "loop", event });
        if (event.type === "response-end") measure();
        if (event.type === "tool-end") watch?.look();
      }
    } catch (cause) {
      dispatch({ type: "run-crash", message: failureText(cause) });
    } finally {
      over.abort();
      if (ending === stop) ending = null;
      questions.clear();
      if (session) measure();
    }
  }

  async function tick(signal: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(tickMs, signal);
      if (signal.aborted) return;
      dispatch({ type: "tick", nowMs: clock.monotonic() });
    }
  }

  function measure(): void {
    const { count, thresholds } = current().usage();
    dispatch({ type: "measure", fullness: { tokens: count.tokens, thresholds } });
  }

  /** The session before it is closed first: nobody writes to two at once. */
  async function open(choice: SessionChoice): Promise<void> {
    const before = session;
    session = null;
    watch?.close();
    await before?.close({ reason: choice.isCleared ? "clear" : "resume" });
    const opened = await doors.open(choice, {
      event(event) {
        dispatch({ type: "session", event });
        if (tellsOfAgents.has(event.type)) watch?.look();
      },
      warn: (text) => dispatch({ type: "show", part: { kind: "note", level: "warning", text } }),
      ask: asking.onPermission,
      grace: {
        ...(options.signal && { signal: options.signal }),
        onWait() {
          const text = "Saving memories; Ctrl+C skips it.";
          dispatch({ type: "show", part: { kind: "note", level: "info", text } });
        },
      },
      mail(mail) {
        watch?.look();
        dispatch({ type: "mail", ...mail });
      },
    });
    session = opened.session;
    watch = watchBackground(opened.background, (background) => dispatch({ type: "background", background }));
    const past = await readPast(opened.session.entries(), doors.dollars);
    dispatch({
      type: "open",
      session: { id: opened.session.id, model: opened.model, cwd: doors.cwd },
      cost: past.cost,
      parts: past.parts.length > 0 ? past.parts : [welcomePart(doors.cwd)],
    });
    measure();
  }

  async function showTranscript(): Promise<void> {
    const items = await readTranscriptItems(current().entries(), doors.cwd);
    dispatch({ type: "transcript", items });
  }

  async function showOriginal(id: string): Promise<void> {
    const item = state.pager?.items.find((each) => each.id === id);
    if (!item) return;
    dispatch({ type: "original", id, text: await readOriginal(current(), item) });
  }

  return {
    get state() {
      return state;
    },
    open,
    press(...keys) {
      for (const key of keys) dispatch({ type: "key", key, nowMs: clock.monotonic() });
    },
    resize: (size) => dispatch({ type: "resize", size }),
    async close() {
      ending?.abort();
      await Promise.all(going);
      const id = session?.id ?? null;
      watch?.close();
      await session?.close({ reason: options.signal?.aborted ? "interrupted" : "quit" });
      session = null;
      return id;
    },
    hasQuit,
  };
}

function welcomePart(cwd: string): PartBody {
  return {
    kind: "panel",
    title: `Palimpsest ${version}`,
    lines: [`  works in ${escapeTerminal(cwd)}`, "  /help shows keys and commands"],
  };
}

/** The error's text, for a person: never a stack. */
export function failureText(cause: unknown): string {
  if (PalimpsestError.isInstance(cause))
    return cause.fix === undefined ? cause.message : `${cause.message}\nfix: ${cause.fix}`;
  return `This should not have happened: ${cause instanceof Error ? cause.message : String(cause)}`;
}
