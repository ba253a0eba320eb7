import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { openSlowClients } from "../gateway/slow-clients.ts";
import { cliEnvironment, mainPath } from "../support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const wanted = 10_000;
const minimum = 1_000;
/** What the gateway takes at once as it is delivered. */
const connections = 2_048;
/** For what is no connection: files, pipes, modules. */
const spareDescriptors = 200;
const mostMegabytes = 400;

it(`${wanted} slow connections leave the status answering, within bounded memory`, async () => {
  const count = Math.min(wanted, (await descriptors()) - spareDescriptors);
  expect(count).toBeGreaterThanOrEqual(minimum);
  const home = await temporaryFolder();
  const args = [mainPath, "gateway", "--json", "--upstream", "http://127.0.0.1:9"];
  const child = spawn(process.execPath, args, { cwd: home, env: cliEnvironment({ home }) });
  onTestFinished(async () => {
    child.kill("SIGINT");
    await once(child, "close");
  });
  const lines = createInterface({ input: child.stdout });
  const [first] = await once(lines, "line");
  const { url, port } = JSON.parse(first);
  lines.on("line", () => undefined);
  const clients = await openSlowClients(port, count);
  let answered = 0;
  for (let round = 0; round < 50; round += 1) {
    clients.trickle();
    const answer = await fetch(`${url}/palimpsest/status`);
    expect(answer.status).toBe(200);
    await answer.json();
    answered += 1;
  }
  await clients.untilAtMost(connections);
  const megabytes = await memoryOf(child.pid);
  console.log(
    `slow connections: reached ${clients.connected} (wanted ${wanted}, minimum ${minimum}); the status answered ${answered} times; the gateway held ${megabytes ?? "?"} MB at most`,
  );
  expect(clients.connected).toBeGreaterThanOrEqual(minimum);
  expect(megabytes ?? 0).toBeLessThan(mostMegabytes);
});

/** How many files and sockets this process may have open: Node has taken all that the system lets it. */
async function descriptors(): Promise<number> {
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? minimum + spareDescriptors);
}

/** The most that a process ever held, where the system says so. */
async function memoryOf(pid = 0): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kilobytes = /^VmHWM:\s+(\d+)/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
}
