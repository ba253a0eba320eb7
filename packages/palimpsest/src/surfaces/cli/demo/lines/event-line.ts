import { escapeTerminal } from "../../../terminal/escape-terminal.ts";
import { formatTokens } from "../../../terminal/format-amount.ts";
import { cutText, padText } from "../../../terminal/text-width.ts";
import type { LayerEvent } from "../runs/demo-policies.ts";
import { layerName } from "../state/demo-state.ts";

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
