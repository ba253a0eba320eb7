import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { openMemory } from "../../packages/core/src/session/memory/open-memory.ts";
import { openSession } from "../../packages/palimpsest/src/loop/open-session.ts";
import { cliEnvironment, mainPath } from "../support/cli.ts";
import { memoryText } from "../support/memory-texts.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { pageParts } from "./page-parts.ts";
import { useBrowser } from "./use-browser.ts";

const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>\u001b[31mred\u202e';
const usage = (input: number) => ({ input, output: 20, cacheRead: 0, cacheCreation: 0 });

/** A session of real rounds, whose oldest results are cleared before its last request. */
async function writtenSession(home: string) {
  const settings = { sessionNotesEnabled: false };
  const session = await openSession({ home, cwd: home, id: "ses_seen", model: "claude-opus-4-5", settings });
  await session.add({ role: "user", content: `Look at the harbour. ${hostile}` });
  const rounds = 12;
  for (let round = 1; round <= rounds; round += 1) {
    await session.prepare();
    const id = `call_${round}`;
    const call = { type: "tool_use", id, name: "Read", input: { file_path: `/quay/${round}.txt` } };
    await session.add({
      role: "assistant",
      content: [call],
      id: `msg_${round}`,
      usage: usage(round * 2_000),
    });
    const text = `Crane ${round} ${hostile} ${"has a number. ".repeat(500)}`;
    await session.add({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text }] });
  }
  await session.clear({ targetTokens: 5_000 });
  await session.prepare();
  await session.add({ role: "assistant", content: "Seen.", id: "msg_last", usage: usage(9_000) });
  return session;
}

/** The built program, serving what is in a data root. */
async function serve(home: string) {
  const args = [mainPath, "inspect", "--json"];
  const child = spawn(process.execPath, args, { cwd: home, env: cliEnvironment({ home }) });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return new URL((JSON.parse(line) as { url: string }).url);
}

async function servedSession() {
  const home = await temporaryFolder();
  const session = await writtenSession(home);
  onTestFinished(() => session.close());
  return { home, session, url: await serve(home) };
}

describe("inspector page on the real server", () => {
  const browser = useBrowser();
  const openPage = async (url: string) => {
    const opened = await browser.open(url);
    const parts = pageParts(opened.page);
    await parts.isReady();
    return { ...opened, ...parts };
  };

  it("shows the only session at once, hostile text as text, and opens what was cleared", async () => {
    const { url } = await servedSession();
    const { page, complaints, addresses, chosen } = await openPage(url.href);
    expect(await chosen()).toBe("13");
    await page.locator("#items .item-row").filter({ hasText: "cleared" }).first().click();
    await page.locator("pre").filter({ hasText: "Crane 1 <img src=x onerror=" }).first().waitFor();
    const text = await page.evaluate<string>("document.body.innerText");
    expect(text).toContain("␛[31mred");
    expect(text).not.toMatch(/[^\P{C}\n\t]/u);
    expect(await page.evaluate<string>("document.title")).not.toMatch(/^[12]$/);
    expect(await page.evaluate<number>("document.querySelectorAll('main img, main script').length")).toBe(0);
    expect(addresses.filter((address) => !address.startsWith(url.href))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("follows a session while it is written", async () => {
    const { url, session } = await servedSession();
    const { isChosen, complaints } = await openPage(url.href);
    await session.add({ role: "user", content: "And the lighthouse?" });
    await session.prepare();
    await session.add({ role: "assistant", content: "White.", id: "msg_more", usage: usage(9_100) });
    await isChosen("14");
    expect(complaints).toEqual([]);
  });

  it("replays the session under another policy", async () => {
    const { url } = await servedSession();
    const { page, press, complaints } = await openPage(url.href);
    await press("w");
    await page.locator("table").filter({ hasText: "faithful" }).first().waitFor();
    expect(complaints).toEqual([]);
  });

  it("shows memories with their history", async () => {
    const home = await temporaryFolder();
    const memory = await openMemory({ home, cwd: home });
    await memory.write("quay.md", memoryText({ name: "Quay", body: "It has four cranes." }));
    await memory.write("quay.md", memoryText({ name: "Quay", body: `It has five cranes. ${hostile}` }));
    await (await writtenSession(home)).close();
    const { page, press, complaints } = await openPage((await serve(home)).href);
    await press("m");
    await page.locator("main").filter({ hasText: "quay.md" }).first().waitFor();
    await press("Enter");
    await page.locator("main").filter({ hasText: "five cranes. <img" }).first().waitFor();
    expect(complaints).toEqual([]);
  });

  it("is of no use to a page of another origin, nor under another name", async () => {
    const { url } = await servedSession();
    const foreign = createServer((_asked, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<title>evil</title><script>globalThis.isHere = true</script>");
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void foreign.close());
    await once(foreign, "listening");
    const { port } = foreign.address() as AddressInfo;
    const { page } = await browser.open(`http://127.0.0.1:${port}/`);
    const reach = (target: string) =>
      page.evaluate<string>(
        `fetch(${JSON.stringify(target)}).then((answer) => answer.text(), (error) => "failed: " + error.name)`,
      );
    expect(await reach(`${url.href}api/sessions`)).toBe("failed: TypeError");
    const framed = await page.evaluate<number>(
      `new Promise((resolve) => { const frame = document.createElement("iframe"); frame.src = ${JSON.stringify(url.href)};
        frame.onload = () => { let length = 0; try { length = frame.contentDocument.body.innerText.length } catch {} resolve(length) };
        document.body.append(frame) })`,
    );
    expect(framed).toBe(0);
    const asked = request(url, { headers: { host: `evil.example:${url.port}` } }).end();
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    expect(answer.resume().statusCode).toBe(403);
  });
});
