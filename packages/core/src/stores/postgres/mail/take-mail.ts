import type { RetentionLimits } from "../../../layers/7-agents/mail/rules/index.ts";
import { type Mail, ok, type Result } from "../../../spec/index.ts";
import { decideTaking } from "../../files/mailbox/decide-taking.ts";
import { formatMailName, laneOf, parseMailName } from "../../files/mailbox/mail-names.ts";
import { freeMail, type ReaderScene, seeReaders } from "./mail-readers.ts";

export interface TakeParts extends ReaderScene {
  readonly limits: RetentionLimits;
}

interface TakenRow {
  readonly id: string;
  readonly sender: string;
  readonly seq: number;
  readonly content: Buffer;
  /** Both by the server's clock. */
  readonly accepted_ms: number;
  readonly age_ms: number;
}

const mostAtOnce = 1_000_000;
/** How often a reader that holds mail shows that it lives. */
const beatMs = 60 * 1000;

/**
 * Up to `limit` mails, which are this reader's from here on: each sender's in order and senders in turn. Nothing is written where nothing is new, but for a sign of
 * life of a reader that holds mail.
 */
export async function takeMail(
  parts: TakeParts,
  to: string,
  limit: number,
): Promise<Result<readonly Mail[]>> {
  const { database, project, processes, self, limits } = parts;
  const seen = await seeReaders(parts, to);
  if (!seen.ok) return seen;
  if (seen.value.isEmpty) return ok([]);
  const freed = await freeMail(parts, to, seen.value.over);
  if (!freed.ok) return freed;
  const most = limit > 0 ? Math.min(Math.ceil(limit), mostAtOnce) : 0;
  const identity = Buffer.from(JSON.stringify(await processes.self()));
  const taken = await database.query<TakenRow>(
    `select * from ${database.schema}.take_mail($1, $2, $3, $4, $5, $6)`,
    [project, to, self, most, identity, beatMs],
    { isRepeatable: true },
  );
  if (!taken.ok) return taken;
  const mails = new Map(taken.value.rows.map((row) => [nameOf(row), toMail(row, to, limits)]));
  const mine = [...mails.keys()].toSorted().flatMap((name) => parseMailName(name) ?? []);
  const ordered = decideTaking({ mine, free: [], others: [] }, limit);
  return ok(ordered.flatMap(({ name }) => mails.get(name) ?? []));
}

const nameOf = ({ id, sender, seq }: TakenRow) => formatMailName(laneOf(sender), seq, id);

function toMail(row: TakenRow, to: string, limits: RetentionLimits): Mail {
  const { id, sender: from, seq, content, accepted_ms, age_ms } = row;
  const parsed = parseContent(content);
  if (parsed === null) {
    const at = new Date(accepted_ms).toISOString();
    return { id, from, to, at, seq, body: null, dropped: "unreadable" };
  }
  const { at, body } = parsed;
  if (age_ms > limits.maxAgeMs) return { id, from, to, at, seq, body: null, dropped: "expired" };
  return { id, from, to, at, seq, body };
}

export function formatContent({ at, body }: Mail): Buffer {
  return Buffer.from(JSON.stringify({ at, body }));
}

export function parseContent(content: Buffer): Pick<Mail, "at" | "body"> | null {
  try {
    const { at, body = null } = JSON.parse(content.toString("utf8")) as Partial<Mail>;
    return typeof at === "string" ? { at, body } : null;
  } catch {
    return null;
  }
}
