import { randomBytes } from "node:crypto";
import { type FSWatcher, watch } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { checkLocalRequest } from "@palimpsest/core/internal";
import { fail, ok, type Result } from "@palimpsest/core/spec";
import { isSameSecret } from "../../local/bearer.ts";
import type { WatchedSource } from "../read/opened-session.ts";
import { answerRoute, type RouteParts } from "./answer-route.ts";
import { defaultPageFolder, refusal, safeHeaders, sendAnswer } from "./send-answer.ts";

export interface ServeOptions extends Omit<RouteParts, "pageFolder"> {
  /** Where the built page is. */
  readonly pageFolder?: string;
  /** A free one when absent or 0. */
  readonly port?: number;
  readonly watch?: WatchOptions;
}

export interface ServedInspector {
  /** With the token: who knows it may look. */
  readonly url: string;
  close(): Promise<void>;
}

const host = "127.0.0.1";
const tokenBytes = 24;
const limits = {
  maxHeaderSize: 32_768,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  maxConnections: 128,
} as const;

/** Serves the inspector on this machine, to those who know its address and to nobody else. It changes nothing. */
export async function serveInspector(options: ServeOptions): Promise<Result<ServedInspector>> {
  const { port = 0, pageFolder = defaultPageFolder } = options;
  const token = randomBytes(tokenBytes).toString("base64url");
  const streams = createWatchStreams(options.watch);
  const parts: RouteParts = { ...options, pageFolder };
  const { maxConnections, ...settings } = limits;
  const server = createServer(settings, (request, response) => {
    void handle(request, response, { token, port: portOf(server), parts, streams });
  });
  server.maxConnections = maxConnections;
  const listening = await listen(server, port);
  if (!listening.ok) return listening;
  return ok({
    url: `http://${host}:${portOf(server)}/${token}/`,
    async close() {
      streams.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  });
}

interface Handling {
  readonly token: string;
  readonly port: number;
  readonly parts: RouteParts;
  readonly streams: WatchStreams;
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  { token, port, parts, streams }: Handling,
): Promise<void> {
  const { method = "", url = "", rawHeaders } = request;
  const admission = admitRequest({ method, url, rawHeaders }, port, token);
  const send = (answer: Parameters<typeof sendAnswer>[2]) => sendAnswer(request, response, answer);
  try {
    if (!admission.isAdmitted) return await send(refusal(admission.status, admission.message, admission.fix));
    const { segments, query } = admission;
    if (segments.length === 0)
      return await send({ status: 308, type: "text/plain", body: "", headers: { location: `/${token}/` } });
    const answer = await answerRoute(segments, query, parts);
    if (!("watch" in answer)) return await send(answer);
    if (method === "HEAD")
      return await send({ status: 200, type: "text/event-stream; charset=utf-8", body: "" });
    if (!streams.open(answer.watch, response))
      await send(refusal(503, "Too many pages watch already.", "Close other tabs of the inspector."));
  } catch (cause) {
    if (response.headersSent) response.destroy();
    else await send(refusal(500, `Something went wrong here: ${reasonOf(cause)}`)).catch(() => undefined);
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo | null)?.port ?? 0;
}

function listen(server: Server, port: number): Promise<Result<void>> {
  return new Promise((resolve) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      resolve(
        fail("io", `The inspector cannot listen on ${host}:${port}: ${cause.message}`, {
          fix: "Give another port with --port, or none for a free one.",
          cause,
        }),
      ),
    );
    server.listen(port, host, () => resolve(ok()));
  });
}

/** Open streams that tell pages of changes. */
interface WatchStreams {
  /** `false`: there are too many. */
  open(watched: WatchedSource, response: ServerResponse): boolean;
  close(): void;
}

export const maxStreams = 32;
const heartbeatMs = 15_000;

