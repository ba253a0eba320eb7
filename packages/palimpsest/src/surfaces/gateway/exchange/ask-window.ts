import { parseJson } from "../protocol/parse-json.ts";
import type { ClientRequest, Protocol } from "../protocol/protocol.ts";
import { createWholeBody } from "../protocol/whole-body.ts";
import { askUpstream } from "../relay/ask-upstream.ts";
import { forwardHeaders } from "../relay/forward-headers.ts";
import type { Exchange } from "./exchange.ts";

/** A provider that does not say it soon is not waited for. */
const patienceMs = 3_000;
const bodyHeaders = /^(?:content-type|content-encoding|content-length|accept)$/i;

/** Asks the provider how much the model takes, beside the request and with its key; once a model. */
export function askWindow({ parts, request }: Exchange, protocol: Protocol, { model }: ClientRequest): void {
  const { upstreams, agents, windows, token, clock } = parts;
  windows.ask(protocol, model, async (target) => {
    const raw = forwardHeaders(request.rawHeaders, { isRead: true, ...(token !== undefined && { token }) });
    const headers = raw.filter((_, at) => !bodyHeaders.test(raw[at - (at % 2)] ?? ""));
    const ended = new AbortController();
    const tooLate = new AbortController();
    void clock.sleep(patienceMs, ended.signal).then(() => ended.signal.aborted || tooLate.abort());
    try {
      const answer = await askUpstream({
        upstream: upstreams[protocol.name],
        agents,
        method: "GET",
        target,
        headers,
        body: Buffer.alloc(0),
        signal: tooLate.signal,
        idleMs: patienceMs,
      });
      const body = createWholeBody();
      for await (const chunk of answer as AsyncIterable<Buffer>) body.take(chunk);
      return answer.statusCode === 200 ? parseJson(body.text() ?? "") : undefined;
    } finally {
      ended.abort();
    }
  });
}
