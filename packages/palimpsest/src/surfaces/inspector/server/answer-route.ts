import { fail, ok, type Result } from "@palimpsest/core/spec";
import type { InspectedSession } from "../inspected.ts";
import type { MemoryShelf } from "../read/memory-shelf.ts";
import type { OpenedSession, WatchedSource } from "../read/opened-session.ts";
import type { SessionShelf } from "../read/session-shelf.ts";
import { policyAbouts } from "./run-what-if.ts";
import { type Answer, failureAnswer, jsonAnswer, pageFiles, readPageFile } from "./send-answer.ts";
import type { WhatIfs } from "./what-ifs.ts";

/** Everything that answers are made from. */
export interface RouteParts {
  readonly sessions: SessionShelf;
  readonly memories: MemoryShelf;
  readonly whatIfs: WhatIfs;
  readonly pageFolder: string;
}

/** An answer, or a file whose changes are told in a stream. */
export type RouteAnswer = Answer | { readonly watch: WatchedSource };

/** How many texts one question may ask for. */
export const maxTexts = 500;

const pageTypes = {
  html: "text/html; charset=utf-8",
  script: "text/javascript; charset=utf-8",
  style: "text/css; charset=utf-8",
} as const;

/** Answers an admitted request: the segments behind the token, and the query. */
export async function answerRoute(
  segments: readonly string[],
  query: URLSearchParams,
  parts: RouteParts,
): Promise<RouteAnswer> {
  const [first = "", second = "", ...rest] = segments;
  if (segments.length <= 1) return answerPage(first, parts.pageFolder);
  if (first !== "api") return failureAnswer(noAddress().error);
  if (second === "sessions" && rest.length > 0) return answerSession(rest, query, parts);
  if (rest.length > 0) return failureAnswer(noAddress().error);
  if (second === "sessions") return toAnswer(await parts.sessions.list());
  if (second === "policies") return jsonAnswer(policyAbouts());
  if (second === "memories") return toAnswer(await parts.memories.list());
  if (second === "memory") return toAnswer(await parts.memories.read(query.get("path") ?? ""));
  return failureAnswer(noAddress().error);
}

async function answerPage(name: string, folder: string): Promise<Answer> {
  const kinds = Object.keys(pageFiles) as (keyof typeof pageFiles)[];
  const kind = name === "" ? "html" : kinds.find((one) => one !== "html" && pageFiles[one] === name);
  if (kind === undefined) return failureAnswer(noAddress().error);
  const text = await readPageFile(folder, kind);
  if (!text.ok) return { ...failureAnswer(text.error), status: 500 };
  return { status: 200, type: pageTypes[kind], body: text.value };
}

async function answerSession(
  [id = "", what, ...more]: readonly string[],
  query: URLSearchParams,
  { sessions, whatIfs }: RouteParts,
): Promise<RouteAnswer> {
  const isKnown = what === undefined || ["texts", "what-if", "watch"].includes(what);
  if (more.length > 0 || !isKnown) return failureAnswer(noAddress().error);
  const opened = await sessions.open(id);
  if (!opened.ok) return failureAnswer(opened.error);
  const session = opened.value;
  if (what === "watch") return { watch: session.watched };
  if (what === "texts") return toAnswer(await textsOf(session, query));
  if (what === "what-if") return toAnswer(await whatIfs.ask(id, session, query.get("policy") ?? ""));
  return toAnswer(sinceOf(session, query));
}

function sinceOf(session: OpenedSession, query: URLSearchParams): Result<InspectedSession> {
  const request = readCount(query, "request");
  const item = readCount(query, "item");
  const mark = readCount(query, "mark");
  const generation = readCount(query, "generation");
  for (const one of [request, item, mark, generation]) if (!one.ok) return one;
  if (!request.ok || !item.ok || !mark.ok || !generation.ok) return noAddress();
  const from = { request: request.value, item: item.value, mark: mark.value };
  return ok(session.since(from, generation.value));
}

async function textsOf(session: OpenedSession, query: URLSearchParams) {
  const given = query.get("items") ?? "";
  const numbers = given === "" ? [] : given.split(",");
  if (numbers.length > maxTexts || !numbers.every((number) => /^\d{1,9}$/.test(number)))
    return fail("invalid-input", `“items” is not a list of at most ${maxTexts} numbers.`, {
      path: "items",
      fix: "Give numbers of items, separated by commas.",
    });
  return session.texts(numbers.map(Number));
}

function readCount(query: URLSearchParams, name: string): Result<number> {
  const given = query.get(name);
  if (given === null || given === "") return ok(0);
  if (/^\d{1,12}$/.test(given)) return ok(Number(given));
  return fail("invalid-input", `“${name}” is not a whole number.`, {
    path: name,
    fix: "Give a number from 0 on.",
  });
}

function toAnswer(result: Result<unknown>): Answer {
  return result.ok ? jsonAnswer(result.value) : failureAnswer(result.error);
}

function noAddress() {
  return fail("not-found", "There is nothing at this address.", {
    fix: "Open the address that the command has printed.",
  });
}
