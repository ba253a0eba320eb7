import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Action, fromHash, type PageLocation, toAction, toHash } from "../page-location.ts";

export type Go = (change: Partial<PageLocation>) => void;

/** Where the reader is, in step with the address. */
export function useLocation(): readonly [PageLocation, Go] {
  const [current, setCurrent] = useState(() => fromHash(location.hash));
  const latest = useRef(current);
  const move = (after: PageLocation) => {
    latest.current = after;
    setCurrent(after);
  };
  useEffect(() => {
    const follow = () => move(fromHash(location.hash));
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  const go = useCallback((change: Partial<PageLocation>) => {
    const before = latest.current;
    const after = { ...before, ...change };
    const isOtherScreen = after.screen !== before.screen || after.session !== before.session;
    const url = `${location.pathname}${location.search}${toHash(after)}`;
    if (isOtherScreen) history.pushState(null, "", url);
    else history.replaceState(null, "", url);
    move(after);
  }, []);
  return [current, go];
}

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

/** Keys of what is open, and ways to change that; another session begins with nothing open. */
export function useOpened(session: string) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => setOpened(new Set()), [session]);
  const toggle = useCallback((key: string) => {
    setOpened((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  }, []);
  const closeAll = useCallback(() => setOpened(new Set()), []);
  return { opened, toggle, closeAll };
}
