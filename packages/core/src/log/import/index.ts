export { clearedResultLabel } from "./claude-code/boundary-decisions.ts";
export { detectFormat, headBytes, readHead } from "./detect-format.ts";
export { gunzipChunks, isGzip } from "./gunzip-chunks.ts";
export {
  type ImportedFormat,
  type ImportOptions,
  type ImportProblem,
  type ImportReport,
  type LineLocation,
  maxLineBytes,
  maxListedProblems,
  type ProblemKind,
  type TranscriptFormat,
} from "./import-report.ts";
export { importTranscript } from "./import-transcript.ts";
export { unparsedField } from "./messages/chat-reader.ts";
