import type { ToolResultBlock, ViewItem } from "../../spec/index.ts";

/** A result that goes to disk, with all that its preview is made of. */
export interface OffloadChoice {
  readonly choice: "offload";
  readonly toolUseId: string;
  readonly block: ToolResultBlock;
  /** Of the entry that has it. */
  readonly seq: number;
  /** Absent where the call is not part of the view. */
  readonly tool?: string;
  readonly isShell: boolean;
  /** Which limit it is over. */
  readonly limit: "tool" | "round" | "window";
  readonly previewBytes: number;
  readonly tailBytes: number;
  /** Characters it may have in the context if the disk refuses it. */
  readonly cutChars: number;
  /** Its images and documents do not fit the window either. */
  readonly leavesMediaOut?: boolean;
}

/** Blocks of a prompt that go to disk as one, since the prompt alone exceeds the window. */
export interface PromptChoice {
  /** Texts that stand next to each other in one message; an image or a document by itself. */
  readonly items: readonly [ViewItem, ...ViewItem[]];
  /** Of a text: so many bytes of its beginning, and of its end, stay. */
  readonly previewBytes: number;
}

/** The choice for one result. */
export type ResultChoice =
  | { readonly choice: "whole"; readonly toolUseId: string }
  /** A sentence says all there is to say: that there was no output, or where the same text stands. */
  | {
      readonly choice: "empty" | "reference";
      readonly toolUseId: string;
      readonly block: ToolResultBlock;
      readonly sentence: string;
    }
  | OffloadChoice;

/** All choices that are frozen together. */
export interface ToolResultsCommand {
  readonly choices: readonly ResultChoice[];
  readonly prompts: readonly PromptChoice[];
  /** Where the log is, for a model that has no tool to recall with. */
  readonly logAddress?: string;
  readonly reason: string;
  readonly basis: number;
}
