import type { CatalogOverrides } from "@palimpsest/core/catalog";
import type { Clock } from "@palimpsest/core/spec";
import type { EmulatedModel } from "./emulated-models.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import type { RecordedRequests } from "./request-log.ts";
import type { Script } from "./script/script.ts";

/** Names the model of an answer by the name that was asked. */
export type AnswerModel = (asked: string) => string | undefined;

export interface EmulatorOptions {
  /** The answers; the built-in agent when absent. */
  readonly script?: Script;
  /** Moves the cache's times to live. Time stands still when absent, so that runs repeat; see `createVirtualClock`. */
  readonly clock?: Clock;
  /** The models there are, and no others; when absent, every Claude model. */
  readonly models?: readonly (string | EmulatedModel)[];
  /**
   * The name that answers have in place of the real API's: one for all, or one for each name that was asked. Where the
   * function gives nothing, answers name no model. The cache is that of the model asked, whatever answers say.
   */
  readonly answerModel?: string | AnswerModel;
  /** Corrections about models: windows, cache minimums, prefix-bound thinking. */
  readonly catalog?: CatalogOverrides;
  /** How many requests are remembered: 1,000 unless said otherwise. */
  readonly keepRequests?: number;
  /** How many of them with body and answer, within 64 MB: 100 unless said otherwise. */
  readonly keepBodies?: number;
  /** A free port when absent or 0. */
  readonly port?: number;
  /**
   * `127.0.0.1` when absent: nobody else can reach it. Pages of browsers are refused by Host and Origin at any address.
   */
  readonly host?: string;
  /** The API keys that are good; when absent, any is. */
  readonly keys?: readonly string[];
  /** Part of every id and signature: letters, digits and dashes. Equal seeds and requests give equal answers. */
  readonly seed?: string;
}

/** A server that speaks the Messages API, and chat completions under `/v1`. */
export interface Emulator {
  /** The base URL for clients: `http://127.0.0.1:49152`. */
  readonly url: string;
  readonly port: number;
  readonly requests: RecordedRequests;
  /** Replaces the script; the new one begins with its first reply. */
  setScript(script: Script | undefined): void;
  /** Calls the listener at the end of every request, whatever its outcome. Gives what takes it off again. */
  onRequest(listener: (request: RecordedRequest) => void): () => void;
  /** Resolves once no request is open: what a client abandoned is noticed then. */
  idle(): Promise<void>;
  /** As newly made: no requests, an empty cache, numbers and the script from the start. Open requests go on. */
  reset(): void;
  /** Ends every connection, stalled streams too. */
  close(): Promise<void>;
}
