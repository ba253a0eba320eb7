import type { IncomingHttpHeaders } from "node:http";
import { bearerOf } from "../../local/bearer-of.ts";
import { isSameSecret } from "../../local/is-same-secret.ts";
import { refusal } from "./check-head.ts";
import type { Refusal } from "./refusal.ts";

/** A header for clients whose `authorization` is for the provider. */
export const tokenHeader = "x-palimpsest-token";

/** Whether a client has the token that the gateway asks for, where it asks for one. */
export function checkToken(headers: IncomingHttpHeaders, token: string | undefined): Refusal | null {
  if (token === undefined) return null;
  const own = headers[tokenHeader];
  const given = [
    typeof own === "string" ? own : undefined,
    bearerOf(headers["proxy-authorization"]),
    bearerOf(headers.authorization),
  ];
  if (given.some((one) => one !== undefined && isSameSecret(one, token))) return null;
  const message = `This gateway asks for its token, as the header “${tokenHeader}” or as a bearer.`;
  return refusal("token-refused", 401, message);
}

/** Whether an `authorization` is for the gateway: then it is not for the provider. */
export function isOwnBearer(authorization: string | undefined, token: string | undefined): boolean {
  const given = bearerOf(authorization);
  return given !== undefined && token !== undefined && isSameSecret(given, token);
}
