import {
  type BlobStore,
  type Clock,
  fail,
  type Ids,
  type LearnedStore,
  type LogStore,
  type NotesCopies,
  ok,
  type Processes,
  type ProjectStore,
  type Result,
  type SessionUpkeep,
  type UpkeepOptions,
  type WriterIdentity,
} from "../../spec/index.ts";
import { createLayout } from "../shared/layout.ts";
import { checkLearnedName, maxLearnedBytes } from "../shared/learned-rules.ts";
import { hasLinesToTakeOut, type LogRepair, planRepair, toSurvey, withLostBlobs } from "../shared/upkeep.ts";
import { createPostgresAgentRecords } from "./agent-records.ts";
import { createPostgresArchive } from "./archive/archive.ts";
import { createPostgresBlobStore } from "./blob-store.ts";
import { createPostgresConsolidateLock } from "./consolidate-lock/consolidate-lock.ts";
import type { Database } from "./database.ts";
import { createPostgresFlagStore } from "./flag-store.ts";
import { createPostgresLeaseStore } from "./leases/lease-store.ts";
import { createPostgresLogStore } from "./log/log-store.ts";
import { createPostgresMailbox } from "./mailbox/mailbox.ts";
import { createPostgresRecallIndex } from "./recall-index/recall-index.ts";
import { createPostgresSpendingLedger } from "./spending/spending-ledger.ts";
import { createPostgresSessions } from "./store-sessions.ts";
import { createPostgresTree } from "./trees/file-tree.ts";
import { redactSession } from "./upkeep/redact-session.ts";
import { readRedactions } from "./upkeep/redaction-record.ts";
import { rewriteLog, type UpkeepParts, withHeldLog } from "./upkeep/rewrite-log.ts";
import { surveySecret } from "./upkeep/survey-secret.ts";
import type { ProjectRows } from "./upkeep/tombstone.ts";

export interface PostgresStoreOptions {
  readonly database: Database;
  /** The project's slug. */
  readonly project: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
  /** The writer in every log written here. */
  readonly writer: WriterIdentity;
}

/** The storage ports of one project, in a database whose schema is up to date. Nothing of it is a file. */
export function createPostgresStore(options: PostgresStoreOptions): ProjectStore {
  const leases = createPostgresLeaseStore(options);
  const logs = createPostgresLogStore({ ...options, leases });
  const blobs = createPostgresBlobStore(options);
  return {
    project: options.project,
    leases,
    logs,
    blobs,
    sessions: createPostgresSessions({ ...options, leases }),
    upkeep: createPostgresUpkeep({ ...options, leases, logs, blobs }),
    recallIndex: createPostgresRecallIndex(options),
    agentRecords: createPostgresAgentRecords(options),
    mailbox: createPostgresMailbox(options),
    learned: createPostgresLearnedStore(options),
    spending: createPostgresSpendingLedger(options),
    flags: createPostgresFlagStore(options),
    notesCopies: createPostgresNotesCopies(options),
    archive: createPostgresArchive(options),
    consolidateLock: createPostgresConsolidateLock(options),
    tree: (name) => createPostgresTree({ ...options, tree: name }),
  };
}

interface PostgresUpkeepOptions extends UpkeepParts {
  readonly logs: LogStore;
  readonly blobs: BlobStore;
}

function createPostgresUpkeep(options: PostgresUpkeepOptions): SessionUpkeep {
  return {
    survey: async (session, redaction, signal) =>
      toSurvey(await surveySecret(options, session, redaction, signal)),
    redact: async (session, redaction, request) =>
      toSurvey(await redactSession(options, session, redaction, request)),
    redactions: (session) => readRedactions(options, session),
    async planRepair(session, signal) {
      const report = await options.logs.scan(session, () => undefined, { signal });
      if (!report.ok) return report;
      const plan = planRepair(session, logAddress(options, session), report.value);
      return withLostBlobs(options, plan, { mends: false, signal });
    },
    async repair(session, request) {
      const repaired = await repairSession(options, session, request);
      if (!repaired.ok) return repaired;
      return withLostBlobs(options, repaired.value, { mends: true, signal: request?.signal });
    },
  };
}

/**
 * Makes a log whole again: corrupt lines are taken out, and their bytes are kept aside. Nothing that is in force
 * changes. Running it again finds nothing to do.
 */
