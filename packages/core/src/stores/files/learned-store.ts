import { type Disk, fail, type Ids, type LearnedStore, ok, type Result } from "../../spec/index.ts";
import { checkLearnedName, maxLearnedBytes } from "../shared/learned-rules.ts";
import { folderOf, readWholeFile, writeWholeFile } from "./disk/whole-file.ts";

/** One JSON file a name, in `learned` below the data root. */
export function createFileLearnedStore({
  home,
  disk,
  ids,
}: {
  readonly home: string;
  readonly disk: Disk;
  readonly ids: Ids;
}): LearnedStore {
  function pathOf(name: string): Result<string> {
    const legal = checkLearnedName(name);
    return legal.ok ? ok(`${home}/learned/${name}.json`) : legal;
  }

  return {
    async read(name) {
      const path = pathOf(name);
      if (!path.ok) return path;
      const bytes = await readWholeFile(disk, path.value, maxLearnedBytes);
      if (!bytes.ok) return bytes.error.code === "not-found" ? ok(undefined) : bytes;
      try {
        return ok(JSON.parse(Buffer.from(bytes.value).toString("utf8")));
      } catch (cause) {
        const message = `${path.value} is not JSON: the learned values in it are ignored.`;
        return fail("corrupt", message, { path: path.value, cause, fix: "Delete the file." });
      }
    },
    async write(name, value) {
      const path = pathOf(name);
      if (!path.ok) return path;
      const folder = folderOf(path.value);
      const made = await disk.makeDirectory(folder);
      if (!made.ok) return made;
      const bytes = Buffer.from(JSON.stringify(value));
      const temporary = `${folder}/${ids.next("learned")}.tmp`;
      return writeWholeFile(disk, path.value, bytes, { temporary, durable: false, when: "replace" });
    },
  };
}
