import { execFile } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";

const run = promisify(execFile);
const built = (file: string) => fileURLToPath(new URL(`../../packages/core/build/${file}`, import.meta.url));

/** A program that asks once, and waits for the answer. */
async function askOnce(port: number): Promise<string> {
  const script = `
    const { openDatabase } = await import(${JSON.stringify(built("stores/postgres/database.js"))});
    const { createRuntime } = await import(${JSON.stringify(built("runtime.js"))});
    const { clock } = createRuntime();
    const url = "postgres://nobody@127.0.0.1:${port}/none";
    const opened = await openDatabase({ url, clock, patienceMs: 100 });
    const answered = await opened.value.query("select 1");
    console.log(answered.error.code);`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script]);
  return stdout.trim();
}

function message(type: string, ...parts: readonly (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

it("keeps the process alive until the patience with a server that is away is used up", async () => {
  expect(await askOnce(1)).toBe("disconnected");
});

it("bears a server that says in one breath that it is ready and that it ends", async () => {
  const welcome = message("R", Buffer.alloc(4));
  const farewell = message("E", "SFATAL\0C57P01\0Mterminating connection\0\0");
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(Buffer.concat([welcome, message("Z", "I"), farewell])));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  expect(await askOnce((server.address() as AddressInfo).port)).toBe("disconnected");
});
