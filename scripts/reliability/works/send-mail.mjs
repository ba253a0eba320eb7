import { acknowledge, stop } from "../acknowledge.mjs";

/** Sends numbered mails for ever; says each accepted one. A full mailbox is waited for. */
export async function work({ mailbox }, { from, to, first }) {
  for (let number = first; ; ) {
    const mail = {
      id: `${from}-${number}`,
      from,
      to,
      at: new Date().toISOString(),
      body: { content: `${number}` },
    };
    const sent = await mailbox.send(mail);
    if (sent.ok) acknowledge("sent", number++);
    else if (sent.error.retryable) await new Promise((resolve) => setTimeout(resolve, 5));
    else stop(sent.error);
  }
}
