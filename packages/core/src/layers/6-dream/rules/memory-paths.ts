/** The index, generated below its marker. */
export const indexPath = "MEMORY.md";

const quarantineFolder = "quarantine/";
const logsFolder = "logs/";

export function isQuarantined(path: string): boolean {
  return path.startsWith(quarantineFolder);
}

export function isDailyLog(path: string): boolean {
  return path.startsWith(logsFolder);
}

/** A file that holds one memory which counts: not the index, a log, or something that waits in quarantine. */
export function isMemoryPath(path: string): boolean {
  return path.endsWith(".md") && path !== indexPath && !isQuarantined(path) && !isDailyLog(path);
}
