// A server of made-up sessions for the inspector's page: for its tests and for the pictures in the docs.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { sampleMemories } from "./sample-memories.mjs";

const contentPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:";
const types = { html: "text/html; charset=utf-8", js: "text/javascript", css: "text/css" };
const built = (name) => readFileSync(new URL(`../../packages/palimpsest/dist/page/${name}`, import.meta.url));

/**
 * Serves the built page and `files`, the first of which can be replaced by a longer one; `pages` are served as they are, by path.
 * @param {readonly import("../../packages/palimpsest/src/surfaces/inspector/inspected.ts").InspectedFile[]} files
 * @param {Readonly<Record<string, string>>} [pages]
 */
export async function serveSample(files, pages = {}) {
  const watchers = new Set();
  let held = [...files];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://sample");
    const send = (status, type, body, headers = {}) =>
      response.writeHead(status, { "content-type": type, ...headers }).end(body);
    if (Object.hasOwn(pages, url.pathname)) return send(200, types.html, pages[url.pathname]);
    const [, name = ""] = /^\/(|app\.js|app\.css)$/.exec(url.pathname) ?? [];
    if (url.pathname === "/" || name !== "") {
      const file = name || "index.html";
      return send(200, types[file.split(".")[1]], built(file), { "content-security-policy": contentPolicy });
    }
    if (url.pathname.endsWith("/watch")) {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      watchers.add(response);
      return response.on("close", () => watchers.delete(response));
    }
    const answer = answerOf(held, url);
    if (answer === undefined)
      return send(404, "application/json", '{"message":"There is no such thing.","fix":"Choose another."}');
    return send(200, "application/json", JSON.stringify(answer));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    /** The first session becomes this one, and those who watch are told. */
    grow(file) {
      held = [file, ...held.slice(1)];
      for (const watcher of watchers) watcher.write("data: {}\n\n");
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function answerOf(files, { pathname, searchParams }) {
  const [, id = "", rest = ""] = /^\/api\/sessions\/([^/]+)(?:\/(.+))?$/.exec(pathname) ?? [];
  const file = files.find(({ entry }) => entry.id === decodeURIComponent(id));
  if (pathname === "/api/sessions") return files.map(({ entry }) => entry);
  if (pathname === "/api/policies") return files[0]?.policies ?? [];
  if (pathname === "/api/memories") return sampleMemories.map(({ memory }) => memory);
  if (pathname === "/api/memory")
    return sampleMemories.find(({ memory }) => memory.path === searchParams.get("path"))?.detail;
  if (!file) return undefined;
  if (rest === "what-if") return file.whatIfs.find(({ policy }) => policy === searchParams.get("policy"));
  if (rest === "texts")
    return (searchParams.get("items") ?? "").split(",").map((item) => file.texts[Number(item)]);
  return rest === "" ? restOf(file.session, searchParams) : undefined;
}

/** What comes after what the page has. */
function restOf(session, searchParams) {
  const isSame = searchParams.get("generation") === String(session.generation);
  const at = (name) => (isSame ? Number(searchParams.get(name)) : 0);
  const from = { request: at("request"), item: at("item"), mark: at("mark") };
  const requests = Object.fromEntries(
    Object.entries(session.requests).map(([name, column]) => [name, column.slice(from.request)]),
  );
  return {
    ...session,
    from,
    requests,
    items: session.items.slice(from.item),
    marks: session.marks.slice(from.mark),
  };
}
