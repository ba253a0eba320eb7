import { normalizeModelName } from "@palimpsest/core/catalog";
import { contentText, featuresOf, tokensByRates, unseenFit } from "@palimpsest/core/internal";
import { type ContentBlock, isBlock } from "@palimpsest/core/spec";

/** The content of the recorded prompts, as numbers: follows what the recorded harness and the API did to them. */
interface PromptContent {
  readonly tokens: number;
  add(content: readonly ContentBlock[]): void;
  /** Everything is gone: a compaction. */
  empty(): void;
  /** Thinking so far counts nothing any more. */
  forgetThinking(): void;
  /** Results are replaced by a word that they were there. */
  clear(toolUseIds: readonly string[]): void;
  /** As Claude Code did before it wrote a line about it: oldest results first until 40,000 tokens of them remain. */
  clearOldest(): void;
}

interface ResultSizes {
  readonly tokens: number;
  /** As Claude Code counts them: four characters each. */
  readonly roughTokens: number;
}

/** Claude Code clears results of these tools only, and keeps the newest three. */
const clearableTools = new Set(["Read", "Bash", "Grep", "Glob", "WebSearch", "WebFetch", "Edit", "Write"]);
const keptResults = 3;
const keptTokens = 40_000;
const labelTokens = 12;
const roughCharsPerToken = 4;

export function createPromptContent(): PromptContent {
  let tokens = 0;
  let thinking = 0;
  const tools = new Map<string, string>();
  const results = new Map<string, ResultSizes>();

  function clear(toolUseIds: readonly string[]): void {
    for (const id of toolUseIds) {
      tokens -= Math.max(0, (results.get(id)?.tokens ?? labelTokens) - labelTokens);
      results.delete(id);
    }
  }

  function addBlock(block: ContentBlock): void {
    const size = estimatedTokens(block);
    tokens += size;
    if (isBlock(block, "tool_use")) tools.set(block.id, block.name);
    if (isThinking(block)) thinking += size;
    if (!isBlock(block, "tool_result")) return;
    const roughTokens = contentText(block.content).length / roughCharsPerToken;
    results.set(block.tool_use_id, { tokens: size, roughTokens });
  }

  return {
    get tokens() {
      return tokens;
    },
    add(content) {
      for (const block of content) addBlock(block);
    },
    empty() {
      tokens = 0;
      thinking = 0;
      results.clear();
    },
    forgetThinking() {
      tokens -= thinking;
      thinking = 0;
    },
    clear,
    clearOldest() {
      const clearable = [...results].filter(([id]) => clearableTools.has(tools.get(id) ?? ""));
      let left = clearable.reduce((sum, [, { roughTokens }]) => sum + roughTokens, 0);
      const gone: string[] = [];
      for (const [id, { roughTokens }] of clearable.slice(0, -keptResults)) {
        if (left <= keptTokens) break;
        left -= roughTokens;
        gone.push(id);
      }
      clear(gone);
    },
  };
}

export function isThinking({ type }: ContentBlock): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

const forgetting = /^claude-(?:3|instant|sonnet-4(?:\.5)?$|opus-4(?:\.1)?$|haiku-4)/;

/**
 * Whether the API leaves thinking of earlier turns out of a prompt: as soon as a message comes that is no result,
 * thinking before it counts nothing. Models from Opus 4.5 on keep it, by the provider's documentation.
 */
export function forgetsThinking(model: string): boolean {
  return forgetting.test(normalizeModelName(model));
}

const known = new WeakMap<ContentBlock, number>();

/** Tokens of a block before anything is known of its session: by the rates that calibrations start with. */
export function estimatedTokens(block: ContentBlock): number {
  const before = known.get(block);
  if (before !== undefined) return before;
  const tokens = tokensByRates(unseenFit.rates, featuresOf(block));
  known.set(block, tokens);
  return tokens;
}
