import { fail, ok, type Recalled, type RecallHit, type Result, type Session } from "../../spec/index.ts";
import { markRecalled } from "../../view/trust/index.ts";

/** How many hits a page has when the caller does not say. */
const pageHits = 10;

/** A page of what holds the words: memories first, then this session, then earlier ones. */
export async function findHits(
  session: Pick<Session, "search"> & { readonly id?: string },
  query: string,
  { offset = 0, limit = pageHits }: { readonly offset?: number; readonly limit?: number },
  search: RecallPorts["search"],
): Promise<Result<string>> {
  if (!Number.isSafeInteger(offset) || offset < 0 || !Number.isSafeInteger(limit) || limit < 1)
    return fail("invalid-input", `offset ${offset} and limit ${limit} do not name a page.`, {
      fix: "Give whole numbers of hits, a limit over 0.",
    });
  const needed = offset + limit + 1;
  const own = await session.search(query, { limit: needed });
  const except = session.id === undefined ? {} : { exceptSession: session.id };
  const found = search ? await search(query, { limit: needed, ...except }) : ok([]);
  if (!found.ok) return found;
  const memories = found.value.filter(({ kind }) => kind === "memory");
  const earlier = found.value.filter(({ kind }) => kind !== "memory");
  const all = [...memories.map(keptLine), ...own.map(ownLine), ...earlier.map(keptLine)];
  if (all.length === 0) return ok(`Nothing${search ? "" : " in this session"} holds the words “${query}”.`);
  const lines = all.slice(offset, offset + limit);
  const next = offset + lines.length;
  const more = next < all.length ? `\n[Hits ${offset} to ${next}. Go on with offset ${next}.]` : "";
  return ok(`${markRecalled(lines.join("\n"), `query ${query}`)}${more}`);
}

function ownLine({ entry, at, snippet, toolUseIds }: Awaited<ReturnType<Session["search"]>>[number]): string {
  return `- ${at} · recall ${toolUseIds ? toolUseIds.join(", ") : entry}\n  ${snippet}`;
}

function keptLine({ kind, id, session, at, snippet }: RecallHit): string {
  const name = session === undefined ? id : `${session}:${id}`;
  return `- ${at} · ${kind === "message" ? "earlier message" : kind} · recall ${name}\n  ${snippet}`;
}

/** The sources besides the session itself; absent: it is all that is looked through. */
export interface RecallPorts {
  /** Searches memories, notes and messages of other sessions than this one. */
  readonly search?: (
    query: string,
    options: { readonly limit: number; readonly exceptSession?: string },
  ) => Promise<Result<readonly RecallHit[]>>;
  /** A page of what a search has named; `undefined`: the id is none of those. */
  readonly read?: (
    id: string,
    page: { readonly offset?: number; readonly limit?: number },
  ) => Promise<Result<KeptPage | undefined>>;
}

interface KeptPage extends Omit<Recalled, "kind"> {
  readonly kind: string;
}
