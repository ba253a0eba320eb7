import type { IncomingHttpHeaders } from "node:http";
import { StringDecoder } from "node:string_decoder";
import { type CacheTtl, isRecord, type JsonObject, parseJson, textField } from "@palimpsest/core/internal";
import type {
  ContentBlock,
  Message,
  Model,
  ModelRequest,
  RequestPatch,
  Result,
  TextBlock,
  Tool,
  Usage,
} from "@palimpsest/core/spec";
import type { ShortRequest } from "../keep-warm/shorten-request.ts";
import type { Turn } from "../match/match-conversation.ts";

export type ProtocolName = "anthropic" | "openai";

/** A client's request, understood. */
export interface ClientRequest {
  readonly body: JsonObject;
  readonly model: string;
  readonly isStream: boolean;
  readonly turns: readonly Turn[];
  readonly system: readonly TextBlock[];
  readonly tools: readonly Tool[];
  /** Fields that the session has to know: `thinking`. */
  readonly fields: RequestPatch;
  /** For how long its newest cache marker asks; absent where it has none. */
  readonly cacheTtl?: CacheTtl;
  /** For how long an older marker asks, where that is longer. */
  readonly dearestTtl?: CacheTtl;
  /** Why it is only observed; absent where it may be rewritten. */
  readonly standsAside?: string;
}

/** A request that takes the place of a client's. */
export interface WrittenRequest {
  readonly body: Buffer;
  /** Names for the beta header, besides the client's own. */
  readonly betas: readonly string[];
}

/** A whole response as it went to the client. */
export interface RelayedAnswer {
  readonly id: string;
  readonly model: string;
  readonly content: readonly ContentBlock[];
  readonly stopReason: string | null;
  readonly usage: Usage;
  /** The API's report of what it has left out of the request by itself. */
  readonly contextManagement?: Message["contextManagement"];
}

/** Looks at a response while it passes. It never delays, changes or fails it. */
export interface AnswerTap {
  take(chunk: Uint8Array): void;
  /** Nothing more of it will come that a client waits for. */
  readonly isWhole: boolean;
  /** The response, where it came whole and can be read. */
  end(): RelayedAnswer | null;
}

/** The differences between the APIs that clients speak. */
export interface Protocol {
  readonly name: ProtocolName;
  read(body: unknown, headers: IncomingHttpHeaders): Result<ClientRequest>;
  /** The client's request with what the session sends in place of its messages. */
  write(request: ClientRequest, managed: ModelRequest): WrittenRequest;
  /**
   * The request as it is read again to keep the cache warm, or nothing where it cannot be. Absent where clients of the API
   * have no markers.
   */
  shorten?(body: Buffer): ShortRequest | null;
  createTap(request: { readonly isStream: boolean; readonly model: string }): AnswerTap;
  /** Where the provider says how many tokens a model takes: the first that says it counts. */
  windowPaths(model: string): readonly string[];
  readWindow(document: unknown, model: string): number | undefined;
  /** An error's text, for finding out whether the prompt was too long. */
  /** The event that keeps a client waiting that has been promised a stream. */
  readonly ping: string;
  readError(body: string): { readonly code?: string; readonly message: string };
  /** A model that is asked with the key that the client's own request carries. */
  createModel(name: string, baseUrl: string, headers: IncomingHttpHeaders): Promise<Model>;
}

/** Takes the `data` of server-sent events out of what passes, piece by piece. */
interface EventLines {
  take(chunk: Uint8Array): void;
}

/** A line that is longer than this is nothing that can be read: the rest of the stream is let pass unread. */
const maxLineChars = 33_554_432;
const field = "data:";

export function createEventLines(onData: (data: string) => void): EventLines {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let isOver = false;
  return {
    take(chunk) {
      if (isOver) return;
      rest += decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      let start = 0;
      for (let end = rest.indexOf("\n"); end !== -1; end = rest.indexOf("\n", start)) {
        const line = rest.slice(start, rest[end - 1] === "\r" ? end - 1 : end);
        start = end + 1;
        if (line.startsWith(field)) onData(line.slice(field.length).trim());
      }
      rest = rest.slice(start);
      isOver = rest.length > maxLineChars;
      if (isOver) rest = "";
    },
  };
}

/** The code and the words of an error of either API; the whole body where it is neither. */
export function readError(body: string): { readonly code?: string; readonly message: string } {
  const document = parseJson(body);
  const error = isRecord(document) && isRecord(document.error) ? document.error : {};
  const code = textField(error, "code") ?? textField(error, "type");
  return { ...(code !== undefined && { code }), message: textField(error, "message") ?? body };
}

/** Keeps a response that comes in one piece, up to what a response can have. */
const maxBytes = 33_554_432;

interface WholeBody {
  take(chunk: Uint8Array): void;
  /** `undefined` where it was larger than anything that is read. */
  text(): string | undefined;
}

export function createWholeBody(): WholeBody {
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    take(chunk) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) chunks = [];
      else chunks.push(chunk);
    },
    text: () => (bytes > maxBytes ? undefined : Buffer.concat(chunks).toString("utf8")),
  };
}
