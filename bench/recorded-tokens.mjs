// What the recorded harness put behind its boundaries, in tokens.
import { estimateContent, padEstimate } from "../packages/core/build/view/tokens/index.js";

/**
 * For each boundary of each session: the summary's tokens, padded as the engine pads what no usage covers, and those of
 * the summary and all that was brought back with it. What was brought back is not in the transcripts, but the usage of
 * the first request behind the boundary counts it: it is that prompt less the messages behind the boundary and less
 * system and tools, which are the session's first prompt less its messages. Where that is more than could be, since a
 * file begins in the middle of a session, it is the most that any other session has, so that ours is given less.
 */
export function recordedTokens(sessions) {
  const compacted = sessions.filter(({ requests }) => requests.some(({ segment }) => segment > 0));
  const heads = new Map(compacted.map((session) => [session, headOf(session)]));
  const most = Math.max(...[...heads.values()].filter((head) => head !== undefined));
  return (session, segment) => {
    const first = firstBehind(session, segment);
    const at = first.before.findLastIndex(({ kind }) => kind === "boundary");
    const summaryTokens = summaryTokensOf(first);
    const later = messageTokens(first.before.slice(at + 1));
    const head = heads.get(session);
    const totalTokens = Math.max(summaryTokens, promptOf(first) - later - (head ?? most));
    return { summaryTokens, totalTokens, isHeadKnown: head !== undefined };
  };
}

function headOf(session) {
  const [first] = session.requests;
  const head = promptOf(first) - messageTokens(first.before);
  const behind = session.requests.filter(
    ({ before, segment }) => segment > 0 && before.some(({ kind }) => kind === "boundary"),
  );
  const isPossible = behind.every((request) => head <= promptOf(request) - summaryTokensOf(request));
  return isPossible && head > 0 ? head : undefined;
}

const firstBehind = ({ requests }, segment) => requests.find((request) => request.segment === segment);

function promptOf({ usage }) {
  return usage ? usage.input + usage.cacheRead + usage.cacheCreation : 0;
}

function messageTokens(steps) {
  return steps.reduce((sum, { content = "" }) => sum + padEstimate(estimateContent(content)), 0);
}

function summaryTokensOf({ before }) {
  const { decision } = before.findLast(({ kind }) => kind === "boundary");
  return padEstimate(estimateContent(decision.summary?.content ?? ""));
}
