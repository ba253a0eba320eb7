import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** What a client begins with, and goes on with for ever. */
interface SlowHabit {
  readonly begin: (port: number) => string;
  readonly more: string;
}

const headOf = (port: number) => `POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n`;

const habits: readonly SlowHabit[] = [
  { begin: () => "", more: "" },
  { begin: () => "P", more: "O" },
  { begin: headOf, more: "x-more: and more\r\n" },
  { begin: (port) => `${headOf(port)}content-length: 30000000\r\n\r\n{`, more: " " },
  { begin: (port) => `${headOf(port)}transfer-encoding: chunked\r\n\r\n`, more: "1\r\n \r\n" },
];

export interface SlowClients {
  /** How many were let in at first: their connection was made. */
  readonly connected: number;
  /** Whose connection is still there. */
  open(): number;
  /** Each that is still there sends a little more. */
  trickle(): void;
  /** Resolves once no more than so many are still there. */
  untilAtMost(count: number): Promise<void>;
}

/** Clients over real sockets that never finish what they have to say, in turn by headers, by bodies, and by saying nothing. */
export async function openSlowClients(port: number, count: number): Promise<SlowClients> {
  const open = new Map<Socket, SlowHabit>();
  const left = new EventTarget();
  let connected = 0;
  onTestFinished(() => {
    for (const socket of open.keys()) socket.destroy();
  });
  async function join(habit: SlowHabit): Promise<void> {
    const socket = connect(port, "127.0.0.1");
    open.set(socket, habit);
    socket.on("error", () => undefined).resume();
    const isIn = new Promise<boolean>((resolve) => {
      socket
        .once("connect", () => resolve(true))
        .once("close", () => {
          resolve(false);
          open.delete(socket);
          left.dispatchEvent(new Event("left"));
        });
    });
    if (!(await isIn)) return;
    connected += 1;
    socket.write(habit.begin(port));
  }
  const joining = Array.from({ length: count }, (_, at) => join(habits[at % habits.length] as SlowHabit));
  await Promise.all(joining);
  return {
    connected,
    open: () => open.size,
    trickle() {
      for (const [socket, { more }] of open) socket.write(more);
    },
    async untilAtMost(most) {
      while (open.size > most)
        await new Promise((resolve) => left.addEventListener("left", resolve, { once: true }));
    },
  };
}
