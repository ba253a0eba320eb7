import type { Refusal } from "./refusal.ts";

/** Whatever stands for a slash or a dot once more, were it decoded a second time. */
const encodedTwice = /%25[0-9a-f]{2}/i;
/** A server may cut off what stands behind `;`. */
const upward = /(?:^|\/)\.{1,2}(?:[/;]|$)/;

/** A target must be one path that every server reads in the same way: the upstream is fixed, and what follows it too. */
export function checkTarget(target: string): Refusal | null {
  if (!/^\/(?!\/)[\x21-\x7e]*$/.test(target)) return refused("It must begin with one slash and be ASCII.");
  if (target.includes("#")) return refused("There is a fragment in it.");
  const path = target.split("?", 1)[0] ?? "";
  if (encodedTwice.test(path)) return refused("Something in it is encoded twice.");
  const decoded = decode(path);
  if (decoded === null) return refused("A percent sign in it stands for nothing.");
  if (decoded.includes("\\")) return refused("There is a backslash in it.");
  if (/\p{Cc}/u.test(decoded)) return refused("There is a control character in it.");
  return upward.test(decoded) ? refused("It leads upward.") : null;
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

function refused(why: string): Refusal {
  const message = `The path cannot be relayed: ${why} Upstreams are fixed; ask for a plain path such as /v1/messages.`;
  return { code: "target-refused", status: 400, message };
}
