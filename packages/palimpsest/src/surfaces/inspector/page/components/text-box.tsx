import { useMemo, useState } from "preact/hooks";
import { formatNumber } from "../../../cli/format-amount.ts";
import { partHeight, type TextPart } from "../text-parts.ts";
import { toVisible } from "../visible-text.ts";

/** Longer texts are shown so far at first: a browser lays out millions of characters slowly. */
const maxChars = 100_000;

/** A text as it is, in a box that scrolls. */
export function TextBox({ part, columns }: { readonly part: TextPart; readonly columns: number }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && part.text.length > maxChars;
  const visible = useMemo(
    () => toVisible(isCut ? part.text.slice(0, maxChars) : part.text),
    [part.text, isCut],
  );
  return (
    <figure class="text-box" style={{ height: `${partHeight(part.text, columns)}px` }}>
      <figcaption>
        {part.label}
        {isCut && (
          <button type="button" class="link" onClick={() => setWhole(true)}>
            show {formatNumber(part.text.length - maxChars, "more character")}
          </button>
        )}
      </figcaption>
      {/* The box scrolls, so keys must reach it. */}
      <pre tabIndex={0}>{visible === "" ? <span class="quiet">(empty)</span> : visible}</pre>
    </figure>
  );
}
