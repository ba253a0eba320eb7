import {
  type ContentBlock,
  fail,
  type ImageLimits,
  ok,
  type Result,
  type Tool,
  type ToolContext,
  type ToolOutcome,
} from "@palimpsest/core/spec";
import type { FileSystem, ReadableFile } from "../disk/file-system.ts";
import type { FileLimits } from "../file-limits.ts";
import { toOutcome } from "../file-outcome.ts";
import { isNotebookPath, readNotebook } from "../notebooks/read-notebook.ts";
import { findTarget, openTarget, pathSubjects } from "../paths/resolve-path.ts";
import { showPath } from "../paths/show-path.ts";
import { judgeContent, judgedBytes } from "./judge-content.ts";
import type { PageRequest } from "./line-page.ts";
import { readText } from "./read-text.ts";
import { readWhole, type WholeFile } from "./read-whole.ts";

export const readToolName = "Read";

export interface ReadingOptions {
  readonly fileSystem: FileSystem;
  readonly limits: FileLimits;
  /** Of the model that is asked next. */
  readonly imageLimits: () => ImageLimits;
}

interface ReadInput {
  readonly file_path: string;
  readonly offset?: number;
  readonly limit?: number;
  readonly column?: number;
  readonly pages?: string;
}

export function createReadTool(options: ReadingOptions): Tool {
  const { limits } = options;
  return {
    name: readToolName,
    description: `Reads a file. Text comes as lines, each with its number, a tab, and the line itself; the number and the tab are not part of the file. Gives a page of up to ${limits.pageLines} lines and ${limits.pageChars} characters and says where the next one begins. Lines over ${limits.lineChars} characters are cut; column shows the rest. Also reads images (PNG, JPEG, GIF, WebP), whole PDF files, and notebooks (.ipynb) as cells with their outputs. Does not read folders (use Glob), devices or other binary files. Reading a file is needed before it can be changed.`,
    input_schema: {
      type: "object",
      properties: {
        file_path: { type: "string", description: "Absolute, or relative to the working folder." },
        offset: { type: "integer", minimum: 1, description: "The first line to read, counted from 1." },
        limit: { type: "integer", minimum: 1, description: "How many lines at most." },
        column: {
          type: "integer",
          minimum: 1,
          description:
            "The character every line begins at, counted from 1; for the rest of lines that were cut.",
        },
        pages: { type: "string", description: "Not supported: PDF files are read whole." },
      },
      required: ["file_path"],
      additionalProperties: false,
    },
    promptLines: [
      {
        section: "tools",
        text: "Use the tools made for files instead of shell commands for reading, searching and editing.",
      },
    ],
    maxResultChars: Number.POSITIVE_INFINITY,
    isReadOnly: true,
    subjectsOf: pathSubjects("file_path", "read"),
    run: async (input, context) => toOutcome(await read(input as ReadInput, context, options)),
  };
}

async function read(
  input: ReadInput,
  context: ToolContext,
  options: ReadingOptions,
): Promise<Result<ToolOutcome>> {
  const target = await findTarget(options.fileSystem, input.file_path, context);
  if (!target.ok) return target;
  const opened = await openTarget(options.fileSystem, target.value);
  if (!opened.ok) return opened;
  try {
    return await readOpened(opened.value, target.value, input, context.signal, options);
  } finally {
    await opened.value.close();
  }
}

async function readOpened(
  file: ReadableFile,
  path: string,
  input: ReadInput,
  signal: AbortSignal,
  { limits, imageLimits }: ReadingOptions,
): Promise<Result<ToolOutcome>> {
  const head = await file.read(0, judgedBytes);
  if (!head.ok) return head;
  const content = judgeContent(head.value);
  const page = pageOf(input, limits);
  switch (content.kind) {
    case "image": {
      const images = imageLimits();
      const fix = "Make a smaller copy with a program in Bash, and read that.";
      const whole = await readWhole(
        file,
        path,
        { maxBytes: Math.floor((images.maxBytes / 4) * 3), fix },
        signal,
      );
      return whole.ok ? imageOutcome(whole.value, content.mediaType, images) : whole;
    }
    case "pdf": {
      if (input.pages !== undefined) return refusePages(path);
      const fix = "Take out the pages or the text you need with a program in Bash, and read that.";
      const whole = await readWhole(file, path, { maxBytes: limits.pdfBytes, fix }, signal);
      return whole.ok ? ok(pdfOutcome(whole.value)) : whole;
    }
    case "binary":
      return fail(
        "unknown-format",
        `${showPath(path)} is binary: ${content.type}, ${file.facts.bytes} bytes.`,
        {
          path,
          fix: "Look at it with a program in Bash that knows the format, such as file, xxd, unzip -l or strings.",
        },
      );
    case "text":
      return isNotebookPath(path)
        ? readNotebook(file, path, content.encoding, page, limits, signal)
        : readText(file, path, content.encoding, page, limits.editBytes, signal);
  }
}

function pageOf({ offset = 1, limit, column = 1 }: ReadInput, limits: FileLimits): PageRequest {
  return {
    offset,
    limit: limit ?? limits.pageLines,
    column,
    maxChars: limits.pageChars,
    maxLineChars: limits.lineChars,
  };
}

function refusePages(path: string): Result<never> {
  return fail(
    "invalid-input",
    `Single pages of ${showPath(path)} cannot be read: PDF files are read whole.`,
    {
      fix: "Call again without pages, or take the pages out with a program in Bash, such as pdftotext -f 1 -l 3.",
    },
  );
}

/** An image as the API takes it, or why it would not. */
async function imageOutcome(
  { bytes, stamp }: WholeFile,
  mediaType: string,
  limits: ImageLimits,
): Promise<Result<ToolOutcome>> {
  const { imageFacts, imageFault } = await import("@palimpsest/core/internal");
  const block: ContentBlock = { type: "image", source: base64(bytes, mediaType) };
  const name = showPath(stamp.path);
  const fault = imageFault(block, limits);
  if (fault !== null) {
    return fail("too-large", `The image ${name} is too large: ${fault}.`, {
      fix: "Make a smaller copy with a program in Bash, and read that.",
    });
  }
  if (imageFacts(block)?.sidePixels === 0) {
    return fail("corrupt", `${name} begins like an image (${mediaType}) and is damaged.`, {
      fix: "Look at it with a program in Bash, or ask the user for a whole copy.",
    });
  }
  return ok({ content: [block], files: [stamp] });
}

/** A PDF as a document of its own; the model sees its pages. */
function pdfOutcome({ bytes, stamp }: WholeFile): ToolOutcome {
  return {
    content: [
      { type: "text", text: `${showPath(stamp.path)}, PDF of ${bytes.length} bytes:` },
      { type: "document", source: base64(bytes, "application/pdf") },
    ],
    files: [stamp],
  };
}

function base64(bytes: Uint8Array, mediaType: string) {
  return { type: "base64" as const, media_type: mediaType, data: Buffer.from(bytes).toString("base64") };
}
