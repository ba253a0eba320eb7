import type {
  CompactDecision,
  Decision,
  EntryDraft,
  Layer,
  LayerIo,
  Moment,
  RequestPatch,
  Result,
  View,
} from "../../packages/core/src/spec/index.ts";

interface ActingOptions {
  readonly moment?: Moment["kind"];
  readonly run?: "inline" | "background";
  readonly basis?: number;
  readonly request?: RequestPatch;
}

type Apply = (io: LayerIo, signal: AbortSignal) => Promise<Result<readonly EntryDraft[]>>;

/** A layer that acts once, as it is told. */
export function actingOnce(apply: (view: View) => Apply, options: ActingOptions = {}): Layer<Apply> {
  const { moment = "before-request", run = "inline", basis, request } = options;
  let hasActed = false;
  return {
    id: "acting",
    moments: [moment],
    decide(view) {
      if (hasActed) return { verdict: "skip", reason: "it has acted" };
      hasActed = true;
      const command = apply(view);
      return {
        verdict: "act",
        command,
        run,
        reason: "due",
        frees: 0,
        basis: basis ?? view.head,
        ...(request && { request }),
      };
    },
    apply: (command, io, signal) => command(io, signal),
  };
}

/** A layer that makes these drafts once; what is no draft is for tests of what becomes of it. */
export function drafting(make: (view: View) => unknown, options: ActingOptions = {}): Layer {
  return actingOnce((view) => {
    const value = make(view) as readonly EntryDraft[];
    return async () => ({ ok: true, value });
  }, options) as Layer;
}

/** A layer that makes this decision once. */
export function decidingOnce(
  make: (view: View) => Decision,
  options: ActingOptions & { readonly id?: string } = {},
): Layer {
  const id = options.id === undefined ? {} : { id: options.id };
  return drafting((view) => [{ kind: "decision", ...id, decision: make(view) }], options);
}

export const decisionHead = { layer: "acting", reason: "due", frees: 0 } as const;

/** A compaction of all there is. */
export const compaction = (view: View, more: Partial<CompactDecision> = {}): CompactDecision => ({
  ...decisionHead,
  type: "compact",
  basis: view.head,
  trigger: "auto",
  strategy: "test",
  tokensBefore: 2,
  tokensAfter: 1,
  summary: { type: "user", content: "what happened" },
  covers: "",
  attachments: [],
  discoveredTools: [],
  ...more,
});

/** A layer that looks at what it is shown, and does nothing. */
export function watching(
  moments: readonly Moment["kind"][],
  see: (...seen: Parameters<Layer["decide"]>) => void,
): Layer {
  return {
    id: "watching",
    moments,
    decide(...seen) {
      see(...seen);
      return { verdict: "skip", reason: "only watching" };
    },
    apply: async () => ({ ok: true, value: [] }),
  };
}
