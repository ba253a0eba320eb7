import { formatCount } from "../../../cli/format-amount.ts";
import { formatDollars, formatShare, formatTime, formatTokens } from "../format.ts";
import { Happened, type HappenedProps } from "./happened.tsx";

/** What there is to say about one request. */
export function Readout({ session, request, marks }: HappenedProps) {
  const { requests, window } = session;
  const at = <Value,>(column: readonly Value[]) => column[request];
  const tokens = at(requests.tokens) ?? 0;
  const facts = [
    ["Request", `${formatCount(request + 1)} of ${formatCount(requests.at.length)}`],
    ["Turn", formatCount(at(requests.turn) ?? 0)],
    ["Time", formatTime(at(requests.at) ?? Number.NaN)],
    [
      "Tokens",
      window ? `${formatTokens(tokens)} (${formatShare(tokens, window.tokens)})` : formatTokens(tokens),
    ],
    ["Cache read", formatTokens(at(requests.cacheRead) ?? 0)],
    ["Cache write", formatTokens(at(requests.cacheWrite) ?? 0)],
    ["Output", formatTokens(at(requests.output) ?? 0)],
    ["Cost", formatDollars(at(requests.dollars) ?? null)],
  ] as const;
  return (
    <div class="readout">
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="number">{value}</dd>
          </div>
        ))}
      </dl>
      <p class="happened">
        <Happened session={session} request={request} marks={marks} />
      </p>
    </div>
  );
}
