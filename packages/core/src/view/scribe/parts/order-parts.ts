import type { Ledgers, OrderRecord } from "../../../spec/index.ts";
import { shortId } from "../../quote-foreign.ts";
import type { IdWord } from "../../read-back.ts";
import type { Piece } from "../piece.ts";

export const ordersLabel = "Standing orders of the user, in force until the user revokes them:";

/** The orders in force; of those with the same words only the newest. */
export function ordersInForce({ orders }: Pick<Ledgers, "orders">): readonly OrderRecord[] {
  const newest = new Map(orders.map((order, at) => [order.text, at]));
  return orders.filter(({ text, revokedBy }, at) => revokedBy === undefined && newest.get(text) === at);
}

/** Each on a line of its own, word for word: there is no shorter form. */
export function orderPieces(ledgers: Pick<Ledgers, "orders">, idWord: IdWord): readonly Piece[] {
  return ordersInForce(ledgers).map((order) => ({ label: ordersLabel, levels: [orderLine(order, idWord)] }));
}

export function orderLine({ entry, text }: OrderRecord, idWord: IdWord): string {
  return `- ${text} · ${idWord} ${shortId(entry)}`;
}
