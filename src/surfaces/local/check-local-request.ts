import type { IncomingMessage } from "node:http";

export interface LocalRefusal {
  readonly status: 400 | 403;
  /** For the log and the caller: what was wrong, and what would be right. */
  readonly reason: string;
}

type RequestHead = Pick<IncomingMessage, "url" | "headers" | "rawHeaders">;

/**
 * Whether a request may be answered by a server that is for this machine alone. A page of another origin can make a
 * browser send requests here, under a name of its own that it points at 127.0.0.1: its Host and Origin give it away.
 */
export function checkLocalRequest(
  { url = "", headers, rawHeaders }: RequestHead,
  port: number,
): LocalRefusal | null {
  if (!url.startsWith("/")) return { status: 400, reason: "The address must be a path." };
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length !== 1)
    return { status: 400, reason: `There are ${hosts.length} Host headers instead of one.` };
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!own.includes(headers.host ?? "")) {
    return { status: 403, reason: `The Host must be ${own.join(" or ")}.` };
  }
  const { origin } = headers;
  if (origin !== undefined && !own.some((host) => origin === `http://${host}`)) {
    return { status: 403, reason: "The Origin is another site's." };
  }
  if (headers["sec-fetch-site"] === "cross-site") {
    return { status: 403, reason: "Another site asked for it." };
  }
  return null;
}