/** Server-sent events: an unnamed message once a session is watched, and one for every change of it. */
function createWatchStreams(options: WatchOptions = {}): WatchStreams {
  const ends = new Set<() => void>();

  return {
    open(watched, response) {
      if (ends.size >= maxStreams) return false;
      response.writeHead(200, { ...safeHeaders, "content-type": "text/event-stream; charset=utf-8" });
      response.write(": watching\n\n");
      const stop = watchSession(watched, () => response.write("data: changed\n\n"), options);
      const heartbeat = setInterval(() => response.write(": still here\n\n"), heartbeatMs).unref();
      const end = () => {
        stop();
        clearInterval(heartbeat);
        ends.delete(end);
        response.end();
      };
      ends.add(end);
      response.on("close", end);
      return true;
    },
    close() {
      for (const end of [...ends]) end();
    },
  };
}

interface WatchOptions {
  /** Changes within this time are told as one. */
  readonly settleMs?: number;
  /** How often is looked where the system does not tell: not for every file system, and for no database. */
  readonly pollMs?: number;
}

/**
 * Tells once as soon as it watches, since a session may have changed before, and then whenever it has grown or was
 * replaced, until the function given back is called. Only looks: nothing of it is read.
 */
function watchSession(
  { file, stamp }: WatchedSource,
  onChange: () => void,
  options: WatchOptions = {},
): () => void {
  const { settleMs = 100, pollMs = 1_000 } = options;
  let watcher: FSWatcher | null = null;
  let settling: NodeJS.Timeout | null = null;
  let seen: string | null = null;
  let isEnded = false;
  let isLooking = false;

  async function look(): Promise<void> {
    // A database may take longer to answer than the time between two looks.
    if (isLooking) return;
    isLooking = true;
    const now = await stamp();
    isLooking = false;
    if (isEnded || now === seen) return;
    seen = now;
    onChange();
  }

  function soon(): void {
    settling ??= setTimeout(() => {
      settling = null;
      void look();
    }, settleMs).unref();
  }

  try {
    watcher = file === undefined ? null : watch(file, { persistent: false }, soon);
    watcher?.on("error", () => watcher?.close());
  } catch {
    watcher = null;
  }
  void look();
  const poll = setInterval(() => void look(), pollMs).unref();
  return () => {
    isEnded = true;
    watcher?.close();
    clearInterval(poll);
    if (settling) clearTimeout(settling);
  };
}

/** The part of a request that is looked at before it is answered. */
interface IncomingRequest {
  readonly method: string;
  readonly url: string;
  /** Names and values in turn, as Node has them. */
  readonly rawHeaders: readonly string[];
}

type Admission =
  | { readonly isAdmitted: false; readonly status: number; readonly message: string; readonly fix?: string }
  | {
      readonly isAdmitted: true;
      /** Behind the token, decoded one by one: a slash inside one is part of a name. */
      readonly segments: readonly string[];
      readonly query: URLSearchParams;
    };

const maxUrlChars = 16_384;

/**
 * Whether a request is answered at all. Only pages of this very server may ask: a page of another origin knows no token,
 * cannot hide where it comes from, and a name that was made to point here has another `Host`.
 */
function admitRequest(request: IncomingRequest, port: number, token: string): Admission {
  const { method, url, rawHeaders } = request;
  const foreign = checkLocalRequest(rawHeaders, port);
  if (foreign) return refuse(foreign.status, foreign.reason);
  if (method !== "GET" && method !== "HEAD") return refuse(405, "The inspector only shows: ask with GET.");
  if (url.length > maxUrlChars) return refuse(414, "The address is too long.");
  const [path = "", search = ""] = splitOnce(url, "?");
  const segments = decode(path.split("/").slice(1));
  if (segments === null) return refuse(400, "The address is not well-formed.");
  const [given = "", ...rest] = segments;
  if (!isSameSecret(given, token))
    return refuse(
      403,
      "The token in the address is wrong.",
      "Open the address that the command has printed.",
    );
  return { isAdmitted: true, segments: rest, query: new URLSearchParams(search) };
}

function refuse(status: number, message: string, fix?: string): Admission {
  return { isAdmitted: false, status, message, ...(fix !== undefined && { fix }) };
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(parts: readonly string[]): readonly string[] | null {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return null;
  }
}
