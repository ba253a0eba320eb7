import { type ClientRequest, createWholeBody, type Protocol } from "../protocol/protocol.ts";
import { readAnswer, type UpstreamAnswer } from "../relay/upstreams.ts";
import type { Claim } from "../session/conversations.ts";
import { type Choice, codeOf, prepareChoice, sendChoice } from "./choose-request.ts";
import type { Exchange } from "./exchange.ts";

export interface RecoveryInput {
  readonly exchange: Exchange;
  readonly protocol: Protocol;
  readonly client: ClientRequest;
  readonly choice: Choice;
  readonly claim?: Claim;
  readonly answer: UpstreamAnswer;
}

export interface RecoveredAnswer {
  readonly choice: Choice;
  readonly answer: UpstreamAnswer;
}

const tooLarge = 413;
const refused: ReadonlySet<number | undefined> = new Set([400, tooLarge, 422]);
/** Where a prompt was too long although it should have fitted, its count was too low by a little. */
const safetyPart = 0.9;

/** The provider took the request for a wrong one. */
export function isRefused({ statusCode }: UpstreamAnswer): boolean {
  return refused.has(statusCode);
}

/**
 * A refusal that the gateway can do something about never reaches the client: a prompt that is too long is compacted
 * and sent once more, what the session can mend of a request that went out before it was looked at goes out mended, and
 * what the provider does not take of ours is sent as the client wrote it.
 */
export async function recoverAnswer(input: RecoveryInput): Promise<RecoveredAnswer> {
  const { exchange, protocol, choice, claim, answer } = input;
  if (!isRefused(answer) || !claim || choice.sent === "observed") return { choice, answer };
  const body = createWholeBody();
  for await (const chunk of answer) body.take(chunk);
  const text = body.text() ?? "";
  const kept = { choice, answer: readAnswer(answer, Buffer.from(text)) };
  const { catalog } = exchange.parts;
  const overflow = catalog.isOverflow({ status: answer.statusCode, ...protocol.readError(text) });
  const isTooLarge = answer.statusCode === tooLarge && overflow.overflow && !overflow.limitTokens;
  const shrunk = isTooLarge ? await shrinkAndSend(input, claim) : null;
  if (shrunk) return shrunk;
  if (overflow.overflow) return (await compactAndSend(input, claim, overflow.limitTokens)) ?? kept;
  const isUnprepared = choice.sent === "raw" && choice.layers === undefined;
  if (isUnprepared) return (await prepareAndSend(input, claim)) ?? kept;
  if (choice.sent !== "rewritten") return kept;
  exchange.parts.emit({
    type: "gateway-failure",
    code: "rewritten-refused",
    step: "send",
    session: claim.id,
  });
  return { choice: { sent: "raw" }, answer: await sendChoice(exchange, { sent: "raw" }) };
}

/** The client's own refusal stands where the session would send the same, or where that is refused too. */
async function prepareAndSend(
  { exchange, protocol, client }: RecoveryInput,
  claim: Claim,
): Promise<RecoveredAnswer | null> {
  try {
    const choice = await prepareChoice(claim, protocol, client);
    if (choice.sent !== "rewritten") return null;
    const answer = await sendChoice(exchange, choice);
    if (!isRefused(answer)) return { choice, answer };
    answer.destroy();
    return null;
  } catch (cause) {
    exchange.parts.emit({ type: "gateway-failure", code: codeOf(cause), step: "recover", session: claim.id });
    return null;
  }
}

/**
 * A request with too many bytes goes out with half of its images and documents, until it is taken or has none of them;
 * `null` where it had none.
 */
async function shrinkAndSend(
  { exchange, protocol, client }: RecoveryInput,
  claim: Claim,
): Promise<RecoveredAnswer | null> {
  let last: RecoveredAnswer | null = null;
  try {
    for (;;) {
      const choice = await prepareChoice(claim, protocol, client, { refused: "request_too_large" });
      if (choice.sent !== "rewritten" || choice.repairs === 0) return last;
      last?.answer.destroy();
      const answer = await sendChoice(exchange, choice);
      last = { choice, answer };
      if (answer.statusCode !== tooLarge) return last;
    }
  } catch (cause) {
    exchange.parts.emit({ type: "gateway-failure", code: codeOf(cause), step: "recover", session: claim.id });
    return last;
  }
}

async function compactAndSend(
  { exchange, protocol, client }: RecoveryInput,
  claim: Claim,
  limitTokens: number | undefined,
): Promise<RecoveredAnswer | null> {
  const { parts } = exchange;
  try {
    const conversation = await claim.conversation();
    const { head, levels } = conversation;
    const limit = limitTokens ?? levels.window;
    const window = limit < levels.window ? limit : Math.floor(limit * safetyPart);
    parts.windows.set(protocol, client.model, window);
    await conversation.refit({ ...head, window });
    const choice = await prepareChoice(claim, protocol, client);
    if (choice.sent !== "rewritten") return null;
    return { choice, answer: await sendChoice(exchange, choice) };
  } catch (cause) {
    parts.emit({ type: "gateway-failure", code: codeOf(cause), step: "recover", session: claim.id });
    return null;
  }
}
