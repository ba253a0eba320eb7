import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type {
  BlobStore,
  Clock,
  Entry,
  Ids,
  LogStore,
  LogWriter,
  Processes,
  Result,
} from "../../../packages/core/src/spec/index.ts";
import { createFileStore } from "../../../packages/core/src/stores/files/store.ts";
import type { Database } from "../../../packages/core/src/stores/postgres/database.ts";
import { createVirtualClock, createVirtualIds } from "../../../packages/testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../packages/testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../../packages/testing/src/virtual-processes.ts";
import { seed } from "../seed.ts";
import { virtualHome, virtualProject } from "../virtual-store.ts";
import { type LogCommand, logCommands } from "./log-commands.ts";
import { createPostgresSessions } from "./postgres-sessions.ts";

interface Stores {
  readonly logs: LogStore;
  readonly blobs: BlobStore;
}

type OpenStores = (parts: { clock: Clock; processes: Processes; ids: Ids }) => Stores;

/** One storage with two processes on it that do as they are told. */
interface Side {
  perform(command: LogCommand): Promise<unknown>;
}

function createSide(open: OpenStores): Side {
  const clock = createVirtualClock();
  const root = createVirtualProcesses();
  let births = 0;
  const bear = () => {
    births += 1;
    const processes = root.spawn();
    const stores = open({ clock, processes, ids: createVirtualIds(`p${births}-`) });
    return { ...stores, processes, writers: new Map<string, LogWriter>() };
  };
  const processes = [bear(), bear()];
  /** Where entries stood that were seen, by session. */
  const places = new Map<string, number[]>();

  async function scan(logs: LogStore, command: Extract<LogCommand, { what: "scan" }>) {
    const known = places.get(command.session) ?? [];
    const { limit, behind } = command;
    const seen: unknown[] = [];
    const visit = (entry: Entry, position: number) => {
      if (behind === undefined) known.push(position);
      seen.push({ entry, place: position });
    };
    if (behind === undefined) known.length = 0;
    places.set(command.session, known);
    const from = behind === undefined ? undefined : known[behind];
    return [outcomeOf(await logs.scan(command.session, visit, { from, limit })), seen];
  }

  return {
    async perform(command) {
      const me = processes[command.by] as (typeof processes)[number];
      const { logs, blobs, writers } = me;
      if (command.what === "list") return listed(await logs.list());
      if (command.what === "die") {
        me.processes.exit();
        processes[command.by] = bear();
        return "dead";
      }
      const { session } = command;
      const writer = writers.get(session);
      switch (command.what) {
        case "create":
        case "open": {
          const seen: unknown[] = [];
          const { durability } = command;
          const visit = (entry: Entry, position: number) => seen.push({ entry, place: position });
          const header = {
            kind: "session",
            session: { id: session, project: "same", cwd: "/here" },
          } as const;
          const opened =
            command.what === "create"
              ? await logs.create(header, { durability, afterSeq: command.afterSeq })
              : await logs.open(session, visit, { durability });
          if (!opened.ok) return [outcomeOf(opened), seen];
          writers.set(session, opened.value);
          return [opened.value.epoch, opened.value.report, seen];
        }
        case "append":
          return writer && outcomeOf(await writer.append(command.drafts));
        case "flush":
          return writer && outcomeOf(await writer.flush());
        case "close":
          return writer && outcomeOf(await writer.close());
        case "scan":
          return scan(logs, command);
        case "read":
          return outcomeOf(await logs.read(session, (places.get(session) ?? [])[command.nth] ?? command.nth));
        case "remove":
          return outcomeOf(await logs.remove(session, "no longer wanted"));
        case "put": {
          const put = await blobs.put(session, Buffer.from(command.text));
          const named = put.ok ? await blobs.name(session, put.value.blob, command.name) : put;
          return [outcomeOf(put), named.ok ? "named" : outcomeOf(named)];
        }
        case "get": {
          const sha256 = createHash("sha256").update(command.text).digest("hex");
          const got = await blobs.get(session, sha256);
          return [
            got.ok ? Buffer.from(got.value).toString("hex") : outcomeOf(got),
            outcomeOf(await blobs.list(session)),
          ];
        }
      }
    },
  };
}

function outcomeOf(result: Result<unknown>): unknown {
  return result.ok ? { value: result.value } : { code: result.error.code };
}

/** How much of a file's head and tail a listing looks at: of a longer one it may know less. */
const lookBytes = 64 * 1024;

/** Without times, which are the storage's own. */
function listed(result: Awaited<ReturnType<LogStore["list"]>>): unknown {
  if (!result.ok) return outcomeOf(result);
  const bare = result.value.map(({ modifiedAt: _modifiedAt, ...listing }) => {
    const { session, bytes, createdAt, cwd } = listing;
    return bytes <= lookBytes ? listing : { session, bytes, createdAt, cwd };
  });
  return bare.sort((a, b) => (a.session < b.session ? -1 : 1));
}

const plain = (value: unknown) => JSON.stringify(value ?? null);

/** Ids by the order in which they are seen: one side may draw some that it does not use. */
function createNumbering(): (text: string) => string {
  const seen = new Map<string, string>();
  return (text) =>
    text.replaceAll(/\b[a-z]+_p\d+-\d+/g, (id) => {
      seen.set(id, seen.get(id) ?? `id-${seen.size + 1}`);
      return seen.get(id) as string;
    });
}

/**
 * Does the same at random on files and on Postgres, and throws at the first difference: in an outcome, an entry, its
 * place, a report or a listing. Gives how many commands were compared.
 */
export async function checkLogDifferential(
  database: Database,
  options: { readonly sequences: number; readonly seed?: number },
): Promise<number> {
  const writer = { pid: 1, host: "virtual", version: "0.0.0" };
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(logCommands, async (commands) => {
      const disk = createVirtualDisk();
      const files = createSide((parts) =>
        createFileStore({ home: virtualHome, project: virtualProject, disk, writer, ...parts }),
      );
      const { project } = createPostgresSessions({ database });
      const postgres = createSide((parts) => createPostgresSessions({ database, project, ...parts }));
      const [numberFiles, numberPostgres] = [createNumbering(), createNumbering()];
      for (const [at, command] of commands.entries()) {
        const inFiles = numberFiles(plain(await files.perform(command)));
        const inPostgres = numberPostgres(plain(await postgres.perform(command)));
        if (!isDeepStrictEqual(JSON.parse(inFiles), JSON.parse(inPostgres)))
          throw new Error(
            `Command ${at}, ${plain({ ...command, drafts: undefined })}:\n${inFiles}\n${inPostgres}`,
          );
        compared += 1;
      }
    }),
    { numRuns: options.sequences, seed: options.seed ?? seed },
  );
  return compared;
}
