import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { onTestFinished } from "vitest";
import { createRuntime } from "../../../packages/core/src/runtime.ts";
import { openDatabase } from "../../../packages/core/src/stores/postgres/database.ts";
import { must } from "../../../packages/testing/src/conformance/outcomes.ts";
import { type CliEnd, runCli } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { postgresUrl } from "./use-postgres.ts";

/** Stands in the URL of every database here, and must never be seen. */
export const databasePassword = "never-to-be-printed";

/** The URL of a database that nobody else has, dropped when the test is over. */
export async function newDatabaseUrl(): Promise<string> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const { clock } = createRuntime();
  const server = must(await openDatabase({ url: postgresUrl(), clock }));
  must(await server.query(`create database ${name}`));
  onTestFinished(async () => {
    must(await server.query(`drop database ${name} with (force)`));
    await server.close();
  });
  const url = new URL(postgresUrl());
  url.pathname = `/${name}`;
  url.password = databasePassword;
  return url.href;
}

/** One project of a person who keeps it in files, and of one who keeps it in a database. */
export interface BothStores {
  readonly folder: string;
  readonly homes: Readonly<Record<"files" | "postgres", string>>;
  readonly url: string;
  /** The same command on both, without what must differ: addresses, ids and times. */
  run(
    args: readonly string[],
    input?: string,
  ): Promise<{ readonly files: CliEnd; readonly postgres: CliEnd }>;
}

export async function bothStores(environment: Readonly<Record<string, string>> = {}): Promise<BothStores> {
  const folder = await temporaryFolder();
  const homes = { files: await temporaryFolder(), postgres: await temporaryFolder() };
  const url = await newDatabaseUrl();
  const run = async (kind: "files" | "postgres", args: readonly string[], input: string) => {
    const database: Record<string, string> = kind === "postgres" ? { DATABASE_URL: url } : {};
    const end = await runCli(args, {
      home: homes[kind],
      cwd: folder,
      input,
      environment: { ...environment, ...database },
    });
    if (`${end.stdout}${end.stderr}`.includes(databasePassword)) throw new Error("the password was printed");
    return end;
  };
  return {
    folder,
    homes,
    url,
    async run(args, input = "") {
      return { files: await run("files", args, input), postgres: await run("postgres", args, input) };
    },
  };
}

const inFolder = new RegExp(`${tmpdir().replace(/\W/g, "\\$&")}/[^\\s"]+`, "g");

/** A command's end without what differs between two stores, or two runs. */
export function withoutPlaces({ code, stdout, stderr }: CliEnd): CliEnd {
  const plain = (text: string) =>
    text
      .replace(/(ses|msg|ent|note|dream|lease|toolu|req|redaction)_[0-9A-Za-z]{20,}/g, "$1_ID")
      .replace(/\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{3})?)?Z?/g, "TIME")
      .replace(/"(pid|durationMs|bytes)": ?\d+/g, '"$1":N')
      .replace(/cache [\d,]+ read, [\d,]+ written/g, "CACHE")
      .replace(/after \d+ s\b|\d+ (s|seconds) ago|\bnow\b/g, "AGE")
      .replace(/postgres:\/\/[^\s",]+(, (session|project) [^\s"]+)?/g, "ADDRESS")
      .replace(/other (file|place)(s?) of the (data root|database)/g, "PLACE$2")
      .replace(inFolder, "ADDRESS")
      .replace(/looked in:\s+ADDRESS(,\s+project \S+)?/g, "looked in: ADDRESS");
  return { code, stdout: plain(stdout), stderr: plain(stderr) };
}
