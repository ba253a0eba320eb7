import type { FoundModel } from "../emulated-models.ts";

const unknownDate = "1970-01-01T00:00:00Z";
const lines = ["haiku", "sonnet", "opus", "fable", "mythos"];
const support = (supported: boolean) => ({ supported });

/** A model as the Models API shows it to those who ask for betas; to others the same, with more than they ask for. */
export function toModelInfo({ model, capabilities }: FoundModel) {
  const { cacheEdits, contextManagement, nativeCompaction, serverCompaction } = capabilities;
  const yes = support(true);
  const no = support(false);
  return {
    type: "model",
    id: model.id,
    display_name: model.displayName ?? model.id,
    created_at: model.createdAt ?? unknownDate,
    lifecycle: "active",
    deprecated_at: null,
    retires_at: null,
    line: lines.find((line) => model.id.includes(line)) ?? null,
    max_input_tokens: capabilities.contextWindow,
    max_tokens: capabilities.maxOutput,
    allowed_fallback_models: [],
    capabilities: {
      batch: no,
      citations: no,
      code_execution: no,
      compaction: { ...support(nativeCompaction), summarize: support(nativeCompaction) },
      context_management: {
        ...support(contextManagement),
        clear_thinking_20251015: support(contextManagement),
        clear_tool_uses_20250919: support(contextManagement),
        compact_20260112: support(contextManagement && serverCompaction),
        // In no public API, so said only where there is something to say.
        ...(cacheEdits && { cache_edits: yes }),
      },
      effort: { ...no, low: no, medium: no, high: no, xhigh: no, max: no },
      image_input: yes,
      pdf_input: yes,
      server_tools: { ...no, code_execution: no, web_search: no },
      structured_outputs: no,
      thinking: {
        ...yes,
        types: { adaptive: yes, between_tools: no, disabled: yes, enabled: yes },
      },
    },
  };
}
