import { isExpired, type RetentionLimits } from "../../../layers/7-agents/mail/rules/index.ts";
import { type Disk, type Mail, ok, type Result } from "../../../spec/index.ts";
import { folderNameOf, type MailName, parseMail, parseMailName } from "../../shared/mailbox.ts";
import { checkConfined, createDurableFolders, readWholeFile } from "../disk/whole-file.ts";

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
  context: { readonly to: string; readonly nowMs: number; readonly limits: RetentionLimits },
): Promise<Result<Mail | null>> {
  const { to, nowMs, limits } = context;
  const bytes = await readWholeFile(disk, path, limits.maxMailBytes * 2);
  if (!bytes.ok && bytes.error.code === "not-found") return ok(null);
  if (!bytes.ok && !unreadableCodes.has(bytes.error.code)) return bytes;
  const mail = bytes.ok ? parseMail(Buffer.from(bytes.value).toString("utf8"), name, to) : null;
  if (mail === null) return ok(unreadableMail(name, to, nowMs));
  return ok(isExpired(mail.at, nowMs, limits) ? { ...mail, body: null, dropped: "expired" } : mail);
}

function unreadableMail({ lane, seq, id }: MailName, to: string, nowMs: number): Mail {
  const at = new Date(nowMs).toISOString();
  return { id, from: `unknown-${lane}`, to, at, seq, body: null, dropped: "unreadable" };
}

const parts = ["tmp", "new", "cur", "readers"] as const;

/** The folders of one receiver: `mail/<hash>/{tmp,new,cur,readers}`, none of them a link. */
export interface MailboxFolders {
  /** `null` where nobody has written to it; made with `make`, safe from power loss. */
  open(to: string, make: boolean): Promise<Result<string | null>>;
  list(folder: string, part: "new" | "cur"): Promise<Result<readonly MailName[]>>;
}

export function createMailboxFolders(disk: Disk, root: string): MailboxFolders {
  const durable = createDurableFolders(disk, root);
  const settled = new Set<string>();

  async function settle(path: string, isThere: boolean): Promise<Result<void>> {
    if (isThere && settled.has(path)) return ok();
    const made = await durable.make(path, true);
    if (made.ok) settled.add(path);
    return made;
  }

  return {
    async open(to, make) {
      const name = folderNameOf(to);
      const folder = `${root}/mail/${name}`;
      for (const part of parts) {
        const found = await checkConfined(disk, root, ["mail", name, part]);
        if (!found.ok) return found;
        if (!found.value && !make) return ok(null);
        const made = make ? await settle(`${folder}/${part}`, found.value) : ok();
        if (!made.ok) return made;
      }
      return ok(folder);
    },
    async list(folder, part) {
      const names = await disk.list(`${folder}/${part}`);
      return names.ok ? ok(names.value.flatMap((name) => parseMailName(name) ?? [])) : names;
    },
  };
}
