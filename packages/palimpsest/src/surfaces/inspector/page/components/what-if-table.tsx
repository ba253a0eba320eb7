import type { InspectedSession, WhatIf } from "../../inspected.ts";
import { toVisibleLine } from "../visible-text.ts";
import { toWhatIfRows, whatIfColumns } from "../what-if-table.ts";

interface WhatIfTableProps {
  readonly session: InspectedSession;
  readonly whatIfs: readonly WhatIf[];
  readonly chosen: string | undefined;
}

/** What each policy that was looked at would have cost, broken, kept and lost. */
export function WhatIfTable({ session, whatIfs, chosen }: WhatIfTableProps) {
  return (
    <div class="table-scroll">
      <table class="what-if">
        <thead>
          <tr>
            <th scope="col">Policy</th>
            {whatIfColumns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {toWhatIfRows(session, whatIfs).map(({ name, cells }) => (
            <tr key={name} class={name === chosen ? "is-chosen" : undefined}>
              <th scope="row">{toVisibleLine(name)}</th>
              {cells.map((cell, at) => (
                <td key={whatIfColumns[at]} class="number">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">
        “In view” to “lost” are parts of what later calls needed; fetches were made again and are charged.
      </p>
    </div>
  );
}
