import { maskSecrets } from "@palimpsest/core/internal";
import type { LoopEvent, PalimpsestError, RunEnd } from "@palimpsest/core/spec";

/** An error as programs get it: without stack, cause and keys. */
interface ErrorDocument {
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
}

function toErrorDocument({ code, message, fix }: PalimpsestError): ErrorDocument {
  return {
    code: code ?? "crashed",
    message: maskSecrets(message),
    ...(fix !== undefined && { fix: maskSecrets(fix) }),
  };
}

/** What `--output json` prints. */
export function toEndDocument(session: string, end: RunEnd): object {
  const { reason, text, requests, usage, dollars, durationMs, message, error } = end;
  return {
    session,
    end: reason,
    text,
    requests,
    usage,
    dollars,
    durationMs: Math.round(durationMs),
    ...(message !== undefined && { message: maskSecrets(message) }),
    ...(error && { error: toErrorDocument(error) }),
  };
}

/** An event as a line of `--output stream-json`. */
export function toEventDocument(event: LoopEvent): object {
  if (event.type === "tool-end") return { ...event, durationMs: Math.round(event.durationMs) };
  if (event.type !== "run-end") return event;
  const { error, message, ...end } = event;
  return {
    ...end,
    durationMs: Math.round(end.durationMs),
    ...(message !== undefined && { message: maskSecrets(message) }),
    ...(error && { error: toErrorDocument(error) }),
  };
}
