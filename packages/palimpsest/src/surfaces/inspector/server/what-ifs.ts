import { ok, type PalimpsestError, type Result } from "@palimpsest/core/spec";
import type { WhatIf } from "../inspected.ts";
import type { OpenedSession } from "../read/opened-session.ts";

export interface WhatIfInput {
  /** The file of the session. */
  readonly path: string;
  readonly policy: string;
  readonly inheritedRequests: number;
}

export type AskWhatIf = (question: WhatIfInput) => Promise<Result<WhatIf>>;

/** The same session under other policies; what was worked out holds until the session has changed. */
export interface WhatIfs {
  ask(id: string, session: OpenedSession, policy: string): Promise<Result<WhatIf>>;
}

interface Known {
  readonly revision: string;
  readonly answer: Promise<Result<WhatIf>>;
}

const maxKnown = 64;

/** One is worked out at a time: each takes a core and the memory of a whole session. */
export function createWhatIfs(askWhatIf: AskWhatIf): WhatIfs {
  const known = new Map<string, Known>();
  let before: Promise<unknown> = Promise.resolve();

  return {
    async ask(id, session, policy) {
      const key = JSON.stringify([id, policy]);
      const { path, inheritedRequests, revision, requests } = session;
      if (requests === 0) return ok(nothing(policy));
      const found = known.get(key);
      if (found?.revision === revision) return found.answer;
      const answer = before.then(() => askWhatIf({ path, policy, inheritedRequests }));
      before = answer.catch(() => undefined);
      known.delete(key);
      known.set(key, { revision, answer });
      for (const oldest of known.keys()) {
        if (known.size <= maxKnown) break;
        known.delete(oldest);
      }
      const given = await answer.catch((error: PalimpsestError): Result<never> => ({ ok: false, error }));
      if (!given.ok) known.delete(key);
      return given.ok ? ok(fitted(given.value, requests)) : given;
    },
  };
}

/** A session may have grown while it was replayed. */
function fitted(whatIf: WhatIf, requests: number): WhatIf {
  if (whatIf.tokens.length <= requests) return whatIf;
  return {
    ...whatIf,
    tokens: whatIf.tokens.slice(0, requests),
    dollars: whatIf.dollars.slice(0, requests),
    breaks: whatIf.breaks.filter((request) => request < requests),
  };
}

function nothing(policy: string): WhatIf {
  const survival = { inView: 1, recall: 0, refetch: 0, lost: 0 };
  return { policy, tokens: [], dollars: [], breaks: [], survival, fetches: 0 };
}
