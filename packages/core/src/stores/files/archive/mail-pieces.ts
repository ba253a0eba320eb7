import { type ArchivePiece, type Disk, type Mail, ok, type Result } from "../../../spec/index.ts";
import type { Layout } from "../../shared/layout.ts";
import { folderNameOf, formatMailName, laneOf, parseMailName } from "../../shared/mailbox.ts";
import { readWholeFile } from "../disk/whole-file.ts";

type MailPiece = Extract<ArchivePiece, { readonly kind: "mail" }>;

const places = ["cur", "new"] as const;

/** Every mail that waits, those that somebody has taken and not acknowledged too, in order for each sender. */
export async function mailPieces(disk: Disk, layout: Layout): Promise<Result<readonly MailPiece[]>> {
  const folders = await disk.list(`${layout.root}/mail`);
  if (!folders.ok) return folders.error.code === "not-found" ? ok([]) : folders;
  const found: { readonly name: string; readonly piece: MailPiece }[] = [];
  for (const folder of folders.value)
    for (const place of places) {
      const names = await disk.list(`${layout.root}/mail/${folder}/${place}`);
      if (!names.ok) continue;
      for (const file of names.value) {
        const mail = parseMailName(file);
        const bytes = mail && (await readWholeFile(disk, `${layout.root}/mail/${folder}/${place}/${file}`));
        const to = bytes?.ok ? receiverIn(bytes.value) : null;
        if (mail && to) found.push({ name: mail.name, piece: { kind: "mail", to, id: mail.id } });
      }
    }
  found.sort((one, other) => (one.name < other.name ? -1 : 1));
  return ok(found.map(({ piece }) => piece));
}

/** Where a mail is, or, with its content, where it goes; `null` where it is not there. */
export async function mailLocation(
  disk: Disk,
  layout: Layout,
  { to, id }: MailPiece,
  content?: Uint8Array,
): Promise<Result<{ readonly path: string } | null>> {
  const folder = `${layout.root}/mail/${folderNameOf(to)}`;
  for (const place of places) {
    const names = await disk.list(`${folder}/${place}`);
    const file = names.ok ? names.value.find((name) => parseMailName(name)?.id === id) : undefined;
    if (file !== undefined) return ok({ path: `${folder}/${place}/${file}` });
  }
  if (content === undefined) return ok(null);
  const { from, seq = 1 } = JSON.parse(Buffer.from(content).toString()) as Mail;
  for (const part of ["tmp", "cur", "readers"]) {
    const made = await disk.makeDirectory(`${folder}/${part}`);
    if (!made.ok) return made;
  }
  return ok({ path: `${folder}/new/${formatMailName(laneOf(from), seq, id)}` });
}

function receiverIn(bytes: Uint8Array): string | null {
  try {
    const { to } = JSON.parse(Buffer.from(bytes).toString()) as Mail;
    return typeof to === "string" ? to : null;
  } catch {
    return null;
  }
}
