import { isExpired, type RetentionLimits } from "../../../layers/7-agents/mail/rules/index.ts";
import { type Disk, type Mail, ok, type Result } from "../../../spec/index.ts";
import { parseMail } from "../../shared/mailbox/mail-format.ts";
import type { MailName } from "../../shared/mailbox/mail-names.ts";
import { readWholeFile } from "../disk/whole-file.ts";

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

function unreadable({ lane, seq, id }: MailName, to: string, nowMs: number): Mail {
  const at = new Date(nowMs).toISOString();
  return { id, from: `unknown-${lane}`, to, at, seq, body: null, dropped: "unreadable" };
}
