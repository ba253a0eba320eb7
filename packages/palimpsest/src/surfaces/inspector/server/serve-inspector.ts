import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fail, ok, type Result } from "@palimpsest/core/spec";
import { admitRequest } from "./admit-request.ts";
import { answerRoute, type RouteParts } from "./answer-route.ts";
import { refusal } from "./failure-answer.ts";
import { defaultPageFolder } from "./page-files.ts";
import { sendAnswer } from "./send-answer.ts";
import type { WatchOptions } from "./watch-session.ts";
import { createWatchStreams, type WatchStreams } from "./watch-streams.ts";

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
