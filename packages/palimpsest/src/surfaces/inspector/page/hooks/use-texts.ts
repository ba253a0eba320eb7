import { useEffect, useRef, useState } from "preact/hooks";
import type { InspectorFailure, InspectorSource, ItemText } from "../../inspected.ts";
import { toFailure } from "../inspector-error.ts";

export interface Texts {
  readonly texts: ReadonlyMap<number, ItemText>;
  readonly failure?: InspectorFailure;
  /** Reads those that are not here yet. */
  want(items: readonly number[]): void;
}

/** Texts of a session's items, read when they are first wanted. */
export function useTexts(source: InspectorSource, id: string, generation: number): Texts {
  const [texts, setTexts] = useState<ReadonlyMap<number, ItemText>>(new Map());
  const [failure, setFailure] = useState<InspectorFailure>();
  const asked = useRef(new Set<number>());
  useEffect(() => {
    asked.current = new Set();
    setTexts(new Map());
    setFailure(undefined);
  }, [id, generation]);
  const want = (items: readonly number[]) => {
    const fresh = [...new Set(items)].filter((item) => !asked.current.has(item));
    if (fresh.length === 0) return;
    const wanted = asked.current;
    for (const item of fresh) wanted.add(item);
    source.texts(id, fresh).then(
      (found) => {
        if (wanted !== asked.current) return;
        setFailure(undefined);
        setTexts(
          (before) =>
            new Map([...before, ...fresh.map((item, at) => [item, found[at] ?? { shown: "" }] as const)]),
        );
      },
      (error) => {
        for (const item of fresh) wanted.delete(item);
        setFailure(toFailure(error));
      },
    );
  };
  return { texts, want, ...(failure ? { failure } : {}) };
}
