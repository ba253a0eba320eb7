// Takes the mail of one session into its log until it is killed: waits for the session's lease, reads from the log what was
// received, then takes, appends, acknowledges. Prints "open", and "batch <n>" after each. Arguments: home, session.
import { writeSync } from "node:fs";
import {
  createMailLedger,
  mailSubtype,
  renderMail,
  settleMail,
} from "../../packages/core/build/layers/7-agents/mail/rules/index.js";
import { openFileStore } from "../../packages/core/build/stores/files/index.js";

const [home, session] = process.argv.slice(2);
const project = "test-00000000";
const pause = () => new Promise((resolve) => setTimeout(resolve, 10));

function must(result) {
  if (result.ok) return result.value;
  writeSync(1, `failed ${result.error.code} ${result.error.message}\n`);
  process.exit(3);
}

async function openLog(logs, ledger) {
  for (;;) {
    const opened = await logs.open(session, (entry) => ledger.add(entry));
    if (opened.ok) return opened.value;
    if (opened.error.code !== "held") must(opened);
    await pause();
  }
}

const { logs, mailbox } = must(await openFileStore({ home, project }));
const ledger = createMailLedger();
const writer = await openLog(logs, ledger);
writeSync(1, "open\n");

for (;;) {
  const taken = must(await mailbox.take(session, 200));
  const { fresh, known } = settleMail(taken, ledger.hasReceived);
  must(await mailbox.acknowledge(session, known));
  if (taken.length === 0) await pause();
  const drafts = fresh.map(({ body, ...mail }) => ({
    kind: "message",
    message: { type: "attachment", subtype: mailSubtype, content: renderMail({ ...mail, message: body }) },
  }));
  for (const { entry } of drafts.length > 0 ? must(await writer.append(drafts)) : []) ledger.add(entry);
  must(
    await mailbox.acknowledge(
      session,
      fresh.map(({ id }) => id),
    ),
  );
  if (fresh.length > 0) writeSync(1, `batch ${fresh.length}\n`);
}
