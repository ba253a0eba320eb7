import { escapeTerminal } from "../../escape-terminal.ts";
import { cutText, padText } from "../../fit-text.ts";
import type { LayerEvent } from "../runs/demo-word.ts";
import { layerName } from "../state/layer-totals.ts";
import { formatTokens } from "./format-demo.ts";

const requestColumns = 4;
const layerColumns = 15;
const freesColumns = 5;

/** One line: at which request, which layer, what it freed, what it did and why. */
export function eventLine({ request, layer, did, frees, why }: LayerEvent, columns: number): string {
  const head = [
    padText(`#${request + 1}`, requestColumns, "right"),
    padText(layerName(layer), layerColumns),
    padText(frees > 0 ? `−${formatTokens(frees)}` : "", freesColumns, "right"),
  ].join(" ");
  return cutText(`${head} ${escapeTerminal(did === "" ? why : `${did}: ${why}`)}`, columns);
}
