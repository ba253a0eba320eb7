import { once } from "node:events";
import { expect } from "vitest";
import { readMailLine } from "../../packages/core/src/layers/7-agents/mail/rules/index.ts";
import { type FileStore, openFileStore } from "../../packages/core/src/stores/files/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { createSeededRandom } from "../../packages/testing/src/seeded-random.ts";
import { type Child, startChild } from "./child.ts";

const receiver = "ses_receiver";
const project = "test-00000000";

export interface MailProcessesOptions {
  readonly home: string;
  readonly senders: number;
  /** Mails of each sender. */
  readonly times: number;
  readonly seed: number;
  /** Readers are killed after 0 to this many batches. */
  readonly maxBatches: number;
  /** So many are killed, also when everything was sent before. */
  readonly minKills: number;
}

export interface MailProcessesTally {
  readonly delivered: number;
  readonly kills: number;
}

/**
 * Real processes send to one mailbox while readers take from it, one at a time, and are killed at some moment of their
 * work: every mail is in the receiver's log once, each sender's in order.
 */
export async function mailBetweenProcesses(options: MailProcessesOptions): Promise<MailProcessesTally> {
  const { home, senders, times, maxBatches, minKills } = options;
  const random = createSeededRandom(options.seed);
  const store = must(await openFileStore({ home, project }));
  const made = must(await store.logs.create({ kind: "session", session: { id: receiver, project } }));
  must(await made.close());
  const names = Array.from({ length: senders }, (_, index) => `ses_sender-${index}`);
  const sending = names.map((name) => startChild("mail-sender.mjs", [home, name, receiver, String(times)]));
  const sent = Promise.all(sending.map((child) => once(child.process, "close")));
  const kills = await killReaders(home, sent, minKills, () => 1 + random.below(maxBatches + 1));
  await sent;
  const expected = names.map((name) => Array.from({ length: times }, (_, index) => `${name}-${index}`));
  expect(sending.map((child) => child.lines())).toEqual(expected);

  const missing = senders * times - (await receivedOf(store)).length;
  const last = startReader(home);
  for (let lines = 1; batchesOf(last) < missing; lines += 1) await last.printed(lines);
  await last.kill();
  const received = await receivedOf(store);
  expect(new Set(received.map(({ id }) => id)).size).toBe(received.length);
  const byName = (name: string) => received.filter(({ from }) => from === name).map(({ id }) => id);
  expect(names.map(byName)).toEqual(expected);
  expect(received.length).toBe(senders * times);
  return { delivered: received.length, kills };
}

const startReader = (home: string) => startChild("mail-reader.mjs", [home, receiver]);

/** Two at a time: one has the session, the other waits for it. Goes on until everything is sent. */
async function killReaders(
  home: string,
  sent: Promise<unknown>,
  minKills: number,
  nextLines: () => number,
): Promise<number> {
  let isOver = false;
  void sent.then(() => {
    isOver = true;
  });
  let kills = 0;
  let [one, other] = [startReader(home), startReader(home)];
  while (!isOver || kills < minKills) {
    const lines = isOver ? 1 : nextLines();
    await Promise.race([one.printed(lines), other.printed(lines), ...(isOver ? [] : [sent])]);
    if (one.lines().length < other.lines().length) [one, other] = [other, one];
    await one.kill();
    batchesOf(one);
    kills += 1;
    one = startReader(home);
  }
  await Promise.all([one.kill(), other.kill()]);
  return kills;
}

/** How many mails a reader says it has taken in; it must not have failed. */
function batchesOf(reader: Child): number {
  const lines = reader.lines().filter((line) => line !== "open");
  expect(lines.filter((line) => !/^batch \d+$/.test(line))).toEqual([]);
  return lines.reduce((sum, line) => sum + Number(line.split(" ")[1]), 0);
}

async function receivedOf({ logs }: Pick<FileStore, "logs">) {
  const received: { readonly id: string; readonly from: string }[] = [];
  must(
    await logs.scan(receiver, (entry) => {
      if (entry.kind !== "message" || typeof entry.message.content !== "string") return;
      const line = readMailLine(entry.message.content);
      if (line) received.push(line);
    }),
  );
  return received;
}
