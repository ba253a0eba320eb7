import { type Exchange, send } from "./exchange.ts";
import { type Outcome, relay, sayUnreachable } from "./relay.ts";

/** Lets a request and its answer pass as they are. */
export async function passThrough(exchange: Exchange): Promise<void> {
  const { parts, route, method, path, body } = exchange;
  let status: number | undefined;
  let outcome: Outcome;
  try {
    const answer = await send(exchange, body);
    status = answer.statusCode;
    outcome = await relay(exchange, answer);
  } catch {
    outcome = sayUnreachable(exchange);
  }
  const { protocol } = route;
  const sent = { type: "request-end", method, path, sent: "passed", outcome } as const;
  parts.emit({ ...sent, ...(protocol && { protocol }), ...(status !== undefined && { status }) });
}
