import type { Style } from "../../terminal/style.ts";

/** How things are drawn. */
export interface Look {
  readonly columns: number;
  readonly style: Style;
  /** For a screen reader: words instead of pictures, nothing that only looks good. */
  readonly isPlain: boolean;
  /** The folder the agent works in: paths below it are shown from there. */
  readonly cwd: string;
}
