import { useState } from "preact/hooks";
import { diffLines } from "../../../terminal/diff-lines.ts";
import type { InspectorSource, MemoryDetail, MemoryVersion } from "../../inspected.ts";
import { useLoaded } from "../hooks/use-session.ts";
import { formatTime, toVisible, toVisibleLine } from "../text-parts.ts";
import { FailureNote } from "./list-parts.tsx";

interface MemoryDetailsProps {
  readonly source: InspectorSource;
  readonly path: string;
}

/** One memory: who wrote each line of it, and what each version changed. */
export function MemoryDetails({ source, path }: MemoryDetailsProps) {
  const { value, failure } = useLoaded(() => source.memory(path), [source, path]);
  return (
    <section class="memory-details" aria-label={toVisibleLine(path)}>
      <div class="panel-head">
        <h2 class="clip">{toVisibleLine(path)}</h2>
      </div>
      {failure && <FailureNote failure={failure} />}
      {value && <Versions detail={value} />}
    </section>
  );
}

/** Lines beyond this many are not drawn: memories are short by their own rules. */
const maxLines = 5000;

function Versions({ detail }: { readonly detail: MemoryDetail }) {
  const newest = detail.versions.reduce((most, { version }) => Math.max(most, version), 0);
  const [version, setVersion] = useState<number>();
  const [against, setAgainst] = useState<number>();
  const before = against ?? previousOf(detail.versions, version);
  return (
    <div class="memory-both">
      <ol class="versions" aria-label="Versions">
        <li>
          <button type="button" aria-pressed={version === undefined} onClick={() => setVersion(undefined)}>
            Blame
            <span class="quiet">newest text, line by line</span>
          </button>
        </li>
        {detail.versions.toReversed().map((each) => (
          <li key={each.version}>
            <button
              type="button"
              aria-pressed={version === each.version}
              onClick={() => {
                setVersion(each.version);
                setAgainst(undefined);
              }}
            >
              Version {each.version} · {toVisibleLine(each.by)}
              <span class="quiet">
                {formatTime(each.at)} · {toVisibleLine(each.reason)}
              </span>
            </button>
          </li>
        ))}
      </ol>
      <section class="memory-text" id="memory-text" tabIndex={0} aria-label="Text">
        {version === undefined ? (
          <Blame detail={detail} newest={newest} />
        ) : (
          <Difference detail={detail} before={before} after={version} onBefore={setAgainst} />
        )}
      </section>
    </div>
  );
}

function previousOf(versions: readonly MemoryVersion[], version: number | undefined): number {
  return versions.reduce(
    (last, each) => (each.version < (version ?? 0) ? Math.max(last, each.version) : last),
    0,
  );
}

function Blame({ detail, newest }: { readonly detail: MemoryDetail; readonly newest: number }) {
  const by = new Map(detail.versions.map((each) => [each.version, each]));
  return (
    <table class="lines">
      <tbody>
        {detail.blame.slice(0, maxLines).map(({ text, version }, line) => {
          const from = by.get(version);
          const isNext = detail.blame[line - 1]?.version !== version;
          return (
            <tr key={line} class={version === newest ? "is-newest" : undefined}>
              <th scope="row" title={from && toVisibleLine(from.reason)}>
                {isNext && (
                  <>
                    v{version} <span class="quiet">{from && toVisibleLine(from.by)}</span>
                  </>
                )}
              </th>
              <td>{toVisible(text)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface DifferenceProps {
  readonly detail: MemoryDetail;
  /** 0: the text before the first version, which is empty. */
  readonly before: number;
  readonly after: number;
  readonly onBefore: (version: number) => void;
}

const signs = { kept: "", added: "+", removed: "−" } as const;

function Difference({ detail, before, after, onBefore }: DifferenceProps) {
  const versionText = (version: number) =>
    detail.versions.find((each) => each.version === version)?.text ?? "";
  return (
    <>
      <p class="panel-line">
        <label for="against">Version {after} against</label>
        <select id="against" value={before} onChange={(event) => onBefore(Number(event.currentTarget.value))}>
          <option value={0}>nothing</option>
          {detail.versions
            .filter(({ version }) => version !== after)
            .map(({ version }) => (
              <option key={version} value={version}>
                version {version}
              </option>
            ))}
        </select>
      </p>
      <table class="lines">
        <tbody>
          {diffLines(versionText(before), versionText(after))
            .slice(0, maxLines)
            .map(({ kind, text }, line) => (
              <tr key={line} class={`is-${kind}`}>
                <th scope="row">{signs[kind]}</th>
                <td>{toVisible(text)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </>
  );
}
