import type { RequestContext, WireBody } from "../wire.ts";
import { contentOf, type WireBlock } from "./content-of.ts";
import { isRecord } from "./is-record.ts";
import { referenceOf } from "./reference-of.ts";
import type { Report } from "./report.ts";

/**
 * `cache_edits` blocks: `{type: "cache_edits", edits: [{type: "delete", cache_reference}]}`, each edit naming a result
 * in front of the block that no other one deletes. They are in no public API, and neither is `cache_reference`: other
 * models refuse both. Whether the result is cached is a question for the cache.
 */
export function checkCacheEdits(
  { messages }: WireBody,
  { capabilities }: RequestContext,
  report: Report,
): void {
  if (!Array.isArray(messages)) return;
  const results = new Set<string>();
  const deleted = new Set<string>();
  for (const [index, message] of messages.entries()) {
    for (const [at, block] of contentOf(message).entries()) {
      const path = `messages.${index}.content.${at}`;
      if (block.type === "tool_result") {
        if (block.cache_reference !== undefined && !capabilities.cacheEdits)
          report("beta", `${path}.tool_result.cache_reference`, "Extra inputs are not permitted");
        results.add(referenceOf(block));
      }
      if (block.type !== "cache_edits") continue;
      if (!capabilities.cacheEdits)
        report("beta", path, "`cache_edits` blocks are not supported by this model");
      else checkEdits(block, path, { results, deleted }, report);
    }
  }
}

interface Seen {
  readonly results: ReadonlySet<string>;
  readonly deleted: Set<string>;
}

function checkEdits({ edits }: WireBlock, path: string, { results, deleted }: Seen, report: Report): void {
  const say = (at: string, sentence: string) => report("cache-edits", at, sentence);
  if (!Array.isArray(edits) || edits.length === 0) {
    say(`${path}.edits`, "Input should be a list with at least 1 item");
    return;
  }
  for (const [index, edit] of edits.entries()) {
    const at = `${path}.edits.${index}`;
    const reference = isRecord(edit) ? edit.cache_reference : undefined;
    if (!isRecord(edit) || edit.type !== "delete") say(at, "Input should be an edit of type 'delete'");
    else if (typeof reference !== "string") say(`${at}.cache_reference`, "Input should be a valid string");
    else if (!results.has(reference))
      say(at, `no \`tool_result\` in front of this block has the cache reference \`${reference}\``);
    else if (deleted.has(reference)) say(at, `the \`tool_result\` \`${reference}\` is deleted already`);
    else deleted.add(reference);
  }
}
