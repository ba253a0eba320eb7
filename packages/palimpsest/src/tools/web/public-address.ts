import { BlockList, isIP } from "node:net";
import { fail, ok, type Result } from "@palimpsest/core/spec";

/** IPv4 networks that are not the public Internet (IANA special-purpose registry, multicast, reserved). */
const closedNetworks: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Inside the public 2000::/3: protocol assignments (Teredo too), documentation, 6to4, documentation again. */
const closedInside: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const closed = new BlockList();
for (const [network, bits] of closedNetworks) closed.addSubnet(network, bits, "ipv4");

const closedSix = new BlockList();
for (const [network, bits] of closedInside) closedSix.addSubnet(network, bits, "ipv6");

const publicSix = new BlockList();
publicSix.addSubnet("2000::", 3, "ipv6");

/**
 * Whether an address is one of the public Internet. Every form of IPv6 that only carries an IPv4 address (mapped,
 * translated, tunnelled) is not: what it reaches depends on the network.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !closed.check(address, "ipv4");
    case 6:
      return !address.includes("%") && publicSix.check(address, "ipv6") && !closedSix.check(address, "ipv6");
    default:
      return false;
  }
}

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
