import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const mainPath = fileURLToPath(new URL("../../packages/palimpsest/dist/cli.js", import.meta.url));
export const token = "token-of-the-test-agents";

/** The built program as a process of its own, with a token: where it listens, what it says an agent needs, what it tells. */
export async function startGateway({ name, upstream, folder }) {
  const tokenFile = join(folder, "token");
  await writeFile(tokenFile, token);
  const options = ["--for", name, "--upstream", upstream, "--token-file", tokenFile];
  const { PATH } = process.env;
  const env = { PATH, HOME: folder, PALIMPSEST_HOME: folder };
  const stdio = ["ignore", "pipe", "inherit"];
  const child = spawn(process.execPath, [mainPath, "gateway", "--json", ...options], {
    cwd: folder,
    env,
    stdio,
  });
  const closed = once(child, "close");
  const lines = createInterface({ input: child.stdout });
  const events = [];
  const { url, settings } = await new Promise((resolve, reject) => {
    lines.on("line", (line) => {
      const event = JSON.parse(line);
      if (event.type === "listening") resolve(event);
      else events.push(event);
    });
    closed.then(([code]) => reject(new Error(`The gateway ended with ${code}.`)), reject);
  });
  return {
    url,
    settings,
    events,
    async close() {
      child.kill("SIGINT");
      await closed;
    },
  };
}
