import { useEffect, useRef, useState } from "preact/hooks";
import type { InspectedSession, InspectorFailure, InspectorSource, ItemText } from "../../inspected.ts";
import { toFailure } from "../inspector-error.ts";
import { mergeSession, nextOf } from "../merge-session.ts";
import { createViews, type Views } from "../views.ts";

export interface OpenSession {
  readonly session: InspectedSession;
  readonly views: Views;
}

/** A session and what is added to it while it is open. One that can no longer be read is kept, with what is wrong. */
export function useSession(source: InspectorSource, id: string | undefined): LoadState<OpenSession> {
  const [loaded, setLoaded] = useState<LoadState<OpenSession>>({});
  useEffect(() => {
    setLoaded({});
    if (id === undefined) return;
    return followSession(source, id, setLoaded);
  }, [source, id]);
  return loaded;
}

function followSession(
  source: InspectorSource,
  id: string,
  tell: (change: (before: LoadState<OpenSession>) => LoadState<OpenSession>) => void,
): () => void {
  let held: InspectedSession | undefined;
  let isOver = false;
  let isAsking = false;
  let isAskedAgain = false;
  const read = async () => {
    const grown = await source.session(id, held && nextOf(held));
    const merged = held ? mergeSession(held, grown) : grown;
    held = merged ?? (await source.session(id));
    const value = { session: held, views: createViews(held.requests.views) };
    if (!isOver) tell(() => ({ value }));
  };
  const ask = async () => {
    if (isAsking) {
      isAskedAgain = true;
      return;
    }
    isAsking = true;
    do {
      isAskedAgain = false;
      await read().catch((error) => !isOver && tell((before) => ({ ...before, failure: toFailure(error) })));
    } while (isAskedAgain && !isOver);
    isAsking = false;
  };
  void ask();
  const end = source.isLive ? source.watch(id, () => void ask()) : () => {};
  return () => {
    isOver = true;
    end();
  };
}

interface LoadState<Value> {
  readonly value?: Value;
  readonly failure?: InspectorFailure;
}

/** A source's answer, again when one of `about` changes; answers to what was asked before are dropped. */
export function useLoaded<Value>(load: () => Promise<Value>, about: readonly unknown[]): LoadState<Value> {
  const [loaded, setLoaded] = useState<LoadState<Value>>({});
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
