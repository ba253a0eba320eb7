import { useEffect, useState } from "preact/hooks";
import type { InspectorFailure } from "../../inspected.ts";
import { toFailure } from "../inspector-error.ts";

export interface Loaded<Value> {
  readonly value?: Value;
  readonly failure?: InspectorFailure;
}

/** What a source answers, again when one of `about` changes; answers to what was asked before are dropped. */
export function useLoaded<Value>(load: () => Promise<Value>, about: readonly unknown[]): Loaded<Value> {
  const [loaded, setLoaded] = useState<Loaded<Value>>({});
  useEffect(() => {
    let isWanted = true;
    setLoaded({});
    load().then(
      (value) => isWanted && setLoaded({ value }),
      (error) => isWanted && setLoaded({ failure: toFailure(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, about);
  return loaded;
}
