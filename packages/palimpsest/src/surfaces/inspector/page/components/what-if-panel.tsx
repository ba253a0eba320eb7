import { useEffect, useMemo, useState } from "preact/hooks";
import type { InspectedSession, InspectorSource, WhatIf } from "../../inspected.ts";
import { pairOptions, readColours } from "../chart-options.ts";
import { useLoaded } from "../hooks/use-session.ts";
import { formatTokens, toVisible, toVisibleLine } from "../text-parts.ts";
import { toWhatIfRows, whatIfColumns } from "../what-if-table.ts";
import { Chart } from "./chart.tsx";
import { toLines } from "./context-chart.tsx";
import { FailureNote } from "./list-parts.tsx";

interface WhatIfPanelProps {
  readonly source: InspectorSource;
  readonly session: InspectedSession;
  readonly request: number;
  readonly policy: string | undefined;
  readonly theme: number;
  readonly zoomOuts: number;
  readonly onPolicy: (policy: string) => void;
  readonly onChoose: (request: number) => void;
}

/** The same session under another policy: its tokens beside the session's, and what it would have cost and lost. */
export function WhatIfPanel(props: WhatIfPanelProps) {
  const { source, session, policy, onPolicy } = props;
  const policies = useLoaded(() => source.policies(), [source]);
  const chosen = policies.value && choosePolicy(policies.value, policy);
  const whatIf = useLoaded(
    async () => (chosen ? source.whatIf(session.id, chosen.name) : undefined),
    [source, session.id, session.generation, chosen?.name],
  );
  const [known, setKnown] = useState<ReadonlyMap<string, WhatIf>>(new Map());
  useEffect(() => setKnown(new Map()), [session.id, session.generation]);
  useEffect(() => {
    const { value } = whatIf;
    if (value) setKnown((before) => new Map([...before, [value.policy, value]]));
  }, [whatIf.value]);
  const failure = policies.failure ?? whatIf.failure;
  return (
    <div class="panel-body scrolls">
      <div class="panel-line">
        <label for="policy">Policy</label>
        <select id="policy" value={chosen?.name} onChange={(event) => onPolicy(event.currentTarget.value)}>
          {policies.value?.map(({ name }) => (
            <option key={name} value={name}>
              {toVisibleLine(name)}
            </option>
          ))}
        </select>
        <span class="quiet">{chosen && toVisible(chosen.about)}</span>
      </div>
      {failure && <FailureNote failure={failure} />}
      {policies.value?.length === 0 && <p class="note quiet">There is no policy to replay.</p>}
      {!failure && chosen && !whatIf.value && <p class="note quiet">Replaying…</p>}
      {whatIf.value && <PairChart {...props} whatIf={whatIf.value} />}
      {whatIf.value?.note !== undefined && <p class="note quiet">{toVisible(whatIf.value.note)}</p>}
      <WhatIfTable session={session} whatIfs={[...known.values()]} chosen={chosen?.name} />
    </div>
  );
}

/** The one that was asked for, or else the engine's own. */
function choosePolicy<Policy extends { readonly name: string }>(
  policies: readonly Policy[],
  wanted: string | undefined,
): Policy | undefined {
  const named = (name: string | undefined) => policies.find((policy) => policy.name === name);
  return named(wanted) ?? named("faithful") ?? policies[0];
}

function PairChart(props: WhatIfPanelProps & { readonly whatIf: WhatIf }) {
  const { session, request, whatIf, theme, zoomOuts, onChoose } = props;
  const { tokens } = session.requests;
  const largest = [...tokens, ...whatIf.tokens].reduce((most, each) => Math.max(most, each), 0);
  const columns = useMemo(
    () => [
      Float64Array.from(tokens, (_, at) => at + 1),
      Float64Array.from(tokens),
      tokens.map((_, at) => whatIf.tokens[at] ?? null),
    ],
    [tokens, whatIf],
  );
  const marks = () => ({
    compactions: [],
    others: [],
    breaks: whatIf.breaks.map((each) => each + 1),
    lines: toLines(session.window, largest),
  });
  const [own, other] = [tokens[request] ?? 0, whatIf.tokens[request]];
  return (
    <figure class="pair">
      <figcaption>
        <span class="line-sample session-line">As recorded {formatTokens(own)}</span>
        <span class="line-sample policy-line">
          {toVisibleLine(whatIf.policy)} {other === undefined ? "–" : formatTokens(other)}
        </span>
        <span class="break">▲ breaks by the policy</span>
      </figcaption>
      <Chart
        label={`Tokens a request: as recorded at most ${formatTokens(tokens.reduce((most, each) => Math.max(most, each), 0))}, under ${whatIf.policy} at most ${formatTokens(whatIf.tokens.reduce((most, each) => Math.max(most, each), 0))}.`}
        height={170}
        optionsKey={`${theme} ${whatIf.policy}`}
        options={() => pairOptions(marks, readColours())}
        columns={columns as [Float64Array, Float64Array, (number | null)[]]}
        lines={[{ name: "chosen", at: request + 1 }]}
        zoomOuts={zoomOuts}
        onChoose={onChoose}
        onHover={() => {}}
        onZoom={() => {}}
      />
    </figure>
  );
}

interface WhatIfTableProps {
  readonly session: InspectedSession;
  readonly whatIfs: readonly WhatIf[];
  readonly chosen: string | undefined;
}

/** The cost, breaks, and kept and lost facts of each policy that was looked at. */
function WhatIfTable({ session, whatIfs, chosen }: WhatIfTableProps) {
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
