import { type Disk, ok, type Result } from "../../../spec/index.ts";
import type { MailSurvey } from "./decide-taking.ts";
import type { MailName } from "./mail-names.ts";
import type { MailReaders } from "./mail-readers.ts";
import type { MailboxFolders } from "./mailbox-folder.ts";

export interface SurveyParts {
  readonly disk: Disk;
  readonly folders: MailboxFolders;
  readonly readers: MailReaders;
  /** This reader's id. */
  readonly self: string;
}

/**
 * What stands in a mailbox. `cur/` is listed before and after `new/`, so that a mail that moves meanwhile is seen. What a
 * dead reader has taken goes back to `new/` first.
 */
export async function surveyMailbox(parts: SurveyParts, folder: string): Promise<Result<MailSurvey>> {
  const lists: (readonly MailName[])[] = [];
  for (const part of ["cur", "new", "cur"] as const) {
    const listed = await parts.folders.list(folder, part);
    if (!listed.ok) return listed;
    lists.push(listed.value);
  }
  const [before = [], waiting = [], after = []] = lists;
  const taken = new Map([...before, ...after].map((mail) => [mail.name, mail]));
  const over = await readersOver(parts, folder, [...taken.values()]);
  if (!over.ok) return over;
  const survey = { mine: [] as MailName[], others: [] as MailName[], free: new Map<string, MailName>() };
  for (const mail of waiting) if (!taken.has(mail.name)) survey.free.set(mail.name, mail);
  for (const mail of taken.values()) {
    if (mail.reader === parts.self) survey.mine.push(mail);
    else if (!over.value.has(mail.reader ?? "")) survey.others.push(mail);
    else {
      const { reader, ...free } = mail;
      const back = await parts.disk.rename(
        `${folder}/cur/${mail.name},${reader}`,
        `${folder}/new/${mail.name}`,
      );
      if (!back.ok && back.error.code !== "not-found") return back;
      survey.free.set(mail.name, free);
    }
  }
  return ok({ ...survey, free: [...survey.free.values()] });
}

async function readersOver(
  { readers }: SurveyParts,
  folder: string,
  taken: readonly MailName[],
): Promise<Result<ReadonlySet<string>>> {
  const over = new Set<string>();
  for (const reader of new Set(taken.flatMap((mail) => mail.reader ?? []))) {
    const judged = await readers.isOver(folder, reader);
    if (!judged.ok) return judged;
    if (judged.value) over.add(reader);
  }
  return ok(over);
}
