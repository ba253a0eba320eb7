import { useEffect, useState } from "preact/hooks";
import type { InspectedSession, InspectorSource } from "../../inspected.ts";
import { toFailure } from "../inspector-error.ts";
import { mergeSession, nextOf } from "../merge-session.ts";
import { createViews, type Views } from "../views.ts";
import type { Loaded } from "./use-loaded.ts";

export interface OpenSession {
  readonly session: InspectedSession;
  readonly views: Views;
}

/** A session and what is added to it while it is open. One that can no longer be read is kept, with what is wrong. */
export function useSession(source: InspectorSource, id: string | undefined): Loaded<OpenSession> {
  const [loaded, setLoaded] = useState<Loaded<OpenSession>>({});
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
  tell: (change: (before: Loaded<OpenSession>) => Loaded<OpenSession>) => void,
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
