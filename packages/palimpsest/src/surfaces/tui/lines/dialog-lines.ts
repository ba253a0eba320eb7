import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import { permissionLines } from "../../terminal/question-lines.ts";
import { createStyle } from "../../terminal/style.ts";
import { cutText } from "../../terminal/text-width.ts";
import { wrapBehind } from "../../terminal/wrap-text.ts";
import type { ScreenSize } from "../state/chat-state.ts";
import {
  type ChoiceDialog,
  type Dialog,
  type PermissionDialog,
  permissionChoices,
  planTool,
  type QuestionDialog,
  questionOf,
} from "../state/dialog.ts";
import { type CursorLines, editorLines } from "./editor-lines.ts";
import type { Look } from "./look.ts";
import { markdownLines } from "./markdown-lines.ts";

/** Choices, a line of keys, the footer, and what says that there is more. */
const otherRows = 9;
const nowhere = { x: -1, y: -1 } as const;

/** Something that is asked. The cursor is there only where words are written. */
export function dialogLines(dialog: Dialog, look: Look, rows: number): CursorLines {
  switch (dialog.kind) {
    case "permission":
      return permissionDialog(dialog, look, rows);
    case "question":
      return questionDialog(dialog, look);
    case "choice":
      return { lines: choiceDialog(dialog, look, rows), cursor: nowhere };
  }
}

function permissionDialog(dialog: PermissionDialog, look: Look, rows: number): CursorLines {
  const { style, columns } = look;
  const isPlan = dialog.question.tool === planTool;
  const words = {
    once: isPlan ? "Yes, carry it out" : "Yes, this once",
    always: `Yes, and always in this session: ${(dialog.always?.allow ?? []).join(", ")}`,
    deny: isPlan ? "Not yet: say what to change" : "No, and say why not",
  };
  const body = bodyLines(dialog, look);
  const room = bodyRows(rows);
  const scroll = Math.min(dialog.scroll, Math.max(0, body.length - room));
  const hidden = body.length - room;
  const more =
    hidden > 0
      ? [style.dim(`  lines ${scroll + 1}–${scroll + room} of ${body.length}; PageUp and PageDown`)]
      : [];
  const above = [...body.slice(scroll, scroll + room), ...more, ""];
  if (dialog.reason) {
    const hint = isPlan ? "what should change" : "why not; Enter alone just says no";
    return appendBelow(above, editorLines(dialog.reason, { mark: "  no: ", maxRows: 3, hint }, look));
  }
  const choices = permissionChoices(dialog).map((choice, at) =>
    choiceLine(words[choice], at, dialog.chosen, { columns, style }),
  );
  const keys = style.dim(cutText("  ↑ ↓ Enter, or y/a/n; Esc says no, Ctrl+C interrupts", columns));
  return { lines: [...above, ...choices, keys], cursor: nowhere };
}

function bodyLines({ question }: PermissionDialog, look: Look): readonly string[] {
  const { style, columns } = look;
  const { agent } = question;
  const who = agent === undefined ? [] : wrapBehind("  asked by the agent ", escapeTerminal(agent), columns);
  if (question.tool !== planTool) {
    const [, head = "", ...rest] = permissionLines(question, undefined, look);
    return [head, ...who, ...rest];
  }
  const { plan = "" } = question.input as { readonly plan?: unknown };
  return [style.bold(style.yellow("? The plan")), ...who, "", ...markdownLines(String(plan), look)];
}

function bodyRows(rows: number): number {
  return Math.max(3, rows - otherRows);
}

/** How far what is asked for can move up. */
export function dialogMaxScroll(dialog: PermissionDialog, { columns, rows }: ScreenSize): number {
  const look = { columns, style: createStyle(false), isPlain: false, cwd: "" };
  return Math.max(0, bodyLines(dialog, look).length - bodyRows(rows - 1));
}

function questionDialog(dialog: QuestionDialog, look: Look): CursorLines {
  const { style, columns } = look;
  const asked = questionOf(dialog);
  if (!asked) return { lines: [], cursor: nowhere };
  const many = dialog.questions.length;
  const number = many > 1 ? ` (${dialog.answers.length + 1} of ${many})` : "";
  const head = wrapBehind("? ", `${escapeTerminal(asked.question)}${number}`, columns).map((line) =>
    style.bold(style.yellow(line)),
  );
  if (dialog.words)
    return appendBelow([...head, ""], editorLines(dialog.words, { mark: "  › ", maxRows: 4 }, look));
  const options = asked.options.map(({ label, description }, at) => {
    const mark = asked.multiSelect ? (dialog.marked.includes(at) ? "[x] " : "[ ] ") : "";
    const text = `${mark}${escapeTerminal(label)}${description === undefined ? "" : ` — ${escapeTerminal(description)}`}`;
    return choiceLine(text, at, dialog.chosen, { columns, style });
  });
  const own = choiceLine("in your own words", asked.options.length, dialog.chosen, { columns, style });
  const keys = asked.multiSelect ? "Space marks, Enter answers" : "↑ ↓ Enter, or a number";
  return {
    lines: [...head, "", ...options, own, style.dim(cutText(`  ${keys}; Esc does not answer`, columns))],
    cursor: nowhere,
  };
}

function choiceDialog(dialog: ChoiceDialog, { style, columns }: Look, rows: number): readonly string[] {
  const room = Math.max(3, rows - 5);
  const { items, chosen, title } = dialog;
  const from = Math.max(0, Math.min(chosen - Math.floor(room / 2), items.length - room));
  const shown = items.slice(from, from + room).map(({ label, detail }, at) => {
    const text =
      detail === undefined ? escapeTerminal(label) : `${escapeTerminal(label)}  ${escapeTerminal(detail)}`;
    return choiceLine(text, from + at, chosen, { columns, style });
  });
  const place = items.length > room ? ` · ${chosen + 1} of ${items.length}` : "";
  const keys = style.dim(cutText(`  ↑ ↓ Enter, Esc leaves it${place}`, columns));
  return [style.bold(style.yellow(cutText(`? ${title}`, columns))), "", ...shown, keys];
}

function choiceLine(
  text: string,
  at: number,
  chosen: number,
  { columns, style }: Pick<Look, "columns" | "style">,
): string {
  const isChosen = at === chosen;
  const line = cutText(`${isChosen ? "❯" : " "} ${at + 1}  ${text}`, columns);
  return isChosen ? style.cyan(line) : line;
}

function appendBelow(above: readonly string[], { lines, cursor }: CursorLines): CursorLines {
  return { lines: [...above, ...lines], cursor: { x: cursor.x, y: cursor.y + above.length } };
}
