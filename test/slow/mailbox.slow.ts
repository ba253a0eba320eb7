import { expect, it } from "vitest";
import { mailBetweenProcesses } from "../support/mail-between-processes.ts";
import { seed } from "../support/seed.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const senders = 20;
const times = 1000;
const minimumKills = 20;

it(`${senders} processes × ${times} mails to one mailbox, readers killed: none lost, none doubled, in order`, async () => {
  const home = await temporaryFolder();
  const started = performance.now();
  const { delivered, kills } = await mailBetweenProcesses({
    home,
    senders,
    times,
    seed,
    maxBatches: 4,
    minKills: minimumKills,
  });
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `mails to one mailbox: reached ${delivered.toLocaleString("en")} with ${kills} readers killed in ${seconds} s (minimum ${(senders * times).toLocaleString("en")} and ${minimumKills})`,
  );
  expect(delivered).toBe(senders * times);
  expect(kills).toBeGreaterThanOrEqual(minimumKills);
});
