import { type Disk, ok, type Result } from "../../../spec/index.ts";
import { folderNameOf, type MailName, parseMailName } from "../../shared/mailbox/mail-names.ts";
import { checkConfined } from "../disk/check-confined.ts";
import { createDurableFolders } from "../disk/durable-folders.ts";

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
