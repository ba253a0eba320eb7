import type { ServerResponse } from "node:http";
import type { Watched } from "../read/opened-session.ts";
import { safeHeaders } from "./send-answer.ts";
import { type WatchOptions, watchSession } from "./watch-session.ts";

/** Open streams that tell pages of changes. */
export interface WatchStreams {
  /** `false`: there are too many. */
  open(watched: Watched, response: ServerResponse): boolean;
  close(): void;
}

export const maxStreams = 32;
const heartbeatMs = 15_000;

/** Server-sent events: an unnamed message once a session is watched, and one for every change of it. */
export function createWatchStreams(options: WatchOptions = {}): WatchStreams {
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
