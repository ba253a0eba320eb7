import { checkLocalRequest } from "@palimpsest/core/internal";
import { isSameSecret } from "../../local/is-same-secret.ts";

/** What is looked at before a request is answered. */
export interface IncomingRequest {
  readonly method: string;
  readonly url: string;
  /** Names and values in turn, as Node has them. */
  readonly rawHeaders: readonly string[];
}

export type Admission =
  | { readonly isAdmitted: false; readonly status: number; readonly message: string; readonly fix?: string }
  | {
      readonly isAdmitted: true;
      /** Behind the token, decoded one by one: a slash inside one is part of a name. */
      readonly segments: readonly string[];
      readonly query: URLSearchParams;
    };

export const maxUrlChars = 16_384;

/**
 * Whether a request is answered at all. Only pages of this very server may ask: a page of another origin knows no token,
 * cannot hide where it comes from, and a name that was made to point here has another `Host`.
 */
export function admitRequest(request: IncomingRequest, port: number, token: string): Admission {
  const { method, url, rawHeaders } = request;
  const foreign = checkLocalRequest(rawHeaders, port);
  if (foreign) return refuse(foreign.status, foreign.reason);
  if (method !== "GET" && method !== "HEAD") return refuse(405, "The inspector only shows: ask with GET.");
  if (url.length > maxUrlChars) return refuse(414, "The address is too long.");
  const [path = "", search = ""] = splitOnce(url, "?");
  const segments = decode(path.split("/").slice(1));
  if (segments === null) return refuse(400, "The address is not well-formed.");
  const [given = "", ...rest] = segments;
  if (!isSameSecret(given, token))
    return refuse(
      403,
      "The token in the address is wrong.",
      "Open the address that the command has printed.",
    );
  return { isAdmitted: true, segments: rest, query: new URLSearchParams(search) };
}

function refuse(status: number, message: string, fix?: string): Admission {
  return { isAdmitted: false, status, message, ...(fix !== undefined && { fix }) };
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(parts: readonly string[]): readonly string[] | null {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return null;
  }
}
