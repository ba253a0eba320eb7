import { relative } from "node:path";
import { toHarmless } from "../harmless.ts";
import type { Style } from "../style.ts";

export interface InspectorPlaces {
  /** The bundled session. */
  readonly sample: string;
  /** Where the session is shown as the engine left it; absent where nobody would look. */
  readonly url?: string;
  /** Where the command was called. */
  readonly folder: string;
}

/** How to look inside: the session with the decisions of the layers, or as it was recorded. */
export function inspectorLines({ sample, url, folder }: InspectorPlaces, style: Style): readonly string[] {
  const near = relative(folder, sample);
  // A path may be long: it has a line to itself.
  const recorded = `    palimpsest inspect ${toHarmless(near.startsWith("..") ? sample : near)}`;
  if (url === undefined) return [`  ${style.dim("look inside:")}`, recorded];
  return [
    `  ${style.dim("look inside:")}  ${style.bold(url)}`,
    `  ${style.dim("as recorded:")}`,
    recorded,
    "",
    style.dim("  Only this machine can open the page. Ctrl+C ends it."),
  ];
}
