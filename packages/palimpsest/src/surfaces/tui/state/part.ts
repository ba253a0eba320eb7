import type { ToolOutcome } from "@palimpsest/core/spec";

/** Something that has happened and stays on the screen as it is. */
export type Part = { readonly id: number } & PartBody;

export type PartBody =
  | { readonly kind: "prompt"; readonly text: string }
  /** Markdown, whole paragraphs of it. */
  | { readonly kind: "answer"; readonly text: string; readonly isFirst: boolean }
  | {
      readonly kind: "tool";
      readonly tool: string;
      readonly input: unknown;
      readonly output: ToolOutcome["content"];
      readonly isError: boolean;
      readonly durationMs: number;
      /** Shown with more of its output. */
      readonly isExpanded: boolean;
    }
  | { readonly kind: "note"; readonly level: "info" | "warning" | "error"; readonly text: string }
  /** What a command has to show: lines that are safe to print and may have colours. */
  | { readonly kind: "panel"; readonly title: string; readonly lines: readonly string[] };
