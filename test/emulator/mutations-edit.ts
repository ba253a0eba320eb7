import type { ContentBlock, ModelRequest, RequestMessage } from "../../packages/core/src/spec/index.ts";

/** A request that breaks one rule. */
export interface Mutation {
  readonly name: string;
  readonly request: ModelRequest;
}

/** One mutation, or none where it does not apply. */
export function named(name: string, request: ModelRequest | false): readonly Mutation[] {
  return request ? [{ name, request }] : [];
}

export function withMessages(request: ModelRequest, messages: readonly RequestMessage[]): ModelRequest {
  return { ...request, messages };
}

/** The request with these blocks in the place of one. */
export function withBlock(
  request: ModelRequest,
  index: number,
  at: number,
  ...blocks: ContentBlock[]
): ModelRequest {
  const message = request.messages[index];
  if (!message) return request;
  const content = message.content.toSpliced(at, 1, ...blocks);
  return withMessages(request, request.messages.with(index, { ...message, content }));
}
