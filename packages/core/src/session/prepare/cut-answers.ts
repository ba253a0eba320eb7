import {
  type ContentBlock,
  type Entry,
  type EntryDraft,
  fail,
  ok,
  type RepairStep,
  type Result,
} from "../../spec/index.ts";
import { type CutAnswer, findCutAnswer } from "../../view/cut-answer.ts";
import { freedByRepair } from "../../view/request/freed-by-repair.ts";
import type { SessionParts } from "../session-parts.ts";
import { restoreDraft } from "../undo/undo.ts";

/** Answers that were cut because the model's window was full: each is asked for again, on less. */
export interface CutAnswers {
  /** The newest answer, where it is one and nothing was compacted since; who only reads leaves it as it is. */
  find(): CutAnswer | null;
  /** Takes one out of the view: half an answer is no beginning of the next. Gives what says so, where it can be done. */
  takeBack(cut: CutAnswer): Promise<Result<Entry | undefined>>;
  /** Brings one back by what took it out, since it cannot be asked for again. Fails in any case. */
  giveUp(taken: Entry): Promise<Result<never>>;
}

export interface CutAnswersParts extends Pick<SessionParts, "state" | "log"> {
  readonly tokensOf: (block: ContentBlock) => number;
  readonly append: (drafts: readonly EntryDraft[]) => Promise<Result<readonly Entry[]>>;
}

const why = "the window was full before the answer was whole: it is asked for again";

export function createCutAnswers({ state, log, tokensOf, append }: CutAnswersParts): CutAnswers {
  return {
    find() {
      if (log.isReadOnly) return null;
      const { items, messageOf, liveCompactions } = state;
      return findCutAnswer({ items, messageOf, boundarySeq: liveCompactions.at(-1)?.seq });
    },
    async takeBack({ repeatable }) {
      if (repeatable.length === 0) return ok(undefined);
      const steps = repeatable.map(
        ({ entry, index: block }): RepairStep => ({ repair: "drop-block", place: { entry, block }, why }),
      );
      const frees = freedByRepair(state.items, steps, tokensOf);
      const head = { layer: "engine", reason: why, frees, basis: state.head } as const;
      const appended = await append([{ kind: "decision", decision: { ...head, type: "repair", steps } }]);
      return appended.ok ? ok(appended.value[0]) : appended;
    },
    async giveUp(taken) {
      const back = await append([restoreDraft(taken, state.head, "nothing could be freed")]);
      return back.ok ? windowFull() : back;
    },
  };
}

function windowFull(): Result<never> {
  return fail("too-large", "The answer was cut: the model's window is full, and nothing could be freed.", {
    fix: "Compact the session, ask for less at once, use fewer tools, or a model with a larger window.",
  });
}
