import { readMailLine } from "../../../packages/core/build/layers/7-agents/mail/rules/index.js";
import { project } from "../open-store.mjs";
import { must } from "../outcome.mjs";
import { takeMail } from "../take-mail.mjs";

const roundsPerMailbox = 10;

/** Sees that every accepted mail is in the receiver's log once, in order, whoever of the two dies. */
export function createMailboxWitness({ openStore, seed }) {
  let round = 0;
  let next = 0;
  const boxOf = (at) => `mail-${seed}-${Math.floor(at / roundsPerMailbox)}`;

  async function receivedBy({ logs }, session) {
    const numbers = [];
    must(
      await logs.scan(session, ({ kind, message }) => {
        const line =
          kind === "message" && typeof message.content === "string" && readMailLine(message.content);
        if (line) numbers.push(Number(line.id.split("-").at(-1)));
      }),
    );
    return numbers;
  }

  return {
    name: "mailbox",
    maxOperations: 160,
    maxLines: 40,
    async orders() {
      const to = boxOf(round);
      if (round % roundsPerMailbox === 0) {
        next = 0;
        const { logs } = await openStore();
        const made = must(await logs.create({ kind: "session", session: { id: to, project } }));
        must(await made.close());
      }
      round += 1;
      return [
        { work: "send-mail", from: "ses_sender", to, first: next },
        { work: "take-mail", to },
      ];
    },
    async check([sender, reader]) {
      const { to } = reader.order;
      const sent = sender.said.filter(([word]) => word === "sent").map(([, number]) => Number(number));
      const accepted = Math.max(next, ...sent.map((number) => number + 1));
      const store = await openStore();
      const numbersBefore = await receivedBy(store, to);
      await takeMail(store, to, { isForever: false });
      const numbers = await receivedBy(store, to);
      const problems = [];
      numbers.forEach((number, at) => {
        if (number !== at) problems.push(`mail ${number} stands in place of ${at}`);
      });
      if (numbers.length < accepted) problems.push(`${accepted - numbers.length} accepted mails are lost`);
      if (numbers.length > accepted + 1) problems.push("mails that nobody sent");
      if (numbersBefore.some((number, at) => numbers[at] !== number))
        problems.push("a received mail has moved");
      const mails = accepted - next;
      // A mail whose sender died before it heard the answer is sent again, under its id.
      next = accepted;
      return { problems, reached: { mails } };
    },
  };
}
