import {
  deleteTo,
  type Editor,
  insertText,
  moveTo,
  toLeft,
  toLine,
  toLineEnd,
  toLineStart,
  toRight,
  toWordLeft,
  toWordRight,
} from "./editor.ts";
import type { Key } from "./pager.ts";

/** The text after a key; `null` where it is none for editing, as up on the first line. */
export function editByKey(editor: Editor, key: Key): Editor | null {
  switch (key.name) {
    case "text":
    case "paste":
      return insertText(editor, key.text);
    case "newline":
      return insertText(editor, "\n");
    case "backspace":
      return deleteTo(editor, toLeft(editor));
    case "delete":
      return deleteTo(editor, toRight(editor));
    case "delete-word":
      return deleteTo(editor, toWordLeft(editor));
    case "ctrl-u":
      return deleteTo(editor, toLineStart(editor));
    case "ctrl-k":
      return deleteTo(editor, toLineEnd(editor));
    case "left":
      return moveTo(editor, toLeft(editor));
    case "right":
      return moveTo(editor, toRight(editor));
    case "word-left":
      return moveTo(editor, toWordLeft(editor));
    case "word-right":
      return moveTo(editor, toWordRight(editor));
    case "home":
      return moveTo(editor, toLineStart(editor));
    case "end":
      return moveTo(editor, toLineEnd(editor));
    case "up":
    case "down": {
      const position = toLine(editor, key.name);
      return position === null ? null : moveTo(editor, position);
    }
    default:
      return null;
  }
}
