import { composeMemory } from "./compose-memory.ts";
import { mergeTexts } from "./merge-texts.ts";
import { parseMemory } from "./parse-memory.ts";

/**
 * Both changes of a memory at once; `undefined` where they meet. `null` stands for "not there". Names, descriptions and
 * types are merged as fields, and the provenance is that of `mine`.
 */
export function mergeMemories(
  path: string,
  base: string | null,
  mine: string | null,
  theirs: string | null,
): string | null | undefined {
  if (mine === base || mine === theirs) return theirs;
  if (theirs === base) return mine;
  if (base === null || mine === null || theirs === null) return undefined;
  const [was, own, other] = [base, mine, theirs].map((text) => {
    const parsed = parseMemory(text, { path, version: 0, at: "", author: "import" });
    return parsed.ok ? parsed.value : null;
  });
  if (!was || !own || !other) return mergeTexts(base, mine, theirs) ?? undefined;
  const name = mergeValues(was.name, own.name, other.name);
  const description = mergeValues(was.description, own.description, other.description);
  const type = mergeValues(was.type, own.type, other.type);
  const body = mergeTexts(was.body, own.body, other.body);
  if (name === undefined || description === undefined || type === undefined || body === null)
    return undefined;
  const plain = mine.replaceAll("\r\n", "\n");
  const matter = plain.slice(0, plain.length - own.body.length);
  const composed = composeMemory(path, matter + body, own, { name, description, type });
  return composed.ok ? composed.value : undefined;
}

function mergeValues<T>(base: T, mine: T, theirs: T): T | undefined {
  if (mine === base || mine === theirs) return theirs;
  return theirs === base ? mine : undefined;
}
