import { createHmac, timingSafeEqual } from "node:crypto";
import type { Socket } from "node:net";
import { isObject, parseJson } from "../../../json/json-values.ts";
import { fail, ok, type Result } from "../../../spec/index.ts";

/** One JSON object a line, in turn. */
export interface SocketLines {
  say(value: object): void;
  /** The next line; `disconnected` when it ends, `too-large` and `corrupt` for what is no line of ours. */
  hear(): Promise<Result<Readonly<Record<string, unknown>>>>;
}

export function createSocketLines(socket: Socket, maxLineBytes: number): SocketLines {
  let rest = Buffer.alloc(0);
  let ended: Result<never> | null = null;
  let wake: () => void = () => {};
  const end = (why: Result<never>) => {
    ended ??= why;
    wake();
  };
  const gone = () => end(fail("disconnected", "The other end has hung up.", { retryable: true }));
  socket.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    if (rest.length > maxLineBytes) {
      end(fail("too-large", `The other end has sent a line of over ${maxLineBytes} bytes.`));
      socket.destroy();
    }
    wake();
  });
  socket.on("end", gone);
  socket.on("close", gone);
  socket.on("error", gone);

  async function nextLine(): Promise<Result<string>> {
    for (;;) {
      const newline = rest.indexOf(10);
      if (newline >= 0 && rest.length <= maxLineBytes) {
        const line = rest.subarray(0, newline).toString("utf8");
        rest = rest.subarray(newline + 1);
        return ok(line);
      }
      if (ended) return ended;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    say: (value) => void socket.write(`${JSON.stringify(value)}\n`),
    async hear() {
      const line = await nextLine();
      if (!line.ok) return line;
      const value = parseJson(line.value);
      if (isObject(value)) return ok(value);
      return fail("corrupt", "The other end has sent something that is not understood.");
    },
  };
}

/** The nonces of both ends of a connection: a proof holds for this connection only. */
interface Greeting {
  /** The listener's log id and what it made up. */
  readonly listener: string;
  readonly listenerNonce: string;
  /** The sender's. */
  readonly sender: string;
  readonly senderNonce: string;
}

/** That one end knows a token, without showing it. */
export function proofOf(token: string, role: "listener" | "sender", greeting: Greeting): string {
  const { listener, listenerNonce, sender, senderNonce } = greeting;
  const said = JSON.stringify([role, listener, listenerNonce, sender, senderNonce]);
  return createHmac("sha256", token).update(said).digest("hex");
}

export function isProof(given: unknown, expected: string): boolean {
  if (typeof given !== "string" || given.length !== expected.length) return false;
  return timingSafeEqual(Buffer.from(given, "latin1"), Buffer.from(expected, "latin1"));
}
