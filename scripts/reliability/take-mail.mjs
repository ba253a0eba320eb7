import {
  createMailLedger,
  mailSubtype,
  renderMail,
  settleMail,
} from "../../packages/core/build/layers/7-agents/mail/rules/index.js";
import { acknowledge } from "./acknowledge.mjs";
import { must } from "./outcome.mjs";

const batch = 50;
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

async function openLog(logs, session, ledger) {
  for (;;) {
    const opened = await logs.open(session, (entry) => ledger.add(entry));
    if (opened.ok) return opened.value;
    if (opened.error.code !== "held") must(opened);
    await pause();
  }
}

/**
 * Takes what waits for a session into its log, as a reader does: takes, appends, acknowledges. Ends when nothing waits
 * unless it goes on for ever, and then says each batch.
 */
export async function takeMail({ logs, mailbox }, session, { isForever }) {
  const ledger = createMailLedger();
  const writer = await openLog(logs, session, ledger);
  for (;;) {
    const taken = must(await mailbox.take(session, batch));
    if (taken.length === 0 && !isForever) break;
    if (taken.length === 0) {
      await pause();
      continue;
    }
    const { fresh, known } = settleMail(taken, ledger.hasReceived);
    must(await mailbox.acknowledge(session, known));
    const drafts = fresh.map(({ body, ...mail }) => ({
      kind: "message",
      message: { type: "attachment", subtype: mailSubtype, content: renderMail({ ...mail, message: body }) },
    }));
    for (const { entry } of drafts.length > 0 ? must(await writer.append(drafts)) : []) ledger.add(entry);
    const ids = fresh.map(({ id }) => id);
    must(await mailbox.acknowledge(session, ids));
    if (isForever) acknowledge("received", ids.length);
  }
  must(await writer.close());
}
