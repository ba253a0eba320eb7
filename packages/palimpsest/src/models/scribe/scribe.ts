import { fail, type Model } from "@palimpsest/core/spec";

/**
 * No model: a session with it needs no network. What the layers ask for (notes, summaries, memories, dreams) is written
 * from what the session holds; everything else is answered with `no-model`.
 */
export function scribe(): Model {
  return {
    name: "scribe",
    async *stream() {
      yield fail("no-model", "The scribe keeps notes, summaries and memories; it does not answer.", {
        fix: 'Give the session a model: openSession({ model: "claude-sonnet-4-5" }).',
      });
    },
  };
}
