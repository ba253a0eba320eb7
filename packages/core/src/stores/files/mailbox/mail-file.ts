import { isExpired, type RetentionLimits } from "../../../layers/7-agents/mail/rules/index.ts";
import { type Disk, type Mail, ok, type Result } from "../../../spec/index.ts";
import { readWholeFile } from "../disk/whole-file.ts";
import { laneOf, type MailName } from "./mail-names.ts";

export function formatMail(mail: Mail): Uint8Array {
  const { id, from, to, at, seq, body } = mail;
  return Buffer.from(`${JSON.stringify({ v: 1, id, from, to, at, seq, body })}\n`);
}

/** Means that the file is not what a mailbox writes; other failures say that it could not be looked at now. */
const unreadableCodes: ReadonlySet<string> = new Set(["invalid-path", "is-directory", "too-large"]);

/**
 * The mail in a file. `null`: it is gone. One that is not this receiver's, or not what its name says, has a head only, and
 * so has one that waited too long.
 */
export async function readMail(
  disk: Disk,
  path: string,
  name: MailName,
  scene: { readonly to: string; readonly nowMs: number; readonly limits: RetentionLimits },
): Promise<Result<Mail | null>> {
  const { to, nowMs, limits } = scene;
  const bytes = await readWholeFile(disk, path, limits.maxMailBytes * 2);
  if (!bytes.ok && bytes.error.code === "not-found") return ok(null);
  if (!bytes.ok && !unreadableCodes.has(bytes.error.code)) return bytes;
  const mail = bytes.ok ? parseMail(Buffer.from(bytes.value).toString("utf8"), name, to) : null;
  if (mail === null) return ok(unreadable(name, to, nowMs));
  return ok(isExpired(mail.at, nowMs, limits) ? { ...mail, body: null, dropped: "expired" } : mail);
}

function parseMail(text: string, { lane, seq, id }: MailName, to: string): Mail | null {
  let value: Partial<Mail> & { readonly v?: unknown };
  try {
    value = JSON.parse(text) as typeof value;
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || value.v !== 1) return null;
  const { from, at, body = null } = value;
  if (typeof from !== "string" || typeof at !== "string" || laneOf(from) !== lane) return null;
  if (value.id !== id || value.seq !== seq || value.to !== to) return null;
  return { id, from, to, at, seq, body };
}

function unreadable({ lane, seq, id }: MailName, to: string, nowMs: number): Mail {
  const at = new Date(nowMs).toISOString();
  return { id, from: `unknown-${lane}`, to, at, seq, body: null, dropped: "unreadable" };
}
