import type {
  Event,
  LoopEvent,
  PermissionAnswer,
  PermissionQuestion,
  PermissionRules,
  Result,
  UserAnswer,
  UserQuestion,
} from "@palimpsest/core/spec";
import type {
  Background,
  ChatState,
  Cost,
  Fullness,
  LiveWork,
  ScreenSize,
  SessionFacts,
} from "./chat-state.ts";
import type { CommandName } from "./commands.ts";
import type { ChoiceItem, ChoicePurpose } from "./dialog.ts";
import type { Key, TranscriptItem } from "./pager.ts";
import type { PartBody } from "./part.ts";

/** Something that has happened. */
export type Action =
  | { readonly type: "key"; readonly key: Key; readonly nowMs: number }
  | { readonly type: "loop"; readonly event: LoopEvent }
  | { readonly type: "session"; readonly event: Event }
  | { readonly type: "resize"; readonly size: ScreenSize }
  | { readonly type: "tick"; readonly nowMs: number }
  /** Another session is open; what is known of its past comes with it. */
  | {
      readonly type: "open";
      readonly session: SessionFacts;
      readonly cost: Cost;
      readonly parts: readonly PartBody[];
    }
  | { readonly type: "measure"; readonly fullness: Fullness }
  /** How agents and commands in the background are now. */
  | { readonly type: "background"; readonly background: Background }
  /** A message has come that the model has not read. */
  | { readonly type: "mail"; readonly from: string; readonly summary?: string }
  | { readonly type: "show"; readonly part: PartBody }
  | { readonly type: "work"; readonly work: LiveWork | null }
  | { readonly type: "work-step"; readonly step: string }
  | {
      readonly type: "ask-permission";
      readonly question: PermissionQuestion;
      readonly always?: PermissionRules;
    }
  | { readonly type: "withdraw-permission"; readonly toolUseId: string }
  | { readonly type: "ask-questions"; readonly id: number; readonly questions: readonly UserQuestion[] }
  | {
      readonly type: "offer";
      readonly purpose: ChoicePurpose;
      readonly title: string;
      readonly items: readonly ChoiceItem[];
    }
  | { readonly type: "files"; readonly paths: readonly string[] }
  | { readonly type: "transcript"; readonly items: readonly TranscriptItem[] }
  | { readonly type: "original"; readonly id: string; readonly text: string }
  | { readonly type: "write"; readonly text: string }
  | { readonly type: "run-crash"; readonly message: string };

/** Something that is to be done. */
export type Effect =
  | { readonly type: "run"; readonly prompt: string }
  | { readonly type: "queue"; readonly prompt: string }
  | { readonly type: "remember"; readonly prompt: string }
  /** Ends the run, or the command at work. */
  | { readonly type: "interrupt" }
  | { readonly type: "quit" }
  | { readonly type: "redraw" }
  | { readonly type: "permission"; readonly toolUseId: string; readonly answer: PermissionAnswer }
  | { readonly type: "answers"; readonly id: number; readonly answers: Result<readonly UserAnswer[]> }
  | { readonly type: "command"; readonly name: CommandName; readonly rest: string }
  | { readonly type: "choose"; readonly purpose: ChoicePurpose; readonly id: string }
  | { readonly type: "list-files" }
  | { readonly type: "read-transcript" }
  | { readonly type: "read-original"; readonly id: string };

/** The state behind an action, and what it asks for. */
export interface Step {
  readonly state: ChatState;
  readonly effects: readonly Effect[];
}

export function stepTo(state: ChatState, ...effects: readonly Effect[]): Step {
  return { state, effects };
}
