import type { RecordedRequest } from "./recorded-request.ts";

/** The newest requests, in the order of arrival. */
export interface RecordedRequests extends Iterable<RecordedRequest> {
  /** Every request there ever was, also those no longer kept. */
  readonly total: number;
  readonly last: RecordedRequest | undefined;
  /** Undefined when there was none with that number, or it is no longer kept. */
  get(number: number): RecordedRequest | undefined;
  where(predicate: (request: RecordedRequest) => boolean): readonly RecordedRequest[];
}

export interface RequestLogOptions {
  /** How many requests are remembered. */
  readonly keepRequests: number;
  /** How many of them with body and answer. */
  readonly keepBodies: number;
  /** How many bytes of bodies at most, as sent; the newest body is kept whatever its size. */
  readonly keepBodyBytes: number;
}

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

/** A request while it is being answered. */
export type OpenRequest = Writable<RecordedRequest>;

export interface RequestLog {
  readonly requests: RecordedRequests;
  add(request: OpenRequest): void;
  /** The request has ended: from now on its body may go. */
  close(request: OpenRequest): void;
  /** Forgets everything and counts from 1 again. */
  clear(): void;
}

/** Remembers requests in bounded memory: the oldest lose their body first, then go. Open ones keep theirs. */
export function createRequestLog({ keepRequests, keepBodies, keepBodyBytes }: RequestLogOptions): RequestLog {
  const kept = new Map<number, OpenRequest>();
  const withBody = new Set<OpenRequest>();
  let bodyBytes = 0;
  let last: OpenRequest | undefined;

  function forgetBody(request: OpenRequest): void {
    if (!withBody.delete(request)) return;
    bodyBytes -= request.bodyBytes;
    delete request.body;
    delete request.whole;
    delete request.content;
  }

  return {
    requests: {
      get total() {
        return last?.number ?? 0;
      },
      get last() {
        return last;
      },
      get: (number) => kept.get(number),
      where: (predicate) => [...kept.values()].filter(predicate),
      [Symbol.iterator]: () => kept.values(),
    },
    add(request) {
      last = request;
      kept.set(request.number, request);
      for (const [number, oldest] of kept) {
        if (kept.size <= keepRequests) break;
        kept.delete(number);
        forgetBody(oldest);
      }
    },
    close(request) {
      withBody.add(request);
      bodyBytes += request.bodyBytes;
      if (keepBodies === 0 || kept.get(request.number) !== request) forgetBody(request);
      for (const oldest of withBody) {
        if (oldest === request || (withBody.size <= keepBodies && bodyBytes <= keepBodyBytes)) break;
        forgetBody(oldest);
      }
    },
    clear() {
      kept.clear();
      withBody.clear();
      bodyBytes = 0;
      last = undefined;
    },
  };
}
