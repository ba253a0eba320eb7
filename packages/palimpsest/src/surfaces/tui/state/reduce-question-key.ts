import type { UserAnswer } from "@palimpsest/core/spec";
import type { Step } from "./action.ts";
import { type QuestionDialog, questionOf } from "./dialog.ts";
import { editByKey } from "./edit-by-key.ts";
import { type Editor, emptyEditor } from "./editor.ts";
import type { Key } from "./key.ts";

type Change = (dialog: QuestionDialog) => Step;

/** A key while the model's questions are asked, one after the other. Behind the answers stands the person's own. */
export function reduceQuestionKey(
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
