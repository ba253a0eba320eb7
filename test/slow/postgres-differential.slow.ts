import { expect, it } from "vitest";
import { createRuntime } from "../../packages/core/src/runtime.ts";
import { createPostgresMailbox } from "../../packages/core/src/stores/postgres/mailbox/mailbox.ts";
import { createPostgresTree } from "../../packages/core/src/stores/postgres/trees/file-tree.ts";
import { checkLogDifferential } from "../support/postgres/check-log-differential.ts";
import { inLanes } from "../support/postgres/in-lanes.ts";
import { checkMailSequence } from "../support/postgres/mail-differential.ts";
import { checkMailHandles } from "../support/postgres/mail-handles.ts";
import { checkTreeSequence } from "../support/postgres/tree-differential.ts";
import { checkTreeWriters } from "../support/postgres/tree-writers.ts";
import { describeOnPostgres, openBeside, openTestDatabase } from "../support/postgres/use-postgres.ts";
import { seed } from "../support/seed.ts";

/** 10,000 random sequences of commands in all. */
const sequences = { logs: 4_000, trees: 5_000, mail: 1_000 };
const lanes = 10;
const handles = 16;
const times = 60;

describeOnPostgres("files and Postgres", async () => {
  const database = await openTestDatabase({ maxConnections: lanes });

  async function compare(what: keyof typeof sequences, run: () => Promise<number>): Promise<void> {
    const started = performance.now();
    const compared = await run();
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(
      `${what} on files and on Postgres: reached ${sequences[what].toLocaleString("en")} sequences, ${compared.toLocaleString("en")} commands in ${seconds} s (minimum ${sequences[what].toLocaleString("en")}, seed ${seed})`,
    );
    expect(compared).toBeGreaterThanOrEqual(4 * sequences[what]);
  }

  it(`logs are the same after each command of ${sequences.logs} random sequences`, () =>
    compare("logs", () => {
      const share = Math.ceil(sequences.logs / lanes);
      return inLanes({ count: lanes, lanes }, (lane) =>
        checkLogDifferential(database, { sequences: share, seed: seed + lane }),
      );
    }));

  it(`trees are the same after each command of ${sequences.trees} random sequences`, () =>
    compare("trees", () =>
      inLanes({ count: sequences.trees, lanes }, (at) =>
        checkTreeSequence(database, `tree-${at}`, seed + at),
      ),
    ));

  it(`mailboxes are the same after each command of ${sequences.mail} random sequences`, () =>
    compare("mail", () =>
      inLanes({ count: sequences.mail, lanes }, (at) => checkMailSequence(database, `mail-${at}`, seed + at)),
    ));

  it(`${handles} handles × ${times} writes of one path, and as many mails to one mailbox, all at once: none lost, none doubled`, async () => {
    const beside = await openBeside(database, { maxConnections: lanes });
    const { clock, ids, processes } = createRuntime();
    const parts = Array.from({ length: handles }, (_, at) => ({
      database: at % 2 === 0 ? database : beside,
      ...{ project: "crowd", clock, ids, processes },
    }));
    const trees = parts.map((part) => createPostgresTree({ ...part, tree: "memory" }));
    const conflicts = await checkTreeWriters(trees, { times, atOnce: handles });
    const empty = await checkMailHandles(parts.map(createPostgresMailbox), { times });
    console.log(
      `${handles} handles at once on Postgres: reached ${handles * times} writes of one path with ${conflicts} conflicts, ${handles * times} mails with ${empty} takings of nothing`,
    );
    expect(conflicts).toBeGreaterThan(0);
  });
});
