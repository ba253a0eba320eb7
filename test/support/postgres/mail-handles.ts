import { expect } from "vitest";
import type { Mailbox } from "../../../packages/core/src/spec/index.ts";
import { must } from "../../../packages/testing/src/conformance/outcomes.ts";

const to = "ses_z";
const at = "2026-11-15T12:00:00.000Z";

/**
 * Every handle sends so many mails to one mailbox, and all of them empty it, at the same moment: each mail comes once, and
 * each sender's in order. Gives how many takings found nothing.
 */
export async function checkMailHandles(
  mailboxes: readonly Mailbox[],
  { times }: { readonly times: number },
): Promise<number> {
  const wanted = mailboxes.length * times;
  const came: { readonly id: string; readonly from: string }[] = [];
  let acknowledged = 0;
  let empty = 0;

  async function send(mailbox: Mailbox, sender: number): Promise<void> {
    for (let number = 0; number < times; number += 1)
      must(await mailbox.send({ id: `${sender}-${number}`, from: `ses_${sender}`, to, at, body: number }));
  }

  async function receive(mailbox: Mailbox): Promise<void> {
    while (acknowledged < wanted) {
      const mails = must(await mailbox.take(to, 5));
      if (mails.length === 0) empty += 1;
      came.push(...mails);
      must(
        await mailbox.acknowledge(
          to,
          mails.map(({ id }) => id),
        ),
      );
      acknowledged += mails.length;
    }
  }

  await Promise.all(mailboxes.flatMap((mailbox, sender) => [send(mailbox, sender), receive(mailbox)]));
  const bySender = mailboxes.map((_, sender) =>
    came.filter(({ from }) => from === `ses_${sender}`).map(({ id }) => id),
  );
  expect(bySender).toEqual(
    mailboxes.map((_, sender) => Array.from({ length: times }, (_, number) => `${sender}-${number}`)),
  );
  return empty;
}
