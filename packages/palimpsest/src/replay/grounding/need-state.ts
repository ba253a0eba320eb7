import { fileTools, lookingTools, pathFields } from "@palimpsest/core/internal";
import { type ContentBlock, isBlock } from "@palimpsest/core/spec";
import type { Need } from "./find-needs.ts";
import type { RecalledText, RecallReader } from "./recalled-text.ts";
import { entryOfKey, type RecordedBlock } from "./recorded-blocks.ts";
import type { ViewContent } from "./view-reader.ts";

/** Where what a call needs is, under a policy. */
export type NeedState = "in-view" | "recall" | "refetch" | "lost";

/** Where a need was looked for, and how it comes back where it is not in view. */
export interface FoundNeed {
  readonly state: NeedState;
  /** Absent where it is in view. */
  readonly missing?: MissingSource;
}

/** A block to be brought back. */
export interface MissingSource {
  readonly source: RecordedBlock;
  /** What one recall of a visible id gives, and that id; absent where none gives it. */
  readonly recalled?: { readonly id: string; readonly text: string };
}

export interface NeedFinderParts {
  readonly view: ViewContent;
  readonly recalls: RecallReader;
  /** Whether a file was written since a request. */
  readonly wasWrittenSince: (path: string, request: number) => boolean;
}

/** Looks for needs in a view, and for what is not there among what can be had from it. */
export function createNeedFinder({ view, recalls, wasWrittenSince }: NeedFinderParts) {
  const callOf = ({ block }: RecordedBlock) =>
    isBlock(block, "tool_result") ? view.callOf(block.tool_use_id) : undefined;
  /** Of a call that reads a file; `undefined` for any other. */
  const isWrittenSince = (source: RecordedBlock): boolean | undefined => {
    const call = callOf(source);
    const path = call && fileTools.get(call.name) === "read" ? pathOf(call.input) : undefined;
    return path === undefined ? undefined : wasWrittenSince(path, source.request);
  };
  const canRefetch = (source: RecordedBlock): boolean => {
    const call = callOf(source);
    return call !== undefined && (lookingTools.has(call.name) || isWrittenSince(source) === false);
  };

  return {
    async find({ atom, sources }: Need): Promise<FoundNeed> {
      if (sources.some(({ key }) => view.holds(key)) || view.quotes(atom.text)) return { state: "in-view" };
      for (const source of [...sources].reverse()) {
        const recalled = await recallVisible(view, recalls, source, (text) => text.has(atom.text));
        if (recalled) return { state: "recall", missing: { source, recalled } };
      }
      const again = sources.findLast(canRefetch);
      if (again) return { state: "refetch", missing: { source: again } };
      return { state: "lost", missing: { source: sources.at(-1) as RecordedBlock } };
    },
    lossOf({ sources }: Need): LossCause {
      if (sources.some(canRefetch)) return "read-again";
      if (sources.some((source) => idsOf(source).some((id) => view.hasShown(id)))) return "squeezed-out";
      if (sources.some((source) => isWrittenSince(source) === true)) return "changed-since";
      return sources.some(({ key }) => view.isUnnamed(key)) ? "cleared-unnamed" : "never-named";
    },
  };
}

/**
 * One recall away: an id of the block is shown in the view, and what Recall gives for it has what is wanted. `null` where
 * that is not so.
 */
export async function recallVisible(
  view: ViewContent,
  recalls: RecallReader,
  source: Pick<RecordedBlock, "key" | "block">,
  isWanted: (recalled: RecalledText) => boolean,
): Promise<MissingSource["recalled"] | null> {
  for (const id of idsOf(source)) {
    if (!view.shows(id)) continue;
    const recalled = await recalls.read(id);
    if (recalled && isWanted(recalled)) return { id, text: recalled.text };
  }
  return null;
}

/** The ids by which a block is recalled: of its call, and of its message. */
function idsOf({ block, key }: Pick<RecordedBlock, "key" | "block">): readonly string[] {
  const call = callIdOf(block);
  return call === undefined ? [entryOfKey(key)] : [call, entryOfKey(key)];
}

export function callIdOf(block: ContentBlock): string | undefined {
  if (isBlock(block, "tool_result")) return block.tool_use_id;
  return isBlock(block, "tool_use") ? block.id : undefined;
}

export function pathOf(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const fields = input as Readonly<Record<string, unknown>>;
  return pathFields.map((field) => fields[field]).find((path): path is string => typeof path === "string");
}

/**
 * Why something that a call needs is neither in view nor one recall away. `squeezed-out`: an id of it was shown once, and
 * no longer is. `never-named`: it left the view, and nothing ever showed an id of it. `cleared-unnamed`: something stands
 * in its place that shows no id. `changed-since`: its file could be read again, but was written since. `read-again`: no
 * id is shown, but calling again gives the same.
 */
export type LossCause = (typeof lossCauses)[number];

export const lossCauses = [
  "squeezed-out",
  "never-named",
  "cleared-unnamed",
  "changed-since",
  "read-again",
] as const;

/** How many were lost, by cause; causes that did not happen are absent. */
export type Losses = Readonly<Partial<Record<LossCause, number>>>;

export function addLosses(one: Losses, other: Losses): Losses {
  const sums = lossCauses.map((cause) => [cause, (one[cause] ?? 0) + (other[cause] ?? 0)] as const);
  return Object.fromEntries(sums.filter(([, count]) => count > 0));
}
