import type { DreamAuthor, DreamState, EventBody } from "../../../spec/index.ts";

/** One answer of the one who dreams: what it said, and how often it used which tool. */
export interface DreamTurn {
  readonly text: string;
  readonly calls: Readonly<Record<string, number>>;
}

/** A dream as a person sees it, while it runs and after it. */
export interface DreamTask {
  readonly id: string;
  readonly by: DreamAuthor;
  readonly state: DreamState;
  /** The newest ones. */
  readonly turns: readonly DreamTurn[];
  /** All of them. */
  readonly turnCount: number;
  /** Files written or removed, sorted. */
  readonly files: readonly string[];
  readonly message?: string;
}

export type DreamEvent =
  | { readonly kind: "turn"; readonly turn: DreamTurn }
  | { readonly kind: "write"; readonly path: string }
  | { readonly kind: "end"; readonly outcome: DreamOutcome; readonly message?: string };

export type DreamOutcome = "completed" | "failed" | "killed";

/** How many turns are kept for people to see. */
export const keptTurns = 30;

export function startDreamTask(id: string, by: DreamAuthor): DreamTask {
  return { id, by, state: "starting", turns: [], turnCount: 0, files: [] };
}

function isOver({ state }: DreamTask): boolean {
  return state !== "starting" && state !== "updating";
}

/** `starting` → `updating` at the first write → an end. What happens after the end changes nothing: the same task. */
export function nextDreamTask(task: DreamTask, happening: DreamEvent): DreamTask {
  if (isOver(task)) return task;
  switch (happening.kind) {
    case "turn":
      return {
        ...task,
        turns: [...task.turns, happening.turn].slice(-keptTurns),
        turnCount: task.turnCount + 1,
      };
    case "write":
      return {
        ...task,
        state: "updating",
        files: [...new Set([...task.files, happening.path])].sort(),
      };
    case "end":
      return {
        ...task,
        state: happening.outcome,
        ...(happening.message === undefined ? {} : { message: happening.message }),
      };
  }
}

/** The event for a task that was just created, or just changed by `happening`. */
export function toDreamEvent(task: DreamTask, happening?: DreamEvent): EventBody {
  const { id: dream, by, state, turnCount, files, message } = task;
  if (happening === undefined) return { type: "dream-start", dream, by };
  if (isOver(task)) {
    const outcome = state as DreamOutcome;
    return {
      type: "dream-end",
      dream,
      by,
      outcome,
      turns: turnCount,
      files,
      ...(message ? { message } : {}),
    };
  }
  const turn = happening.kind === "turn" ? { text: happening.turn.text, calls: happening.turn.calls } : {};
  return {
    type: "dream-update",
    dream,
    state: state as "starting" | "updating",
    turns: turnCount,
    files,
    ...turn,
  };
}

/** The prefix of dream ids; the session in which a model dreams has the dream's id. */
export const dreamPrefix = "dream";

/** Such sessions are about memory itself: they are neither counted nor searched by dreams. */
export function isDreamSession(session: string): boolean {
  return session.startsWith(`${dreamPrefix}_`);
}
