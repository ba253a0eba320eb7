import { fail, ok, type PermissionAnswer, type UserAnswer } from "@palimpsest/core/spec";
import { dialogMaxScroll } from "../lines/dialog-lines.ts";
import { type Effect, type Step, stepTo } from "./action.ts";
import type { ChatState } from "./chat-state.ts";
import {
  type ChoiceDialog,
  type Dialog,
  type PermissionChoice,
  type PermissionDialog,
  permissionChoices,
  type QuestionDialog,
  questionOf,
} from "./dialog.ts";
import { editByKey } from "./edit-by-key.ts";
import { type Editor, emptyEditor } from "./editor.ts";
import type { Key } from "./pager.ts";

/** A key while something is asked. */
export function reduceDialogKey(state: ChatState, dialog: Dialog, key: Key): Step {
  switch (dialog.kind) {
    case "permission":
      return dialog.reason ? reduceReasonKey(state, dialog, key) : reducePermissionKey(state, dialog, key);
    case "question":
      return reduceQuestionKey(
        key,
        dialog,
        (next) => withDialog(state, next),
        (answers) => closeDialog(state, { type: "answers", id: dialog.id, answers: ok(answers) }),
        () =>
          closeDialog(state, {
            type: "answers",
            id: dialog.id,
            answers: fail("closed", "The person does not want to answer."),
          }),
      );
    case "choice":
      return reduceChoiceKey(state, dialog, key);
  }
}

function withDialog(state: ChatState, dialog: Dialog): Step {
  return stepTo({ ...state, dialogs: [dialog, ...state.dialogs.slice(1)] });
}

function closeDialog(state: ChatState, ...effects: readonly Effect[]): Step {
  return stepTo({ ...state, dialogs: state.dialogs.slice(1) }, ...effects);
}

function permit(state: ChatState, { question }: PermissionDialog, answer: PermissionAnswer): Step {
  return closeDialog(state, { type: "permission", toolUseId: question.toolUseId, answer });
}

function reducePermissionKey(state: ChatState, dialog: PermissionDialog, key: Key): Step {
  const choices = permissionChoices(dialog);
  const pick = (choice: PermissionChoice | undefined): Step => {
    if (choice === "once") return permit(state, dialog, { behavior: "allow" });
    if (choice === "always") return permit(state, dialog, { behavior: "allow", rules: dialog.always });
    if (choice === "deny") return withDialog(state, { ...dialog, reason: emptyEditor });
    return stepTo(state);
  };
  switch (key.name) {
    case "up":
    case "down":
      return withDialog(state, { ...dialog, chosen: moveChoice(dialog.chosen, key.name, choices.length) });
    case "page-up":
    case "page-down": {
      const wanted = dialog.scroll + (key.name === "page-up" ? -5 : 5);
      const scroll = Math.max(0, Math.min(wanted, dialogMaxScroll(dialog, state.size)));
      return withDialog(state, { ...dialog, scroll });
    }
    case "enter":
      return pick(choices[dialog.chosen]);
    case "escape":
      return permit(state, dialog, { behavior: "deny" });
    case "text":
      if (/^y$/i.test(key.text)) return pick("once");
      if (/^n$/i.test(key.text)) return pick("deny");
      if (/^a$/i.test(key.text) && dialog.always) return pick("always");
      return pick(choices[Number(key.text) - 1]);
    default:
      return stepTo(state);
  }
}

/** Why not: Enter alone says nothing more than no. */
function reduceReasonKey(state: ChatState, dialog: PermissionDialog, key: Key): Step {
  const { reason } = dialog;
  if (!reason) return stepTo(state);
  if (key.name === "escape") return withDialog(state, { ...dialog, reason: null });
  if (key.name === "enter") {
    const words = reason.text.trim();
    return permit(state, dialog, {
      behavior: "deny",
      ...(words !== "" && { reason: `The user says: ${words}` }),
    });
  }
  return withDialog(state, { ...dialog, reason: editByKey(reason, key) ?? reason });
}

function reduceChoiceKey(state: ChatState, dialog: ChoiceDialog, key: Key): Step {
  const { items, chosen, purpose } = dialog;
  switch (key.name) {
    case "up":
    case "down":
      return withDialog(state, { ...dialog, chosen: moveChoice(chosen, key.name, items.length) });
    case "page-up":
    case "page-down": {
      const wanted = chosen + (key.name === "page-up" ? -8 : 8);
      return withDialog(state, { ...dialog, chosen: Math.max(0, Math.min(wanted, items.length - 1)) });
    }
    case "escape":
      return closeDialog(state);
    case "enter": {
      const item = items[chosen];
      return item ? closeDialog(state, { type: "choose", purpose, id: item.id }) : closeDialog(state);
    }
    default:
      return stepTo(state);
  }
}

export function moveChoice(chosen: number, direction: "up" | "down", count: number): number {
  return (chosen + (direction === "up" ? -1 : 1) + count) % count;
}

type Change = (dialog: QuestionDialog) => Step;

/** A key while the model's questions are asked, one after the other. Behind the answers stands the person's own. */
function reduceQuestionKey(
  key: Key,
  dialog: QuestionDialog,
  change: Change,
  finish: (answers: readonly UserAnswer[]) => Step,
  refuse: () => Step,
): Step {
  const asked = questionOf(dialog);
  if (!asked) return finish(dialog.answers);
  const answer = (given: readonly string[]): Step => {
    const answers = [...dialog.answers, { question: asked.question, answers: given }];
    const isLast = answers.length === dialog.questions.length;
    return isLast ? finish(answers) : change({ ...dialog, answers, chosen: 0, marked: [], words: null });
  };
  if (dialog.words) return reduceWordsKey(key, dialog, dialog.words, change, answer);
  const count = asked.options.length + 1;
  const labelsOf = (marks: readonly number[]) => marks.flatMap((at) => asked.options[at]?.label ?? []);
  const toggle = (at: number) => {
    const isMarked = dialog.marked.includes(at);
    const marked = isMarked ? dialog.marked.filter((each) => each !== at) : [...dialog.marked, at].sort();
    return change({ ...dialog, chosen: at, marked });
  };
  const pick = (at: number): Step => {
    if (at >= count || at < 0) return change(dialog);
    if (at === asked.options.length) return change({ ...dialog, chosen: at, words: emptyEditor });
    return asked.multiSelect ? toggle(at) : answer(labelsOf([at]));
  };
  switch (key.name) {
    case "up":
    case "down": {
      const next = (dialog.chosen + (key.name === "up" ? -1 : 1) + count) % count;
      return change({ ...dialog, chosen: next });
    }
    case "escape":
      return refuse();
    case "text":
      if (key.text === " " && asked.multiSelect) return pick(dialog.chosen);
      return /^[1-9]$/.test(key.text) ? pick(Number(key.text) - 1) : change(dialog);
    case "enter": {
      const isChoice = dialog.chosen < asked.options.length;
      if (!asked.multiSelect || !isChoice) return pick(dialog.chosen);
      return answer(labelsOf(dialog.marked.length > 0 ? dialog.marked : [dialog.chosen]));
    }
    default:
      return change(dialog);
  }
}

function reduceWordsKey(
  key: Key,
  dialog: QuestionDialog,
  words: Editor,
  change: Change,
  answer: (given: readonly string[]) => Step,
): Step {
  if (key.name === "escape") return change({ ...dialog, words: null });
  if (key.name !== "enter") return change({ ...dialog, words: editByKey(words, key) ?? words });
  const text = words.text.trim();
  return text === "" ? change({ ...dialog, words: null }) : answer([text]);
}
