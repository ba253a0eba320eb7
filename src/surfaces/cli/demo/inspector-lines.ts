import { relative } from "node:path";
import { toHarmless } from "../harmless.ts";
import type { Style } from "../style.ts";

export interface InspectorPlaces {
  /** The bundled session. */
  readonly sample: string;
  /** The session as the engine left it; absent where it was not written. */
  readonly made?: string;
  /** Where the command was called. */
  readonly folder: string;
}

/** How to look inside: the session with the decisions of the layers, and as it was recorded. */
export function inspectorLines({ sample, made, folder }: InspectorPlaces, style: Style): readonly string[] {
  const shown = (path: string) => {
    const near = relative(folder, path);
    return toHarmless(near.startsWith("..") ? path : near);
  };
  const line = (label: string, path: string) =>
    `  ${style.dim(label.padEnd(13))} palimpsest inspect ${shown(path)}`;
  return [
    ...(made === undefined ? [] : [line("look inside:", made)]),
    line(made === undefined ? "look inside:" : "as recorded:", sample),
  ];
}
