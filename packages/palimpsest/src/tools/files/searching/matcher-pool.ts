import type { SearchRequest } from "./found-file.ts";
import { createMatcher, type Matcher, type MatcherSurroundings } from "./matcher.ts";

/** As many matchers as are used at one time; each serves one file after the other. */
export interface MatcherPool {
  use<T>(work: (matcher: Matcher) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function createMatcherPool(request: SearchRequest, surroundings: MatcherSurroundings): MatcherPool {
  const all: Matcher[] = [];
  const idle: Matcher[] = [];
  return {
    async use(work) {
      const matcher = idle.pop() ?? createMatcher(request, surroundings);
      if (!all.includes(matcher)) all.push(matcher);
      try {
        return await work(matcher);
      } finally {
        idle.push(matcher);
      }
    },
    async close() {
      await Promise.all(all.map((matcher) => matcher.close()));
    },
  };
}
