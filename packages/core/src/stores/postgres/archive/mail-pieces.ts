import { type ArchivePiece, fail, type Mail, ok, type Result } from "../../../spec/index.ts";
import { formatMail } from "../../shared/mailbox.ts";
import { formatContent, parseContent } from "../mailbox/take-mail.ts";
import type { ProjectRows } from "../upkeep/tombstone.ts";

type MailPiece = Extract<ArchivePiece, { readonly kind: "mail" }>;

interface MailRow {
  readonly sender: string;
  readonly seq: number;
  readonly content: Buffer;
}

const repeatable = { isRepeatable: true } as const;

/** Every mail that waits, those that somebody has taken and not acknowledged too, in order for each sender. */
export async function mailPieces({ database, project }: ProjectRows): Promise<Result<readonly MailPiece[]>> {
  const found = await database.query<{ to: string; id: string }>(
    `select receiver as to, id from ${database.schema}.mail where project = $1 and acknowledged is null
     order by receiver, sender, seq`,
    [project],
    repeatable,
  );
  return found.ok ? ok(found.value.rows.map((row) => ({ kind: "mail", ...row }))) : found;
}

/** `null` where it is not there. One whose content nobody can read is given as it is. */
export async function readMailPiece(
  { database, project }: ProjectRows,
  { to, id }: MailPiece,
): Promise<Result<Uint8Array | null>> {
  const found = await database.query<MailRow>(
    `select sender, seq, content from ${database.schema}.mail
     where project = $1 and receiver = $2 and id = $3 and acknowledged is null order by sender limit 1`,
    [project, to, id],
    repeatable,
  );
  if (!found.ok) return found;
  const [row] = found.value.rows;
  if (!row) return ok(null);
  const parsed = parseContent(row.content);
  return ok(parsed ? formatMail({ id, from: row.sender, to, seq: row.seq, ...parsed }) : row.content);
}

/** Puts it into its sender's lane under its own number. */
export async function writeMailPiece(
  { database, project }: ProjectRows,
  { to, id }: MailPiece,
  content: Uint8Array,
): Promise<Result<void>> {
  const mail = parseMail(content);
  if (mail === null || mail.id !== id || mail.to !== to)
    return fail("corrupt", `Mail ${id} to ${to} is not what a mailbox writes.`, {
      fix: "Leave it where it is: nobody can read it.",
    });
  const { schema } = database;
  const { from, seq = 1 } = mail;
  const written = await database.query(
    `with lane as (
       insert into ${schema}.mail_lane as l (project, receiver, sender, last) values ($1, $2, $3, $4)
       on conflict (project, receiver, sender) do update set last = greatest(l.last, excluded.last)
     )
     insert into ${schema}.mail as m (project, receiver, id, sender, seq, content)
     values ($1, $2, $5, $3, $4, $6)
     on conflict (project, receiver, id, sender) do update set id = m.id where m.acknowledged is null`,
    [project, to, from, seq, id, formatContent(mail)],
    repeatable,
  );
  if (!written.ok) return written;
  if (written.value.count > 0) return ok();
  return fail("collected", `Mail ${id} to ${to} was read there already.`, { fix: "Nothing to do." });
}

function parseMail(content: Uint8Array): Mail | null {
  try {
    const mail = JSON.parse(Buffer.from(content).toString("utf8")) as Mail;
    return typeof mail.from === "string" && typeof mail.at === "string" ? mail : null;
  } catch {
    return null;
  }
}
