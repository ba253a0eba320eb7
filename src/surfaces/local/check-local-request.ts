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
  "origin",
]);

const ownNames = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Whether a request may be answered by a server that is for this machine alone. A page of another origin can make a
 * browser send requests here, under a name of its own that it points at 127.0.0.1: Host, Origin and what the browser says
 * of the page give it away. Heads that two servers could read in two ways are refused as well. `rawHeaders`: names and
 * values in turn, as Node has them.
 */
export function checkLocalRequest(rawHeaders: readonly string[], port: number): LocalRefusal | null {
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
  if (!own.includes(host))
    return { code: "host-refused", status: 403, reason: `The Host must be ${own.join(" or ")}.` };
  const origin = headers.get("origin");
  if (origin !== undefined && origin.toLowerCase() !== `http://${host}`)
    return { code: "origin-refused", status: 403, reason: "The Origin is another site's." };
  const site = headers.get("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return { code: "origin-refused", status: 403, reason: "Another site's page asked for it." };
  return null;
}
