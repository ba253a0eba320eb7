// Sends numbered mails to one mailbox, and prints each accepted one: "<id>". Arguments: home, sender, receiver, times.
import { writeSync } from "node:fs";
import { openFileStore } from "../../packages/core/build/stores/files/index.js";

const [home, from, to, times] = process.argv.slice(2);
const opened = await openFileStore({ home, project: "test-00000000" });
if (!opened.ok) throw opened.error;
const { mailbox } = opened.value;

for (let sent = 0; sent < Number(times); ) {
  const id = `${from}-${sent}`;
  const at = new Date().toISOString();
  const result = await mailbox.send({ id, from, to, at, body: { content: `message ${sent}` } });
  if (result.ok) {
    sent += 1;
    writeSync(1, `${id}\n`);
  } else if (result.error.retryable) await new Promise((resolve) => setTimeout(resolve, 250));
  else {
    writeSync(1, `failed ${result.error.code} ${result.error.message}\n`);
    process.exit(3);
  }
}
