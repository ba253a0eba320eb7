export { createFileTools, editToolName, type FileToolOptions } from "./create-file-tools.ts";
export type {
  FileFacts,
  FileKind,
  FileSystem,
  FolderEntry,
  HeldFolder,
  ReadableFile,
} from "./disk/file-system.ts";
export { nodeFileSystem } from "./disk/node-file-system.ts";
export { type FileLimits, fileLimits } from "./file-limits.ts";
export { resolveSubjects } from "./paths/resolve-path.ts";
export { readTextFile } from "./reading/read-text.ts";
export { readToolName } from "./reading/read-tool.ts";
