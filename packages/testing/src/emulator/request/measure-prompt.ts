import { hash } from "node:crypto";
import type { MeasuredPrompt, PromptBlock, WireBody } from "../wire.ts";
import { blockContent } from "./block-content.ts";
import { contentOf, isRecord, toText, type WireBlock } from "./wire-values.ts";

/** The tokens that the API adds around the parts; each belongs to the first block of what it is for. */
const promptOverhead = 8;
const toolsOverhead = 313;
const toolOverhead = 12;
const messageOverhead = 5;

type Breakpoint = "5m" | "1h";
type Writable<Value> = { -readonly [Field in keyof Value]: Value[Field] };

/**
 * Counts a request and names every prefix of it. Keys are chained in the order of the prompt: tools, system, messages.
 * The model and the tools are in every key; the system prompt in those of system and messages; whether there are
 * images, the tool choice and the thinking budget in those of messages only. Takes any body, valid or not; linear.
 */
export function measurePrompt(body: WireBody): MeasuredPrompt {
  const model = toText(body.model);
  const chain = createChain(hash("sha256", `model ${model}`));
  for (const [index, tool] of listOf(body.tools).entries()) {
    const overhead = toolOverhead + (index === 0 ? toolsOverhead : 0);
    chain.add("tools", `tools.${index}`, tool, "tool", overhead);
  }
  const toolsDigest = digestOf(chain.blocks, "tools");
  for (const [index, block] of contentOf({ content: body.system }).entries())
    chain.add("system", `system.${index}`, block, "system", 0);
  const systemDigest = digestOf(chain.blocks, "system");
  const messages = listOf(body.messages);
  chain.mix(messageSeed(body, messages));
  for (const [index, message] of messages.entries()) {
    for (const [at, block] of contentOf(message).entries()) {
      const overhead = at === 0 ? messageOverhead : 0;
      chain.add("messages", `messages.${index}.content.${at}`, block, toText(message.role), overhead);
    }
  }
  chain.mark(breakpointOf(body));
  return { model, toolsDigest, systemDigest, blocks: chain.blocks, tokens: chain.tokens };
}

/** Tokens of what a model wrote, by the same rule: a replayed block costs what it cost as output. */
export function measureOutput(content: readonly unknown[]): number {
  return contentOf({ content }).reduce((sum, block) => sum + blockContent(block, "assistant").tokens, 0);
}

/** Blocks, each keyed by everything in front of its end. */
function createChain(seed: string) {
  const blocks: Writable<PromptBlock>[] = [];
  let key = seed;
  let tokens = 0;
  let lastCacheable = -1;
  const mix = (more: string) => {
    key = hash("sha256", key + more);
  };
  return {
    blocks,
    mix,
    add(place: PromptBlock["place"], path: string, block: WireBlock, role: string, overhead: number): void {
      const content = blockContent(block, role);
      mix(`${overhead} ${content.digest}`);
      const own = content.tokens + overhead + (blocks.length === 0 ? promptOverhead : 0);
      const breakpoint = breakpointOf(block);
      if (block.type !== "thinking" && block.type !== "redacted_thinking") lastCacheable = blocks.length;
      tokens += own;
      blocks.push({
        place,
        path,
        tokens: own,
        key,
        digest: content.digest,
        ...(breakpoint && { breakpoint }),
      });
    },
    /** Automatic caching: the last block that can have a marker gets one, unless it has its own. */
    mark(breakpoint: Breakpoint | undefined): void {
      const block = blocks[lastCacheable];
      if (block && breakpoint) block.breakpoint ??= breakpoint;
    },
    get tokens() {
      return tokens;
    },
  };
}

function digestOf(blocks: readonly PromptBlock[], place: PromptBlock["place"]): string {
  return hash("sha256", blocks.flatMap((block) => (block.place === place ? block.digest : [])).join(" "));
}

/** A marker inside a result counts for the whole result: the cache knows no parts of blocks. */
function breakpointOf(holder: WireBlock): Breakpoint | undefined {
  const { cache_control: control } = holder;
  if (isRecord(control)) return control.ttl === "1h" ? "1h" : "5m";
  if (holder.type !== "tool_result" || !Array.isArray(holder.content)) return undefined;
  const inner = contentOf(holder).flatMap((block) => breakpointOf(block) ?? []);
  return inner.includes("1h") ? "1h" : inner[0];
}

function messageSeed(body: WireBody, messages: readonly WireBlock[]): string {
  const { thinking, tool_choice: choice } = body;
  const mode = isRecord(thinking) && thinking.type !== "disabled" ? thinking : {};
  return JSON.stringify([mode.type, mode.budget_tokens, choice ?? null, messages.some(hasImage)]);
}

function hasImage(holder: WireBlock): boolean {
  if (!Array.isArray(holder.content)) return false;
  return contentOf(holder).some(
    (block) => block.type === "image" || (block.type === "tool_result" && hasImage(block)),
  );
}

function listOf(value: unknown): readonly WireBlock[] {
  return Array.isArray(value) ? value.map((item) => (isRecord(item) ? item : {})) : [];
}
