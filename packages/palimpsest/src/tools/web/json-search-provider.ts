import { isRecord } from "@palimpsest/core/internal";
import { fail, ok, PalimpsestError, type Result } from "@palimpsest/core/spec";
import type { WebSearchHit, WebSearchProvider } from "./web-search-tool.ts";

export interface JsonSearchOptions {
  readonly name: string;
  /** With `{query}`, and `{limit}` and `{key}` where wanted: `https://search.example.org/search?q={query}&format=json`. */
  readonly url: string;
  /** Values may have `{key}`: `{ authorization: "Bearer {key}" }`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** From the environment; never shown. */
  readonly key?: string;
  /** Where the answer has what; as SearXNG gives it where absent. `results` may be a way: `web.results`. */
  readonly fields?: {
    readonly results?: string;
    readonly title?: string;
    readonly url?: string;
    readonly snippet?: string;
  };
  readonly fetch: typeof globalThis.fetch;
}

const maxAnswerBytes = 2_000_000;

/** Any search that answers a GET with JSON. Redirects are not followed: the key is for this host. */
export function createJsonSearchProvider(options: JsonSearchOptions): WebSearchProvider {
  checkOptions(options);
  const { name, fetch, key = "", headers = {} } = options;
  return {
    name,
    async search(query, { allowedDomains, limit }, signal) {
      const sites = allowedDomains.map((domain) => `site:${domain}`).join(" OR ");
      const values: Readonly<Record<string, string>> = {
        query: [query, sites].filter(Boolean).join(" "),
        limit: String(limit),
        key,
      };
      const fill = (text: string, encode: (value: string) => string) =>
        text.replace(/\{(query|limit|key)\}/g, (_, field: string) => encode(values[field] ?? ""));
      try {
        const response = await fetch(fill(options.url, encodeURIComponent), {
          headers: { accept: "application/json", ...mapValues(headers, (value) => fill(value, String)) },
          redirect: "error",
          signal,
        });
        if (!response.ok) return refusalOf(name, response);
        const answer = await readBounded(response);
        return answer === undefined
          ? fail("too-large", `The answer of ${name} is too large.`)
          : readHits(answer, options);
      } catch (cause) {
        if (signal.aborted) return fail("aborted", "The search was interrupted.");
        return fail("disconnected", `${name} could not be reached.`, {
          fix: "Check its URL in the settings, or try again later.",
          retryable: true,
          cause,
        });
      }
    },
  };
}

function checkOptions({ name, url, key, headers = {} }: JsonSearchOptions): void {
  const wrong = (message: string, fix: string) =>
    new PalimpsestError("invalid-input", `${name}: ${message}`, { fix });
  if (!url.includes("{query}"))
    throw wrong("the search URL has no {query}.", "Put {query} where the words belong.");
  if (!/^https?:\/\/[^{}]+\//.test(url))
    throw wrong("the search URL is not a whole http(s) URL.", "Write it with https:// and a path.");
  const wantsKey = [url, ...Object.values(headers)].some((text) => text.includes("{key}"));
  if (wantsKey && !key)
    throw wrong("a key is asked for and none is there.", "Set the environment variable that holds it.");
}

async function refusalOf(name: string, response: Response): Promise<Result<never>> {
  await response.body?.cancel();
  const isKey = response.status === 401 || response.status === 403;
  return fail(
    isKey ? "unauthenticated" : response.status === 429 ? "rate-limited" : "server-error",
    `${name} answered with status ${response.status}.`,
    {
      fix: isKey ? "Check its key." : "Try again later.",
    },
  );
}

async function readBounded(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > maxAnswerBytes) return undefined;
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

function readHits(answer: string, { name, fields = {} }: JsonSearchOptions): Result<readonly WebSearchHit[]> {
  const { results = "results", title = "title", url = "url", snippet = "content" } = fields;
  let value: unknown;
  try {
    value = JSON.parse(answer);
  } catch (cause) {
    return fail("malformed-response", `The answer of ${name} is not JSON.`, {
      fix: "Check that its URL asks for JSON.",
      cause,
    });
  }
  for (const part of results.split("."))
    value = isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  if (!Array.isArray(value))
    return fail("malformed-response", `The answer of ${name} has no list of results.`, {
      fix: "Check the names of its fields in the settings.",
    });
  const textIn = (hit: Readonly<Record<string, unknown>>, field: string) =>
    typeof hit[field] === "string" ? hit[field] : "";
  return ok(
    value
      .filter(isRecord)
      .map((hit) => ({ title: textIn(hit, title), url: textIn(hit, url), snippet: textIn(hit, snippet) })),
  );
}

function mapValues(
  record: Readonly<Record<string, string>>,
  map: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)] as const));
}
