import type { ChatState } from "../state/chat-state.ts";
import { completionLines } from "./completion-lines.ts";
import { dialogLines } from "./dialog-lines.ts";
import { type CursorLines, editorLines } from "./editor-lines.ts";
import { footerLine } from "./footer-line.ts";
import { liveLines } from "./live-lines.ts";
import type { Look } from "./look.ts";
import { pagerLines } from "./pager-lines.ts";

/** Lines and where the cursor is; `null`: nowhere. */
export interface Screen {
  readonly lines: readonly string[];
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

/** What stands below everything that has happened: always lower than the terminal is high. */
export function screenLines(state: ChatState, look: Look): Screen {
  const rows = Math.max(6, state.size.rows - 1);
  if (state.isQuitting) return { lines: [look.style.dim("… closing the session")], cursor: null };
  if (state.pager) return { lines: pagerLines(state.pager, look, state.size).slice(0, rows), cursor: null };
  const rule = look.isPlain ? [] : [look.style.dim("─".repeat(look.columns))];
  const asked = askedLines(state, look, rows);
  const completion = state.dialogs.length > 0 ? [] : completionLines(state, look);
  const footer = [footerLine(state, look)];
  const foot = look.isPlain && !state.isQuitArmed ? [] : footer;
  const below = [...rule, ...asked.lines, ...completion, ...foot];
  const live = liveLines(state, look, Math.max(0, rows - below.length - 1));
  const above = [...live, ...(look.isPlain ? [] : [""]), ...rule];
  const all = [...live, ...(look.isPlain ? [] : [""]), ...below];
  const dropped = Math.max(0, all.length - rows);
  const y = above.length + asked.cursor.y - dropped;
  return {
    lines: all.slice(dropped),
    cursor: asked.cursor.x < 0 || y < 0 ? null : { x: asked.cursor.x, y },
  };
}

function askedLines(state: ChatState, look: Look, rows: number): CursorLines {
  const [dialog] = state.dialogs;
  if (dialog) return dialogLines(dialog, look, rows);
  const hint = look.isPlain ? "" : hintOf(state);
  const frame = { mark: "> ", maxRows: Math.max(3, Math.floor(rows / 3)), hint };
  return editorLines(state.editor, frame, look);
}

function hintOf({ session, run }: ChatState): string {
  if (!session) return "opening the session …";
  if (run) return "say more; it is heard after this round";
  return "what shall be done?  / commands  @ files  Ctrl+O transcript";
}
