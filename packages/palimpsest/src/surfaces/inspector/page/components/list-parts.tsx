import type { InspectorFailure } from "../../inspected.ts";
import { toVisible } from "../text-parts.ts";

/** A failure and what to do about it. */
export function FailureNote({ failure }: { readonly failure: InspectorFailure }) {
  return (
    <div class="note failure" role="alert">
      <p>{toVisible(failure.message)}</p>
      {failure.fix !== undefined && <p class="quiet">{toVisible(failure.fix)}</p>}
    </div>
  );
}

interface FilterFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** A field that narrows the list below it. Escape empties it, Enter leaves it for the list. */
export function FilterField({ label, value, onValue }: FilterFieldProps) {
  return (
    <input
      class="filter"
      type="search"
      aria-label={label}
      placeholder={`${label}…`}
      autocomplete="off"
      spellcheck={false}
      value={value}
      onInput={(event) => onValue(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== "Escape") return;
        if (event.key === "Escape") onValue("");
        event.preventDefault();
        event.stopPropagation();
        event.currentTarget.closest(".filtered")?.querySelector<HTMLElement>(".rows")?.focus();
      }}
    />
  );
}
