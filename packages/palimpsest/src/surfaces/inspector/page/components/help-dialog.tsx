import { useLayoutEffect, useRef } from "preact/hooks";
import { keyBindings, listKeys, toKeyName } from "../keys.ts";

/** Every key of the page. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the next key is heard: Escape closes what can be seen, never what is about to come.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const rows = [
    ...keyBindings.map(({ keys, about }) => [keys, about] as const),
    ...listKeys.map(([key, about]) => [[key], about] as const),
  ];
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={onClose}>
      <header>
        <h2 id="help-title">Keys</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <dl>
        {rows.map(([keys, about]) => (
          <div key={about}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{toKeyName(key)}</kbd>
              ))}
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">
        In the chart: click chooses a request, dragging zooms, a double click shows everything.
      </p>
    </dialog>
  );
}
