import type { RecallContents, SegmentBuilder, Tokenizer } from "../../../recall/index.ts";
import { nextContents } from "../../../recall/next-contents.ts";
import { createSegmentBuilder } from "../../../recall/segment-builder.ts";
import { ok, type RecallDraft, type RecallKind } from "../../../spec/index.ts";
import type { RecallIndexFiles, RecallState } from "./recall-index-files.ts";

export interface RecallDraftParts {
  readonly files: RecallIndexFiles;
  readonly tokenizer: Tokenizer;
  readonly state: RecallState;
  /** The undamaged part of the state. */
  readonly present: RecallContents;
}

export function createRecallDraft({ files, tokenizer, state, present }: RecallDraftParts): RecallDraft {
  /** One for each kind of document there is. */
  const builders = new Map<RecallKind, SegmentBuilder>();
  return {
    get documents() {
      return [...builders.values()].reduce((sum, { documents }) => sum + documents, 0);
    },
    add(document) {
      const builder = builders.get(document.kind) ?? createSegmentBuilder(tokenizer);
      builders.set(document.kind, builder);
      builder.add(document);
    },
    async publish(drop) {
      const added = [...builders].map(([kind, builder]) => ({ kind, segment: builder.toSegment() }));
      const published = await files.publish(state, nextContents(present, { ...drop, added }));
      return published.ok ? ok() : published;
    },
  };
}
