import type { PermissionQuestion, PermissionRules, UserAnswer, UserQuestion } from "@palimpsest/core/spec";
import type { Editor } from "./editor.ts";

/** Something a person is asked. */
export type Dialog = PermissionDialog | QuestionDialog | ChoiceDialog;

export interface PermissionDialog {
  readonly kind: "permission";
  readonly question: PermissionQuestion;
  /** The rules that “always” would add; absent where no rule can say it. */
  readonly always?: PermissionRules;
  readonly chosen: number;
  /** Lines of what is asked for that have moved out above. */
  readonly scroll: number;
  /** Why not, while it is written. */
  readonly reason: Editor | null;
}

export interface QuestionDialog {
  readonly kind: "question";
  readonly id: number;
  readonly questions: readonly UserQuestion[];
  /** Those before the one that is shown. */
  readonly answers: readonly UserAnswer[];
  readonly chosen: number;
  readonly marked: readonly number[];
  /** The person's own answer, while it is written. */
  readonly words: Editor | null;
}

export type ChoicePurpose = "resume" | "rewind" | "model" | "stop";

export interface ChoiceDialog {
  readonly kind: "choice";
  readonly purpose: ChoicePurpose;
  readonly title: string;
  readonly items: readonly ChoiceItem[];
  readonly chosen: number;
}

export interface ChoiceItem {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
}

/** A plan is agreed on, not allowed. */
export const planTool = "ExitPlanMode";

export type PermissionChoice = "once" | "always" | "deny";

export function permissionChoices({ always }: Pick<PermissionDialog, "always">): readonly PermissionChoice[] {
  return always ? ["once", "always", "deny"] : ["once", "deny"];
}

export function questionOf({ questions, answers }: QuestionDialog): UserQuestion | undefined {
  return questions[answers.length];
}