export function repairSession(
  parts: UpkeepParts,
  session: string,
  options: UpkeepOptions = {},
): Promise<Result<LogRepair>> {
  const { database } = parts;
  return withHeldLog<LogRepair>(parts, session, options, async ({ report, logId }, lease) => {
    const { entries, salvaged, tornBytes, corruptLines, corruptBytes } = report;
    const { fencedLines, fencedBytes, damages, asides, end } = report;
    const found = {
      session,
      path: logAddress(parts, session),
      ...{ entries, salvaged, tornBytes, corruptLines, corruptBytes, fencedLines, fencedBytes },
      ...{ damages, asides, bytesBefore: end },
    };
    if (!hasLinesToTakeOut(report)) return ok({ ...found, bytesAfter: end, rewritten: false });
    const { signal } = options;
    const bytes = await database.transaction(
      (run) => rewriteLog(run, { ...parts, session, logId, lease, signal }),
      { isRepeatable: true },
    );
    return bytes.ok ? ok({ ...found, bytesAfter: bytes.value, rewritten: true }) : bytes;
  });
}

/** Where a log is, for people to read. */
function logAddress({ database, project }: ProjectRows, session: string): string {
  return `${database.address}#${project}/${session}`;
}

interface PostgresNotesCopies extends NotesCopies {
  /** The text behind the address; `not-found` where the session has no notes. */
  read(session: string): Promise<Result<string>>;
}

interface PostgresNotesCopiesOptions {
  readonly database: Database;
  readonly project: string;
}

/** One row a session, in the table `notes_copy`; its address is `postgres://host/database#project/notes/session`. */
export function createPostgresNotesCopies(options: PostgresNotesCopiesOptions): PostgresNotesCopies {
  const { database, project } = options;
  const { schema } = database;
  const layout = createLayout("", project);
  const addressOf = (session: string) => `${database.address}#${project}/notes/${session}`;
  return {
    async write(session, text) {
      const legal = layout.log(session);
      if (!legal.ok) return legal;
      const written = await database.query(
        `insert into ${schema}.notes_copy (project, session, content) values ($1, $2, $3)
         on conflict (project, session) do update set content = excluded.content, at = now()`,
        [project, session, Buffer.from(text)],
        { isRepeatable: true },
      );
      return written.ok ? ok(addressOf(session)) : written;
    },
    async read(session) {
      const legal = layout.log(session);
      if (!legal.ok) return legal;
      const found = await database.query<{ content: Buffer }>(
        `select content from ${schema}.notes_copy where project = $1 and session = $2`,
        [project, session],
        { isRepeatable: true },
      );
      if (!found.ok) return found;
      const [row] = found.value.rows;
      if (row) return ok(row.content.toString("utf8"));
      return fail("not-found", `${addressOf(session)} does not exist.`, { path: addressOf(session) });
    },
  };
}

/** Learned values are shared by all projects. */
const everyProject = "";

/** One row a name. A write that is sent again counts as made then. */
export function createPostgresLearnedStore({ database }: { readonly database: Database }): LearnedStore {
  const { schema } = database;
  return {
    async read(name) {
      const legal = checkLearnedName(name);
      if (!legal.ok) return legal;
      const found = await database.query<{ value: Buffer }>(
        `select value from ${schema}.learned where project = $1 and name = $2`,
        [everyProject, name],
        { isRepeatable: true },
      );
      if (!found.ok) return found;
      const [row] = found.value.rows;
      if (row === undefined) return ok(undefined);
      try {
        return ok(JSON.parse(row.value.toString("utf8")));
      } catch (cause) {
        const path = `${database.address}#learned/${name}`;
        const message = `${path} is not JSON: the learned values in it are ignored.`;
        return fail("corrupt", message, { path, cause, fix: "Delete the row; it is learned anew." });
      }
    },
    async write(name, value) {
      const legal = checkLearnedName(name);
      if (!legal.ok) return legal;
      const bytes = Buffer.from(JSON.stringify(value));
      if (bytes.length > maxLearnedBytes)
        return fail("too-large", `“${name}” has ${bytes.length} bytes, over ${maxLearnedBytes}.`, {
          path: name,
          fix: "Store fewer learned values.",
          facts: { bytes: bytes.length, maxBytes: maxLearnedBytes },
        });
      const written = await database.query(
        `insert into ${schema}.learned (project, name, value) values ($1, $2, $3)
         on conflict (project, name) do update set value = excluded.value`,
        [everyProject, name, bytes],
        { isRepeatable: true },
      );
      return written.ok ? ok() : written;
    },
  };
}
