import type { IncomingMessage } from "node:http";
import type { Clock } from "@palimpsest/core/spec";
import type { AdmittedRequest } from "./admission.ts";
import { refusal } from "./check-head.ts";
import type { GatewayLimits, Refusal } from "./gateway-limits.ts";

export type ReadBody =
  | { readonly body: Buffer }
  | { readonly refusal: Refusal }
  /** The client has gone. */
  | { readonly gone: true };

/** The gateway has as much to do as it takes. */
export const gatewayFull = refusal(
  "gateway-full",
  503,
  "The gateway has as many requests as it takes at once. Ask again in a moment.",
);

type BodyLimits = Pick<GatewayLimits, "bodyBytes" | "bodyIdleMs" | "bodyMs">;

/** The least size counted for a piece of a body, however small it is. */
const pieceBytes = 256;

/** Reads a whole body, as long as it is not too large, does not come too slowly, and there is room for it. */
export function readBody(
  request: IncomingMessage,
  { hold }: Pick<AdmittedRequest, "hold">,
  limits: BodyLimits,
  clock: Clock,
): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const ended = new AbortController();
    const done = (read: ReadBody) => {
      if (ended.signal.aborted) return;
      ended.abort();
      request.off("data", onData).off("end", onEnd).off("close", onGone).off("error", onGone);
      resolve(read);
    };
    const tooSlow = () => done({ refusal: refusal("body-too-slow", 408, "The body came too slowly.") });
    const watchWhole = async () => {
      await clock.sleep(limits.bodyMs, ended.signal);
      tooSlow();
    };
    const watchPieces = async () => {
      for (let seen = -1; seen !== bytes; ) {
        seen = bytes;
        await clock.sleep(limits.bodyIdleMs, ended.signal);
        if (ended.signal.aborted) return;
      }
      tooSlow();
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limits.bodyBytes) return done({ refusal: tooLarge(limits) });
      if (!hold(Math.max(chunk.length, pieceBytes))) return done({ refusal: gatewayFull });
      chunks.push(chunk);
    };
    const onEnd = () => done({ body: Buffer.concat(chunks, bytes) });
    const onGone = () => done({ gone: true });
    if (Number(request.headers["content-length"] ?? 0) > limits.bodyBytes) {
      return done({ refusal: tooLarge(limits) });
    }
    request.on("data", onData).on("end", onEnd).on("close", onGone).on("error", onGone);
    void watchWhole();
    void watchPieces();
  });
}

function tooLarge({ bodyBytes }: BodyLimits): Refusal {
  return refusal("body-too-large", 413, `The body has more than ${bodyBytes} bytes.`);
}
