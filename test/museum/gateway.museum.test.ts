import { request as ask } from "node:http";
import { describe, expect, it } from "vitest";
import { eventLines } from "../../packages/palimpsest/src/surfaces/cli/gateway/gateway-command.ts";
import type { Terminal } from "../../packages/palimpsest/src/surfaces/local/terminal.ts";
import { createStyle } from "../../packages/palimpsest/src/surfaces/terminal/style.ts";
import { say } from "../../packages/testing/src/index.ts";
import { model, requestEnds, stage, startGateway } from "../gateway/gateway-stage.ts";
import { helloMessage, rawUpstream } from "../gateway/raw-upstream.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { readJsonFixture } from "./read-fixture.ts";

const terminal = { columns: 80, style: createStyle(false) } as Terminal;

describe("museum", () => {
  it("32: a web page whose name leads to this machine gets nothing from the gateway", async () => {
    const { gateway, emulator } = await stage();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const { host, origin } = readJsonFixture<{ host: string; origin: string }>("32-rebound-names.json");
      const headers = { host: `${host}:${gateway.port}`, origin };
      const asked = ask({ port: gateway.port, host: "127.0.0.1", path: "/v1/models", headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asked.once("error", reject).end();
    });
    expect(status).toBe(403);
    expect(emulator.requests.total).toBe(0);
  });

  it("33: server tool blocks and what nobody knows go through the gateway to the byte, both ways", async () => {
    const content = readJsonFixture<readonly unknown[]>("33-server-tool-blocks.json");
    const answer = JSON.stringify({ ...helloMessage, content });
    const upstream = await rawUpstream((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(answer);
    });
    const home = await temporaryFolder();
    const { gateway, events } = await startGateway({ upstream: upstream.url, home, cwd: home });
    const messages = [{ role: "user", content: "Search." }] as unknown[];
    for (let round = 0; round < 3; round += 1) {
      const body = JSON.stringify({ model, max_tokens: 100, messages });
      const got = await fetch(`${gateway.url}/v1/messages`, { method: "POST", body });
      expect(await got.text()).toBe(answer);
      expect(upstream.requests.at(-1)?.body.toString()).toBe(body);
      messages.push({ role: "assistant", content }, { role: "user", content: `Again ${round}.` });
    }
    await gateway.idle();
    expect(requestEnds(events).map(({ match }) => match)).toEqual(["first", "continue", "continue"]);
  });

  it("33: a conversation that fits costs through the gateway what it costs without it", async () => {
    const costs = async (isThrough: boolean) => {
      const one = await stage({ script: ({ ordinal }) => say(`Answer ${ordinal} for the one who asks.`) });
      const url = isThrough ? one.gateway.url : one.emulator.url;
      const messages: { role: string; content: unknown }[] = [];
      for (let round = 0; round < 6; round += 1) {
        const text = `Question ${round} ${"with more words ".repeat(800)}`;
        messages.push({
          role: "user",
          content: [{ type: "text", text, cache_control: { type: "ephemeral" } }],
        });
        const body = JSON.stringify({ model, max_tokens: 100, messages });
        const headers = { "x-api-key": "k", "anthropic-version": "2023-06-01" };
        const got = await fetch(`${url}/v1/messages`, { method: "POST", headers, body });
        const { content } = (await got.json()) as { readonly content: unknown };
        for (const { content: blocks } of messages)
          for (const block of Array.isArray(blocks) ? blocks : []) delete block.cache_control;
        messages.push({ role: "assistant", content });
      }
      return [...one.emulator.requests]
        .filter(({ endpoint }) => endpoint === "messages")
        .map(({ usage }) => [
          usage?.input_tokens,
          usage?.cache_read_input_tokens,
          usage?.cache_creation_input_tokens,
        ]);
    };
    expect(await costs(true)).toEqual(await costs(false));
  });

  it("34: what a client puts into its path cannot move the cursor or forge a line", () => {
    const hostile = readJsonFixture<string>("34-path-of-a-client.json");
    const lines = [
      ...eventLines(
        { type: "request-refuse", code: "target-refused", method: "GET", path: hostile },
        terminal,
      ),
      ...eventLines(
        {
          type: "request-end",
          method: "GET",
          path: hostile,
          protocol: "openai",
          sent: "passed",
          outcome: "whole",
        },
        terminal,
      ),
    ];
    expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(lines).toHaveLength(2);
  });

  it("35: a branch of a conversation reads what the conversation has cached", async () => {
    const one = await stage({ script: ({ ordinal }) => say(`Answer ${ordinal} for the one who asks.`) });
    const marked = (text: string) => ({
      role: "user" as const,
      content: [{ type: "text" as const, text, cache_control: { type: "ephemeral" as const } }],
    });
    const question = marked(`Question ${"with more words ".repeat(2_000)}`);
    const first = await one.anthropic.messages.create({ model, max_tokens: 100, messages: [question] });
    const answered = { role: "assistant" as const, content: first.content };
    const branches = ["One way.", "Another way."].map((text) => [question, answered, marked(text)]);
    await Promise.all(
      branches.map((messages) => one.anthropic.messages.create({ model, max_tokens: 100, messages })),
    );
    const later = [...one.emulator.requests].filter(({ endpoint }) => endpoint === "messages").slice(1);
    for (const { usage } of later) expect(usage?.cache_read_input_tokens).toBeGreaterThan(1_000);
  });
});
