import type { FileLimits } from "../file-limits.ts";

export const grepDescription =
  "Searches the content of files with a regular expression: a file, or all files below a folder except those that .gitignore names, hidden ones and binary ones. The expression has no look-around and no references back to groups; \\d, \\w, \\s and \\b know Unicode; ^ and $ are the ends of a line. Results are sorted by path, and come in pages.";

export function grepSchema(limits: FileLimits): Readonly<Record<string, unknown>> {
  const lines = { type: "integer", minimum: 0, maximum: 100 };
  return {
    type: "object",
    properties: {
      pattern: { type: "string", description: "The regular expression." },
      path: { type: "string", description: "A file or folder; absent: the working folder." },
      glob: {
        type: "string",
        description:
          "Only files whose path below the folder matches, such as src/**/*.ts; without a slash: whose name matches, such as *.{ts,tsx}.",
      },
      output_mode: {
        type: "string",
        enum: ["content", "files_with_matches", "count"],
        description:
          "content: the lines, as path:number:line (path-number-line for those around). files_with_matches (if absent): the paths. count: how many lines of each file match.",
      },
      case_insensitive: { type: "boolean" },
      multiline: {
        type: "boolean",
        description: "Search across lines: a dot matches line ends, and \\n may be named.",
      },
      before: { ...lines, description: "Lines to show before each match, with content." },
      after: { ...lines, description: "Lines to show behind each match, with content." },
      context: { ...lines, description: "Both of them." },
      head_limit: {
        type: "integer",
        minimum: 1,
        description: `How many lines or files at most; absent: ${limits.searchResults}.`,
      },
      offset: {
        type: "integer",
        minimum: 0,
        description: "How many results to pass over, for the next page.",
      },
    },
    required: ["pattern"],
    additionalProperties: false,
  };
}
