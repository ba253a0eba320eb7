import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fail, ok, type Result } from "@palimpsest/core/spec";
import { packageFile } from "../../package-folder.ts";

/** The page as it is built: three files, by name. */
export const pageFiles = { html: "index.html", script: "app.js", style: "app.css" } as const;

export const defaultPageFolder = packageFile("dist/page");

/** One of the page's files. Only these names are ever read. */
export async function readPageFile(folder: string, file: keyof typeof pageFiles): Promise<Result<string>> {
  const path = join(folder, pageFiles[file]);
  try {
    return ok(await readFile(path, "utf8"));
  } catch (cause) {
    return fail("not-found", `The inspector's page is not there: ${path}.`, {
      path,
      fix: "Build it with “npm run build”, or install the package again.",
      cause,
    });
  }
}
