import { fileTools, pathFields } from "../../context/ledgers/known-tools.ts";
import { shortId } from "../../context/short-id.ts";
import { type ContentBlock, isBlock, type ViewItem } from "../../spec/index.ts";
import { blockText } from "./block-text.ts";
import type { Need } from "./find-needs.ts";
import { itemKey, type RecordedBlock } from "./recorded-blocks.ts";

/** Where what a call needs is, under a policy. */
export type NeedState = "in-view" | "recall" | "refetch" | "lost";

/** What a view offers to those who look for something. */
export interface ViewContent {
  /** The block stands there as it was recorded, or as a fetched copy. */
  holds(key: string): boolean;
  /** Something that a policy put there has the text word for word, whatever its lines are indented with. */
  says(text: string): boolean;
  stateOf(need: Need): NeedState;
  /** The newest source of what is not in view, the one to fetch again. */
  sourceToFetch(need: Need): RecordedBlock;
}

/** Tools that only look, so that calling again gives the same while nobody wrote. */
const lookingTools = new Set(["Grep", "Glob", "LS", "grep", "glob", "search_file_content"]);

/**
 * Reads a view once for all needs of a request. `aliases` names, for entries that hold a fetched copy, the block they
 * are a copy of.
 */
export function readView(
  items: readonly ViewItem[],
  aliases: ReadonlyMap<string, string>,
  writtenSince: (path: string, request: number) => boolean,
): ViewContent {
  const verbatim = new Set<string>();
  const replacements: ViewItem[] = [];
  const handles = new Set<string>();
  const uses = new Map<string, ViewItem>();
  for (const item of items) {
    const key = itemKey(item.entry, item.index);
    const copied = aliases.get(item.entry);
    if (copied !== undefined && item.decision === undefined) verbatim.add(copied);
    const isInserted = item.decision === item.entry;
    if (item.decision === undefined || isInserted) verbatim.add(key);
    else if (isHandle(item)) handles.add(key);
    if (item.decision !== undefined) replacements.push(item);
    if (isBlock(item.block, "tool_use")) uses.set(item.block.id, item);
  }
  const texts = replacements.map(({ block }) => replacementText(block));

  function canRefetch({ block, request }: RecordedBlock): boolean {
    if (!isBlock(block, "tool_result")) return false;
    const use = uses.get(block.tool_use_id)?.block;
    if (!use || !isBlock(use, "tool_use")) return false;
    if (lookingTools.has(use.name)) return true;
    const path = fileTools.get(use.name) === "read" ? pathOf(use.input) : undefined;
    return path !== undefined && !writtenSince(path, request);
  }

  /** Something in the place of a block names an id by which it is recalled. */
  const isNamed = ({ block, key }: RecordedBlock): boolean => {
    const id = recallId(block) ?? key.replace(/:\d+$/, "");
    const short = shortId(id);
    return texts.some((text) => text.includes(short));
  };
  const isOneRecallAway = (source: RecordedBlock) => handles.has(source.key) || isNamed(source);

  return {
    holds: (key) => verbatim.has(key),
    says: (text) => texts.some((one) => hasLines(one, text)),
    stateOf({ atom, sources }) {
      if (sources.some(({ key }) => verbatim.has(key))) return "in-view";
      if (texts.some((text) => text.includes(atom.text))) return "in-view";
      if (sources.some(isOneRecallAway)) return "recall";
      return sources.some(canRefetch) ? "refetch" : "lost";
    },
    sourceToFetch({ sources }) {
      const newest = sources.at(-1) as RecordedBlock;
      return sources.findLast(isOneRecallAway) ?? sources.findLast(canRefetch) ?? newest;
    },
  };
}

function recallId(block: ContentBlock): string | undefined {
  if (isBlock(block, "tool_result")) return block.tool_use_id;
  return isBlock(block, "tool_use") ? block.id : undefined;
}

const knownTexts = new WeakMap<ContentBlock, string>();

function replacementText(block: ContentBlock): string {
  const known = knownTexts.get(block) ?? blockText(block);
  knownTexts.set(block, known);
  return known;
}

function hasLines(text: string, wanted: string): boolean {
  if (text.includes(wanted)) return true;
  const lines = wanted.split("\n").map((line) => line.trim());
  return lines.length > 1 && lines.every((line) => text.includes(line));
}

/** A label that shows how to get the content back: by the id of the call, with the name of its tool. */
function isHandle({ block }: ViewItem): boolean {
  if (isBlock(block, "tool_result"))
    return typeof block.content === "string" && block.content.includes(block.tool_use_id);
  if (!isBlock(block, "tool_use")) return false;
  const { cleared } = (block.input ?? {}) as { readonly cleared?: unknown };
  return typeof cleared === "string" && cleared.includes(block.id);
}

export function pathOf(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const fields = input as Readonly<Record<string, unknown>>;
  return pathFields.map((field) => fields[field]).find((path): path is string => typeof path === "string");
}
