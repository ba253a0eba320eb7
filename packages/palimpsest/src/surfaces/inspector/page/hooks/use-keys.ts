import { useLayoutEffect, useRef } from "preact/hooks";
import { type Action, toAction } from "../keys.ts";

/** Calls back for keys wherever the focus is, unless a dialog is open; the answer says whether the key was used. */
export function useKeys(onAction: (action: Action) => boolean): void {
  const latest = useRef(onAction);
  latest.current = onAction;
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const { key, ctrlKey, metaKey, altKey } = event;
      const action = toAction({ key, ctrlKey, metaKey, altKey, isTyping: isTyping(event) });
      if (action !== undefined && latest.current(action)) event.preventDefault();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}

const movement = /^(Arrow|Page|Home$|End$)/;

/** Fields take what is typed; sliders and boxes that scroll only what moves. */
function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const isSlider = target instanceof HTMLInputElement && target.type === "range";
  if (isSlider || target.closest("pre, .memory-text")) return movement.test(key);
  return target.closest("input, select, textarea") !== null;
}
