/** Text that is being written, and where. The cursor stands between graphemes, counted in UTF-16 units. */
export interface Editor {
  readonly text: string;
  readonly cursor: number;
}

export const emptyEditor: Editor = { text: "", cursor: 0 };

const graphemes = new Intl.Segmenter();

/** More units than a grapheme of any script has: what lies further away is not looked at. */
const reach = 256;

export function editorOf(text: string): Editor {
  return { text, cursor: text.length };
}

export function insertText({ text, cursor }: Editor, inserted: string): Editor {
  return { text: text.slice(0, cursor) + inserted + text.slice(cursor), cursor: cursor + inserted.length };
}

/** Where the grapheme before the cursor begins. */
export function toLeft({ text, cursor }: Editor): number {
  if (cursor === 0) return 0;
  const from = Math.max(0, cursor - reach);
  const before = text.slice(from, cursor);
  const last = graphemes.segment(before).containing(before.length - 1);
  return from + (last?.index ?? before.length - 1);
}

/** Where the grapheme behind the cursor ends. */
export function toRight({ text, cursor }: Editor): number {
  if (cursor >= text.length) return text.length;
  const [next] = graphemes.segment(text.slice(cursor, cursor + reach));
  return cursor + (next?.segment.length ?? 1);
}

export function toWordLeft({ text, cursor }: Editor): number {
  const before = text.slice(0, cursor).trimEnd();
  return before.length - (/[^\s]+$/.exec(before)?.[0].length ?? 0);
}

export function toWordRight({ text, cursor }: Editor): number {
  const [word = ""] = /^\s*[^\s]+/.exec(text.slice(cursor)) ?? [];
  return word === "" ? text.length : cursor + word.length;
}

export function toLineStart({ text, cursor }: Editor): number {
  return cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;
}

export function toLineEnd({ text, cursor }: Editor): number {
  const end = text.indexOf("\n", cursor);
  return end === -1 ? text.length : end;
}

/** The same place a line up or down; `null` where there is none. */
export function toLine(editor: Editor, direction: "up" | "down"): number | null {
  const start = toLineStart(editor);
  const column = editor.cursor - start;
  if (direction === "up") {
    if (start === 0) return null;
    const above = toLineStart({ text: editor.text, cursor: start - 1 });
    return onGrapheme(editor.text, above, Math.min(above + column, start - 1));
  }
  const end = toLineEnd(editor);
  if (end === editor.text.length) return null;
  const below = end + 1;
  return onGrapheme(
    editor.text,
    below,
    Math.min(below + column, toLineEnd({ text: editor.text, cursor: below })),
  );
}

function onGrapheme(text: string, lineStart: number, wanted: number): number {
  if (wanted === lineStart || wanted >= text.length) return wanted;
  const from = Math.max(lineStart, wanted - reach);
  const at = graphemes.segment(text.slice(from, wanted + reach)).containing(wanted - from);
  return from + (at?.index ?? wanted - from);
}

export function moveTo(editor: Editor, cursor: number): Editor {
  return { ...editor, cursor };
}

/** Without what stands between the cursor and another place. */
export function deleteTo({ text, cursor }: Editor, position: number): Editor {
  const [from, to] = position < cursor ? [position, cursor] : [cursor, position];
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

/** The earlier prompts, oldest first, and where in them the person is. */
export interface PromptHistory {
  readonly prompts: readonly string[];
  /** `null`: at what is being written. */
  readonly at: number | null;
  /** The text being written when the person went back. */
  readonly draft: string;
}

export const emptyHistory: PromptHistory = { prompts: [], at: null, draft: "" };

interface HistoryStep {
  readonly history: PromptHistory;
  readonly editor: Editor;
}

/** One prompt further back or forth; `null` where there is none. */
export function browseHistory(
  history: PromptHistory,
  editor: Editor,
  direction: "up" | "down",
): HistoryStep | null {
  const { prompts, at, draft } = history;
  if (direction === "up") {
    const next = (at ?? prompts.length) - 1;
    const prompt = prompts[next];
    if (prompt === undefined) return null;
    const kept = at === null ? editor.text : draft;
    return { history: { prompts, at: next, draft: kept }, editor: editorOf(prompt) };
  }
  if (at === null) return null;
  const prompt = prompts[at + 1];
  if (prompt === undefined) return { history: { prompts, at: null, draft: "" }, editor: editorOf(draft) };
  return { history: { ...history, at: at + 1 }, editor: editorOf(prompt) };
}

/** With one more prompt; the same one twice in a row is one. */
export function rememberPrompt({ prompts }: PromptHistory, prompt: string): PromptHistory {
  return { prompts: prompts.at(-1) === prompt ? prompts : [...prompts, prompt], at: null, draft: "" };
}
