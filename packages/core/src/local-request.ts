export interface LocalRefusal {
  readonly code: "headers-ambiguous" | "host-refused" | "origin-refused";
  readonly status: 400 | 403;
  /** For the log and the caller: what was wrong, and what would be right. */
  readonly reason: string;
}

/** Headers of which a second one would leave open which of the two holds. */
const single: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "content-type",
  "content-encoding",
  "authorization",
  "proxy-authorization",
  "x-api-key",
  "x-goog-api-key",
  "api-key",
  "anthropic-version",
  "origin",
]);

const ownNames = ["127.0.0.1", "localhost", "[::1]"];
/** Names that no name server of the world can lead to an address of its choice. */
const notPublic =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\]|[a-z\d_-]+|[a-z\d._-]+\.(?:local|localhost|internal|test|svc|home\.arpa))(?::\d{1,5})?$/;

/**
 * Whether a request may be answered by a server that is for this machine alone. A page of another origin can make a
 * browser send requests here, under a name of its own that it points at 127.0.0.1: Host, Origin and what the browser says
 * of the page give it away. Heads that two servers could read in two ways are refused as well. `rawHeaders`: names and
 * values in turn, as Node has them. `reach`: with `network` it is for other machines too, and any address, and any name that
 * is not public, may be the Host.
 */
export function checkLocalRequest(
  rawHeaders: readonly string[],
  port: number,
  reach: "machine" | "network" = "machine",
): LocalRefusal | null {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    if (headers.has(name) && single.has(name)) {
      const reason = `The request can be read in two ways: there are two headers “${name}”.`;
      return { code: "headers-ambiguous", status: 400, reason };
    }
    headers.set(name, rawHeaders[at + 1] ?? "");
  }
  const host = (headers.get("host") ?? "").toLowerCase();
  const own = ownNames.map((name) => `${name}:${port}`);
  const isOwn = own.includes(host) || (port === 80 && ownNames.includes(host));
  if (!isOwn && !(reach === "network" && notPublic.test(host))) {
    const more = reach === "network" ? ", an address, or a name that is not public" : "";
    return { code: "host-refused", status: 403, reason: `The Host must be ${own.join(" or ")}${more}.` };
  }
  const origin = headers.get("origin");
  if (origin !== undefined && origin.toLowerCase() !== `http://${host}`)
    return { code: "origin-refused", status: 403, reason: "The Origin is another site's." };
  const site = headers.get("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return { code: "origin-refused", status: 403, reason: "Another site's page asked for it." };
  return null;
}
