import { createHmac, timingSafeEqual } from "node:crypto";

/** Of the emulator's own signatures; a test that wants another server's signatures hands in another. */
export const defaultSecret = "palimpsest-emulator";

/** Opaque base64 that carries `fields` and vouches for them and for `text`, which it does not carry. */
export function seal(secret: string, kind: string, fields: readonly string[], text: string): string {
  const mac = macOf(secret, kind, fields, text).toString("base64");
  return Buffer.from(JSON.stringify([...fields, mac])).toString("base64");
}

/** The fields of a seal made for exactly this text; `null` when it was forged, or the text was changed. */
export function unseal(
  secret: string,
  kind: string,
  sealed: unknown,
  text: string,
): readonly string[] | null {
  if (typeof sealed !== "string") return null;
  const bytes = Buffer.from(sealed, "base64");
  const parts = bytes.toString("base64") === sealed ? parse(bytes.toString()) : null;
  if (parts === null) return null;
  const fields = parts.slice(0, -1);
  const given = Buffer.from(parts.at(-1) ?? "", "base64");
  const own = macOf(secret, kind, fields, text);
  return given.length === own.length && timingSafeEqual(given, own) ? fields : null;
}

function macOf(secret: string, kind: string, fields: readonly string[], text: string): Buffer {
  return createHmac("sha256", secret)
    .update(JSON.stringify([kind, fields, text]))
    .digest();
}

function parse(json: string): readonly string[] | null {
  try {
    const parts: unknown = JSON.parse(json);
    return Array.isArray(parts) && parts.every((part) => typeof part === "string") ? parts : null;
  } catch {
    return null;
  }
}
