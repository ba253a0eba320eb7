import { BlockList, isIP } from "node:net";

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
