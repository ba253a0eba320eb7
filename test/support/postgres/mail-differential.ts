import { expect } from "vitest";
import { mailNumbers } from "../../../packages/core/src/layers/7-agents/mail/rules/index.ts";
import type { Mail, Mailbox, Result } from "../../../packages/core/src/spec/index.ts";
import { createFileMailbox } from "../../../packages/core/src/stores/files/mailbox/mailbox.ts";
import type { Database } from "../../../packages/core/src/stores/postgres/database.ts";
import { createPostgresMailbox } from "../../../packages/core/src/stores/postgres/mailbox/mailbox.ts";
import { readerPatienceMs } from "../../../packages/core/src/stores/shared/mailbox.ts";
import { must } from "../../../packages/testing/src/conformance/outcomes.ts";
import { createSeededRandom } from "../../../packages/testing/src/seeded-random.ts";
import { createVirtualClock, createVirtualIds } from "../../../packages/testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../packages/testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../../packages/testing/src/virtual-processes.ts";

/**
 * Who writes to whom, and how many mails are taken at once: a limit that cuts between senders may be met by any of them.
 */
const scenes = [
  { to: "ses_z", senders: ["ses_a", "ses_b", "ses_c/agent_1"], limits: [0, 1000] },
  { to: "ses_y/agent_1", senders: ["ses_a"], limits: [0, 1, 2, 3, 1000] },
];
const bodies = ["text", { deep: [null, "\0\ud800"] }, null, "x".repeat(3000), "x".repeat(5000)];
const steps = 24;
const minuteMs = 60_000;

/** As if so much time had passed for the server. */
export async function passOnServer({ schema, query }: Database, project: string, ms: number): Promise<void> {
  const earlier = (column: string) => `${column} = ${column} - $2 * interval '1 millisecond'`;
  const changes = [
    `mail set ${earlier("accepted")}, ${earlier("acknowledged")}`,
    `mail_reader set ${earlier("heartbeat")}`,
    "mail_lane set last = last - $2::bigint",
  ];
  for (const change of changes)
    must(await query(`update ${schema}.${change} where project = $1`, [project, ms]));
}

interface Reader {
  readonly files: Required<Pick<Mailbox, "release">> & Mailbox;
  readonly rows: Required<Mailbox>;
  readonly exit: () => void;
}

/**
 * One random sequence of commands, from readers that live, die and are far away, on files and on Postgres: every outcome
 * is the same, and so is what is left in the end. What differs by intent: a mail that was acknowledged comes again in
 * files when it is sent again, and not here. Gives how many commands were compared.
 */
export async function checkMailSequence(database: Database, project: string, seed: number): Promise<number> {
  const random = createSeededRandom(seed);
  const next = (below: number) => random.below(below);
  const pick = <T>(from: readonly T[]): T => from[next(from.length)] as T;
  const clock = createVirtualClock({ startMs: Date.UTC(2026, 10, 15) });
  const disk = createVirtualDisk({ clock });
  const world = createVirtualProcesses();
  const isNarrow = next(2) === 0;
  const limits = { maxMailBytes: 4000, ...(isNarrow && { maxWaiting: 5 }) };
  let opened = 0;
  let sent = 0;
  let known: Mail[] = [];

  function open(host: string): Reader {
    opened += 1;
    const processes = world.spawn({ host });
    const ids = createVirtualIds(`r${opened}-`);
    const files = createFileMailbox({ disk, clock, ids, processes, root: "/p", limits });
    const rows = createPostgresMailbox({
      ...{ database, project, clock, processes, limits },
      ids: createVirtualIds(`${project}-r${opened}-`),
    });
    return { files, rows, exit: () => processes.exit() };
  }

  const readers = [open("host-1"), open("host-1"), open("host-2")];

  async function compare(
    step: number | string,
    command: (
      mailbox: Required<Pick<Mailbox, "release">> & Mailbox,
      isFiles: boolean,
    ) => Promise<Result<unknown>>,
    { files, rows }: Reader,
  ): Promise<void> {
    const expected = outcomeOf(await command(files, true));
    const got = outcomeOf(await command(rows, false));
    expect(got, `seed ${seed}, step ${step}`).toEqual(expected);
  }

  async function pass(ms: number): Promise<void> {
    await clock.advance(ms);
    await passOnServer(database, project, ms);
    if (ms > mailNumbers.maxAgeMs) known = [];
  }

  async function act(step: number): Promise<void> {
    const at = next(readers.length);
    const reader = readers[at] as Reader;
    const { to, ...scene } = pick(scenes);
    const what = next(20);
    if (what < 8) {
      sent += 1;
      const id = `m${next(90)}-${sent}`;
      const mail = {
        id,
        from: pick(scene.senders),
        to,
        at: new Date(clock.now()).toISOString(),
        body: pick(bodies),
      };
      await compare(step, (mailbox) => mailbox.send(mail), reader);
      known.push(mail);
    } else if (what < 9 && !isNarrow && known.length > 0) {
      const again = pick(known);
      await compare(step, async (mailbox, isFiles) => (isFiles ? judge(again) : mailbox.send(again)), reader);
    } else if (what < 14) {
      const limit = pick(scene.limits);
      await compare(step, (mailbox) => mailbox.take(to, limit), reader);
    } else if (what < 17) {
      const ids = known.filter(() => next(3) === 0).map(({ id }) => id);
      await compare(step, (mailbox) => mailbox.acknowledge(to, [...ids, "never"]), reader);
    } else if (what < 18) {
      await compare(step, (mailbox) => mailbox.release(to), reader);
    } else if (what < 19) {
      reader.exit();
      readers[at] = open(at === 2 ? "host-2" : "host-1");
    } else
      await pass(
        pick([readerPatienceMs + minuteMs, readerPatienceMs + minuteMs, mailNumbers.maxAgeMs + minuteMs]),
      );
  }

  /** What files say to a mail that they have: nothing but that it is too large. */
  function judge(mail: Mail): Promise<Result<void>> {
    return createFileMailbox({
      ...{ disk: createVirtualDisk(), clock, processes: world, root: "/p", limits },
      ids: createVirtualIds("judge"),
    }).send(mail);
  }

  for (let step = 0; step < steps; step += 1) {
    // In files only time puts the mails of one sender in order that two processes have sent.
    await clock.advance(1);
    await act(step);
  }
  for (const { exit } of readers) exit();
  await pass(readerPatienceMs + minuteMs);
  const last = open("host-1");
  for (const { to } of scenes) await compare(`in the end, ${to}`, (mailbox) => mailbox.take(to, 1000), last);
  return steps;
}

/** Numbers are each mailbox's own; that they grow is seen by the order. */
function outcomeOf(result: Result<unknown>): unknown {
  if (!result.ok) return { code: result.error.code, facts: result.error.facts };
  if (!Array.isArray(result.value)) return { value: result.value };
  return { mails: (result.value as Mail[]).map(({ seq: _seq, ...mail }) => mail) };
}
