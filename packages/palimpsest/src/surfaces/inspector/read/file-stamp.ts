import { stat } from "node:fs/promises";

/** While it stays the same, so has the file: which one it is, how large, and when it was changed. */
export async function fileStamp(path: string): Promise<string> {
  try {
    const { size, mtimeMs, ino } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return "absent";
  }
}
