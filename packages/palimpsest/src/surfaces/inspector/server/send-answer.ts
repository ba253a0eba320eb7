import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { createEnvironmentMask, createRuntime } from "@palimpsest/core/internal";
import { type ErrorCode, fail, ok, type PalimpsestError, type Result } from "@palimpsest/core/spec";
import { packageFile } from "../../local/package-folder.ts";
import type { InspectorFailure } from "../inspected.ts";

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

const zip = promisify(gzip);
const minZippedBytes = 1_024;

/** Nothing but what this server sends may be loaded, run, framed or asked. */
export const safeHeaders: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** Large bodies are zipped for those who take that; `HEAD` gets the headers alone. */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): Promise<void> {
  const plain = Buffer.from(answer.body as string);
  const accepts = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
  const isZipped = accepts && plain.length >= minZippedBytes;
  const body = isZipped ? await zip(plain) : plain;
  response.writeHead(answer.status, {
    ...safeHeaders,
    "content-type": answer.type,
    "content-length": body.length,
    vary: "accept-encoding",
    ...(isZipped && { "content-encoding": "gzip" }),
    ...answer.headers,
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

export function jsonAnswer(value: unknown, status = 200): Answer {
  return { status, type: "application/json; charset=utf-8", body: JSON.stringify(value) };
}

const secrets = createEnvironmentMask(createRuntime().environment);

const statuses: Partial<Readonly<Record<ErrorCode, number>>> = {
  "not-found": 404,
  collected: 404,
  "invalid-input": 400,
  "invalid-path": 400,
  "unknown-format": 400,
  permission: 403,
  overloaded: 503,
  "too-large": 413,
};

export function failureAnswer({ code, message, fix }: PalimpsestError): Answer {
  return refusal(statuses[code] ?? 500, message, fix);
}

export function refusal(status: number, message: string, fix?: string): Answer {
  const failure: InspectorFailure = secrets.value({ message, ...(fix !== undefined && { fix }) });
  const answer = jsonAnswer(failure, status);
  return status === 405 ? { ...answer, headers: { allow: "GET, HEAD" } } : answer;
}

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
