import { maxMemoryBytes } from "./memory-options.ts";

/**
 * What the model is told. The texts of the first group are those of the API's memory tool, word for word: models were
 * trained on them.
 */
export const memoryTexts = {
  folder: (path: string) =>
    `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`,
  file: (path: string) => `Here's the content of ${path} with line numbers:`,
  created: (path: string) => `File created successfully at: ${path}`,
  replaced: "The memory file has been edited.",
  inserted: (path: string) => `The file ${path} has been edited.`,
  deleted: (path: string) => `Successfully deleted ${path}`,
  renamed: (from: string, to: string) => `Successfully renamed ${from} to ${to}`,
  absent: (path: string) => `The path ${path} does not exist. Please provide a valid path.`,
  exists: (path: string) => `File ${path} already exists`,
  notVerbatim: (old: string, path: string) =>
    `No replacement was performed, old_str \`${old}\` did not appear verbatim in ${path}.`,
  ambiguous: (old: string, lines: readonly number[]) =>
    `No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ${lines.join(", ")}. Please ensure it is unique`,
  insertLine: (line: number, most: number) =>
    `Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${most}]`,
  destinationExists: (path: string) => `The destination ${path} already exists`,

  viewRange: (range: readonly number[], most: number) =>
    `Invalid \`view_range\` parameter: [${range.join(", ")}]. It should be two lines of the file, within [1, ${most}], the second -1 for its end.`,
  badPath: (path: string, why: string) =>
    `The path ${JSON.stringify(path)} cannot be used: ${why}. Use a path such as /memories/topic.md.`,
  root: (verb: string) => `The /memories directory itself cannot be ${verb}.`,
  inside: (from: string, to: string) => `${from} cannot be renamed to ${to}, which is inside it.`,
  fileAbove: (path: string) => `The path ${path} cannot be made: a part of it is a file.`,
  generated: (path: string) =>
    `${path} was not changed: what stands below its marker is generated from the memories. Change the memory itself, or the lines above the marker.`,
  quarantined: (path: string) =>
    `${path} is in quarantine: it waits for a person, who confirms or removes it with “palimpsest memory”.`,
  waits: (path: string, why: string) =>
    `${path} is not in force: it was put into quarantine, where a person confirms or rejects it with “palimpsest memory”. ${why}`,
  refused: (path: string, why: string) => `${path} was not changed: ${why}`,
  tooLarge: (path: string, bytes: number) =>
    `${path} would have ${bytes} bytes, and at most ${maxMemoryBytes} are allowed. Shorten it, or make one file a topic.`,
  conflict: (path: string) =>
    `${path} keeps being changed by somebody else. View it again, then decide anew.`,
  missing: (command: string, field: string) => `memory ${command} needs \`${field}\`.`,
} as const;
