import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import Anthropic from "@anthropic-ai/sdk";
import stringWidth from "string-width";
import { describe, expect, it, onTestFinished } from "vitest";
import { cliEnvironment, mainPath, runCli } from "../support/cli.ts";
import { createClient, hello } from "../support/emulator.ts";

interface Running {
  readonly child: ChildProcess;
  /** The next line that matches; lines before it are gone. */
  line(pattern: RegExp): Promise<string>;
  readonly lines: readonly string[];
}

/** The built program as a process of its own, until the test is over. */
function start(args: readonly string[], environment: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [mainPath, "emulator", ...args], {
    env: cliEnvironment({ environment }),
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  const input = createInterface({ input: child.stdout });
  const iterator = input[Symbol.asyncIterator]();
  return {
    child,
    lines,
    async line(pattern) {
      for (;;) {
        const { value, done } = await iterator.next();
        if (done) throw new Error(`it ended before ${pattern}: ${lines.join("\n")}`);
        lines.push(value);
        if (pattern.test(value)) return value;
      }
    },
  };
}

describe("palimpsest emulator", () => {
  it("says where it is, and a line for every request within 80 columns", async () => {
    const running = start(["--port", "0", "--window", "5000"]);
    const exported = await running.line(/export ANTHROPIC_BASE_URL=/);
    await running.line(/# +MODEL/);
    const client = createClient({ url: exported.split("=")[1] ?? "" } as never);
    await client.messages.create(hello);
    expect(await running.line(/claude/)).toMatch(/^ +1 claude-opus-4-5-202… +0 +0 +\d+ +\d+ +- answered$/);
    const content = "too many words ".repeat(2_000);
    const long = client.messages.create({ ...hello, messages: [{ role: "user", content }] });
    await expect(long).rejects.toBeInstanceOf(Anthropic.BadRequestError);
    await running.line(/^ +2 .*refused$/);
    await running.line(/^ +400 prompt is too long: \d+ tokens > 5000 maximum$/);
    expect(running.lines.filter((line) => stringWidth(line) > 80)).toEqual([]);
    expect(running.lines.join("")).not.toContain("\u001b[");
    running.child.kill("SIGINT");
    expect(await once(running.child, "close")).toEqual([130, null]);
  });

  it("gives programs one document a line, without what was said", async () => {
    const running = start(["--port", "0", "--json"]);
    const listening = JSON.parse(await running.line(/listening/));
    expect(listening).toEqual({
      type: "listening",
      url: `http://127.0.0.1:${listening.port}`,
      port: listening.port,
    });
    const client = createClient(listening);
    await client.messages.stream(hello).finalMessage();
    const line = await running.line(/"request"/);
    expect(JSON.parse(line)).toMatchObject({
      type: "request",
      number: 1,
      model: "claude-opus-4-5-20251101",
      isStream: true,
      outcome: "answered",
      hitBlock: -1,
      usage: { cache_read_input_tokens: 0 },
    });
    expect(line).not.toMatch(/not-a-real-key|Hello/);
  });

  it("answers in the name it is given", async () => {
    const running = start(["--port", "0", "--json", "--answer-model", "my-deployment"]);
    const client = createClient(JSON.parse(await running.line(/listening/)));
    expect((await client.messages.create(hello)).model).toBe("my-deployment");
    const { model } = JSON.parse(await running.line(/"request"/));
    expect(model).toBe("claude-opus-4-5-20251101");
  });

  it("ends streams that are open when it is interrupted", async () => {
    const running = start(["--port", "0", "--json"]);
    const { url, port } = JSON.parse(await running.line(/listening/));
    const headers = { "x-api-key": "none", "anthropic-version": "2023-06-01" };
    const half = fetch(`${url}/v1/messages`, {
      method: "POST",
      headers,
      body: new ReadableStream({
        pull: async (controller) => {
          controller.enqueue(new TextEncoder().encode('{"model":'));
          await new Promise(() => undefined);
        },
      }),
      duplex: "half",
    } as RequestInit);
    const failed = expect(half).rejects.toThrow();
    await fetch(`${url}/v1/models`, { headers });
    await running.line(/"request"/);
    running.child.kill("SIGINT");
    expect(await once(running.child, "close")).toEqual([130, null]);
    await failed;
    expect(port).toBeGreaterThan(0);
  });

  it("says so when the port is taken, or no port", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const taken = await runCli(["emulator", "--port", String(port)]);
    server.close();
    expect(taken).toMatchObject({ code: 1, stdout: "" });
    expect(taken.stderr).toBe(
      `error: Cannot listen on 127.0.0.1, port ${port}: another program uses it.\n  fix: Choose another port, or 0 for a free one.\n`,
    );
    for (const wrong of ["70000", "-1", "http", "4.5"]) {
      const { code, stderr } = await runCli(["emulator", "--port", wrong]);
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /^error: .*It must be a whole number from 0 to 65535; use: palimpsest emulator \[options\]\n$/,
      );
    }
  });

  it("has help with examples that fits into 80 columns", async () => {
    const { code, stdout } = await runCli(["help", "emulator"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Usage: palimpsest emulator \[options\]/);
    expect(stdout).toMatch(/Examples:\n[\s\S]*palimpsest emulator --port 4010/);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });
});
