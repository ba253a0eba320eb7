import type { InspectorFailure } from "../../inspected.ts";
import { toVisible } from "../visible-text.ts";

/** What went wrong and what to do about it. */
export function FailureNote({ failure }: { readonly failure: InspectorFailure }) {
  return (
    <div class="note failure" role="alert">
      <p>{toVisible(failure.message)}</p>
      {failure.fix !== undefined && <p class="quiet">{toVisible(failure.fix)}</p>}
    </div>
  );
}
