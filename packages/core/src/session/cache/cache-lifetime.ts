import type { EventBody } from "../../spec/index.ts";
import { chooseLifetime, type LifetimeInput } from "../../view/economics/choose-lifetime.ts";
import type { CacheTtl } from "../../view/economics/request-gaps.ts";
import type { LearnedPauses } from "../learned.ts";

/** For how long a session's markers ask the provider to keep what they mark. */
export interface CacheLifetime {
  readonly ttl: CacheTtl;
  /** One line for a person. */
  readonly reason: string;
  /** Before a request is made. While the cache is warm, its lifetime stays. */
  choose(moment: LifetimeMoment): void;
}

/** What is known before a request. */
export interface LifetimeMoment
  extends Pick<LifetimeInput, "capabilities" | "prices" | "promptTokens" | "keepWarm"> {
  readonly isWarm: boolean;
  /** The shortest answer to a read that keeps the cache warm. */
  readonly answerTokens?: number;
}

interface LifetimeParts {
  readonly pauses: Pick<LearnedPauses, "use" | "current">;
  readonly emit: (event: EventBody) => void;
  /** By a person: nothing is chosen. */
  readonly set?: CacheTtl;
  /** The lifetime of what the newest response of an earlier process has written. */
  readonly written?: CacheTtl;
}

/** The lifetime never changes, and nobody is told. */
export function fixedLifetime(ttl: CacheTtl, reason: string): CacheLifetime {
  return { ttl, reason, choose: () => undefined };
}

export function createCacheLifetime({ pauses, emit, set, written }: LifetimeParts): CacheLifetime {
  let ttl: CacheTtl = set ?? written ?? "5m";
  let reason = set ? "it was set" : written ? "it was written so" : "nothing was sent yet";
  let told: CacheTtl | undefined;

  function tell(): void {
    if (told === ttl) return;
    emit({ type: "cache-lifetime", ttl, ...(told && { former: told }), reason });
    told = ttl;
  }

  return {
    get ttl() {
      return ttl;
    },
    get reason() {
      return reason;
    },
    choose({ isWarm, answerTokens = 1, ...moment }) {
      if (!set && !(isWarm && told)) {
        const warm = isWarm ? { warm: ttl } : {};
        const question = { ...moment, ...warm, answerTokens, use: pauses.use, pauses: pauses.current() };
        ({ ttl, reason } = chooseLifetime(question));
      }
      tell();
    },
  };
}
