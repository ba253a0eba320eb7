import { createCatalog } from "@palimpsest/core/catalog";
import type { ImageLimits, Shell, Tool } from "@palimpsest/core/spec";
import type { FileSystem } from "./disk/file-system.ts";
import { nodeFileSystem } from "./disk/node-file-system.ts";
import { createEditTools } from "./editing/edit-tools.ts";
import { type FileLimits, fileLimits } from "./file-limits.ts";
import { createNotebookEditTool } from "./notebooks/notebook-edit-tool.ts";
import { createReadTool } from "./reading/read-tool.ts";
import { createGrepTool } from "./searching/grep-tool.ts";
import { createGlobTool } from "./walking/glob-tool.ts";
import { createWriteTool } from "./writing/write-tool.ts";

export interface FileToolOptions {
  /** Absent: the machine's own. */
  readonly fileSystem?: FileSystem;
  /** Runs ripgrep where it is installed; absent: Grep does without. */
  readonly shell?: Shell;
  /** Where ripgrep is found (`PATH`); nothing else of it is handed on. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Of the model that is asked next; absent: those of a model nothing is known of. */
  readonly imageLimits?: () => ImageLimits;
  readonly limits?: Partial<FileLimits>;
}

/** Read, Write, Edit, MultiEdit, NotebookEdit, Grep and Glob. */
export function createFileTools(options: FileToolOptions = {}): readonly Tool[] {
  const { fileSystem = nodeFileSystem, shell, environment = {} } = options;
  const limits = { ...fileLimits, ...options.limits };
  const imageLimits = options.imageLimits ?? (() => createCatalog().capabilities("").value.images);
  const path: Record<string, string> = environment.PATH === undefined ? {} : { PATH: environment.PATH };
  const ripgrep = shell && { shell, environment: path };
  return [
    createReadTool({ fileSystem, limits, imageLimits }),
    createWriteTool({ fileSystem, limits }),
    ...createEditTools({ fileSystem, limits }),
    createNotebookEditTool({ fileSystem, limits }),
    createGrepTool({ fileSystem, limits, ...(ripgrep && { ripgrep }) }),
    createGlobTool({ fileSystem, limits }),
  ];
}
