import { lookup, type LookupAddress, type LookupOptions } from "node:dns";
import { BlockList, isIP } from "node:net";

/** RFC 6890 and its like: addresses that are of no public host. */
const PRIVATE = new BlockList();
for (const subnet of [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"],
  ...["172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"],
  ...["198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
  ...["::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23"],
  ...["2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10"],
  ...["fec0::/10", "ff00::/8"],
]) {
  const [address = "", bits = ""] = subnet.split("/");
  PRIVATE.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4");
}

/** Whether an address is of a public host. An IPv4 address within IPv6 is looked at as what it is. */
export function isPublic(address: string): boolean {
  return !PRIVATE.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Looks a host up for a connection, and refuses it where one of its addresses is not public: what is asked is what is used. */
export function lookUpPublic(host: string, options: LookupOptions, found: Found): void {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return found(error, []);
    const hidden = addresses.find(({ address }) => !isPublic(address));
    if (hidden !== undefined) return found(new PrivateAddress(host), []);
    if (options.all === true) return found(null, addresses);
    const [first] = addresses;
    found(null, first?.address ?? "", first?.family);
  });
}

/** A webhook leads into a private network, which it may not unless it says `isPrivate`. */
export class PrivateAddress extends Error {
  override readonly name = "PrivateAddress";

  constructor(host: string) {
    super(
      `${host} is an address of a private network. Set isPrivate of the webhook if that is meant.`,
    );
  }
}
