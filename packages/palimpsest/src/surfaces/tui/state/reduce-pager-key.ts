import { pagerMaxScroll, pagerPage } from "../lines/pager-lines.ts";
import { type Step, stepTo } from "./action.ts";
import type { ChatState } from "./chat-state.ts";
import type { Key } from "./key.ts";
import type { Pager } from "./pager.ts";

/** A key while the transcript is open. */
export function reducePagerKey(state: ChatState, pager: Pager, key: Key): Step {
  const turn = (next: Pager | null) => stepTo({ ...state, pager: next });
  const isLeaving = key.name === "text" && /^q$/i.test(key.text);
  if (pager.opened) {
    if (key.name === "escape" || key.name === "enter" || key.name === "left" || isLeaving)
      return turn({ ...pager, opened: null });
    if (key.name === "ctrl-o") return turn(null);
    const scroll = moved(pager.opened.scroll, key, pagerPage(state.size), pagerMaxScroll(pager, state.size));
    return turn({ ...pager, opened: { ...pager.opened, scroll } });
  }
  if (key.name === "escape" || key.name === "ctrl-o" || isLeaving) return turn(null);
  const item = pager.items[pager.chosen];
  if ((key.name === "enter" || key.name === "right") && item)
    return stepTo(
      { ...state, pager: { ...pager, opened: { id: item.id, text: null, scroll: 0 } } },
      { type: "read-original", id: item.id },
    );
  const last = Math.max(0, pager.items.length - 1);
  return turn({ ...pager, chosen: moved(pager.chosen, key, pagerPage(state.size), last) });
}

function moved(at: number, key: Key, page: number, last: number): number {
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    down: 1,
    "page-up": -page,
    "page-down": page,
    home: -at,
    end: last - at,
  };
  return Math.max(0, Math.min(at + (steps[key.name] ?? 0), last));
}
