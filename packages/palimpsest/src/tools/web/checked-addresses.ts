import { isIP } from "node:net";
import { fail, ok, type Result } from "@palimpsest/core/spec";
import { isPublicAddress } from "./public-address.ts";

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Asks the name system; throws where the name is not known. */
export type LookupHost = (host: string) => Promise<readonly HostAddress[]>;

/** By the machine's own resolver, as its other programs do. */
export const lookupHost: LookupHost = async (host) => {
  const { lookup } = await import("node:dns/promises");
  return lookup(host, { all: true });
};

/** Where a URL leads, if all of it is the public Internet, or the host and port are allowed by name. */
export async function checkedAddresses(
  url: URL,
  { lookup, allowPrivate }: { readonly lookup: LookupHost; readonly allowPrivate: readonly string[] },
): Promise<Result<readonly HostAddress[]>> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const found = await addressesOf(host, lookup);
  if (!found.ok || allowPrivate.includes(`${host}:${port}`)) return found;
  const inner = found.value.find(({ address }) => !isPublicAddress(address));
  if (inner === undefined) return found;
  return fail("denied", `${host} is not on the public Internet (${inner.address}).`, {
    fix: "Only public pages can be fetched.",
  });
}

async function addressesOf(host: string, lookup: LookupHost): Promise<Result<readonly HostAddress[]>> {
  const family = isIP(host);
  if (family !== 0) return ok([{ address: host, family }]);
  const unknown = (cause?: unknown) =>
    fail("not-found", `There is no host ${host}.`, { fix: "Check the address.", cause });
  try {
    const addresses = await lookup(host);
    return addresses.length === 0 ? unknown() : ok(addresses);
  } catch (cause) {
    return unknown(cause);
  }
}
