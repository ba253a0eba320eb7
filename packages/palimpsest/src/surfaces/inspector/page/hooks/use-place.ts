import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { fromHash, type PageLocation, toHash } from "../place.ts";

export type Go = (change: Partial<PageLocation>) => void;

/** Where the reader is, in step with the address. */
export function usePlace(): readonly [PageLocation, Go] {
  const [place, setPlace] = useState(() => fromHash(location.hash));
  const latest = useRef(place);
  const move = (after: PageLocation) => {
    latest.current = after;
    setPlace(after);
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
  return [place, go];
}
