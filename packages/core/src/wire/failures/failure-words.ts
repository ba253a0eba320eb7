import type { ErrorCode } from "../../spec/index.ts";
import { isCertificate } from "./failure-code.ts";
import type { ReadFailure } from "./read-failure.ts";

interface Parties {
  readonly provider: string;
  readonly model: string;
}

/** More of a provider's text helps nobody. */
const maxTextChars = 1_000;

/** What happened in plain words, and what the provider said about it. */
export function messageOf(
  code: ErrorCode,
  parties: Parties,
  text: string,
  failure?: Pick<ReadFailure, "status" | "systemCode">,
): string {
  const detail = failure?.status ?? failure?.systemCode;
  const happened = `${happening(code, parties)}${detail === undefined ? "" : ` (${detail})`}`;
  const said = shorten(text);
  return said === "" ? `${happened}.` : `${happened}: ${said}${/[.!?]$/.test(said) ? "" : "."}`;
}

function happening(code: ErrorCode, { provider, model }: Parties): string {
  switch (code) {
    case "aborted":
      return `The request to ${provider} was aborted`;
    case "disconnected":
      return `The connection to ${provider} broke`;
    case "malformed-response":
      return `${provider} sent something that is no answer`;
    case "overloaded":
      return `${provider} is overloaded`;
    case "prompt-too-long":
      return `The prompt is too long for ${model}`;
    case "rate-limited":
      return `${provider} takes no more requests for ${model} at the moment`;
    case "server-error":
      return `${provider} failed to answer`;
    case "stalled":
      return `${provider} stopped answering`;
    case "timeout":
      return `${provider} did not answer in time`;
    case "unauthenticated":
      return `${provider} does not accept the key for ${model}`;
    default:
      return `The request to ${provider} for ${model} cannot be answered as it is`;
  }
}

/** What to do about it, where something can be done. */
export function fixOf(code: ErrorCode, failure: ReadFailure): string | undefined {
  switch (code) {
    case "disconnected":
      return isCertificate(failure)
        ? "Check the server's certificate, and which ones this machine trusts."
        : "Check the network and the base URL.";
    case "prompt-too-long":
      return "Compact the conversation, or use a model with a larger window.";
    case "rate-limited":
      return "Wait, ask for less at a time, or raise the limit of the account.";
    case "request-invalid":
      return failure.status === 404 ? "Check the model's name and the base URL." : undefined;
    case "unauthenticated":
      return failure.status === 403
        ? "Check what the key's account may use."
        : "Check the key: it may be mistyped, revoked or for another server.";
    default:
      return undefined;
  }
}

/** One line; of a page of HTML only its title. */
function shorten(text: string): string {
  const isPage = /^\s*<(?:!doctype|html|head)\b/i.test(text);
  const title = isPage ? (/<title[^>]*>([^<]*)</i.exec(text)?.[1] ?? "a page of HTML") : text;
  const line = title.replace(/\s+/g, " ").trim();
  return line.length > maxTextChars ? `${line.slice(0, maxTextChars).toWellFormed()}…` : line;
}
