import { fail, ok, type Result } from "../spec/index.ts";

/** The store that a person chose. */
export type StoreChoice = { readonly kind: "files" } | { readonly kind: "postgres"; readonly url: string };

export interface StoreInput {
  /** The program's database, and nothing but a URL. */
  readonly databaseUrl?: string;
  /** The store asked for by hand: `files`, or the URL of a database. */
  readonly store?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const fix = "Use “files”, or postgres://user@host/database.";

/** What a program names or was asked for by hand wins over `DATABASE_URL`, which wins over files. Pure. */
export function decideStore({ databaseUrl, store, environment }: StoreInput): Result<StoreChoice> {
  if (databaseUrl !== undefined) return fromUrl(databaseUrl, "databaseUrl");
  if (store !== undefined) return store === "files" ? ok({ kind: "files" }) : fromUrl(store, "--store");
  const { DATABASE_URL: url } = environment;
  return url === undefined || url === "" ? ok({ kind: "files" }) : fromUrl(url, "DATABASE_URL");
}

function fromUrl(text: string, name: string): Result<StoreChoice> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null)
    return fail("invalid-input", `${name} is not the URL of a database.`, { path: name, fix });
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:")
    return fail("invalid-input", `${name} names a kind of store that there is not: ${url.protocol}//…`, {
      path: name,
      fix,
    });
  return ok({ kind: "postgres", url: text });
}

/** A database's URL for a person: without its password, and without its parameters, which may hold one. */
export function maskUrl(text: string): string {
  if (!URL.canParse(text)) return "(no URL)";
  const { protocol, username, password, host, pathname } = new URL(text);
  const user = username === "" ? "" : `${username}${password === "" ? "" : ":***"}@`;
  return `${protocol}//${user}${host}${pathname}`;
}
