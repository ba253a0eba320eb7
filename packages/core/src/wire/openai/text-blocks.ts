import type { ContentBlock, ModelEvent } from "../../spec/index.ts";

export interface TextBlocksOptions {
  /** The index of the next block. */
  next(): number;
  give(event: ModelEvent): void;
  keep(index: number, block: ContentBlock): void;
}

/** Text and thinking, one open at a time. */
export interface TextBlocks {
  add(type: "text" | "thinking", text: string): void;
  close(): void;
}

/** A block begins with its first character that is no white space: white space alone is no block anywhere. */
export function createTextBlocks({ next, give, keep }: TextBlocksOptions): TextBlocks {
  let type: "text" | "thinking" = "text";
  let index: number | undefined;
  let text = "";

  function open(): number {
    const opened = next();
    give({ type: "block-start", index: opened, block: toBlock(type, "") });
    return opened;
  }

  const blocks: TextBlocks = {
    add(kind, piece) {
      if (piece === "") return;
      if (kind !== type) blocks.close();
      type = kind;
      text += piece;
      const isNew = index === undefined;
      if (isNew && text.trim() === "") return;
      index ??= open();
      const come = isNew ? text : piece;
      const delta = type === "text" ? ({ type, text: come } as const) : ({ type, thinking: come } as const);
      give({ type: "block-delta", index, delta });
    },
    close() {
      if (index !== undefined) {
        const block = toBlock(type, text);
        give({ type: "block-end", index, block });
        keep(index, block);
      }
      index = undefined;
      text = "";
    },
  };
  return blocks;
}

function toBlock(type: "text" | "thinking", text: string): ContentBlock {
  return type === "text" ? { type, text } : { type, thinking: text };
}
