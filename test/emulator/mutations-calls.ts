import { type ContentBlock, isBlock, type ModelRequest } from "../../packages/core/src/spec/index.ts";
import { result, text } from "./mutations-bases.ts";
import { type Mutation, named, withBlock, withMessages } from "./mutations-edit.ts";

/** A call, and where it and its result stand. */
interface Pair {
  readonly id: string;
  readonly message: number;
  readonly at: number;
  readonly resultAt: number;
}

/** Every way in which calls and results are made to disagree, or to have names the API does not take. */
export function mutationsOfCalls(request: ModelRequest): readonly Mutation[] {
  const pairs = pairsOf(request);
  return [
    ...pairs.flatMap((pair) => mutationsOfPair(request, pair)),
    ...pairs.flatMap((pair) =>
      pairs
        .filter(({ message }) => message > pair.message)
        .flatMap((later) =>
          named(`calls ${pair.id} twice, for ${later.id}`, renamed(request, later, pair.id)),
        ),
    ),
    ...request.messages.flatMap(({ role, content }, index) => [
      ...named(
        `answers a call that is not there in message ${index}`,
        role === "user" &&
          withMessages(
            request,
            request.messages.with(index, { role, content: [result("toolu_nobody"), ...content] }),
          ),
      ),
      ...named(
        `begins with the results in message ${index}`,
        content.some((block) => isBlock(block, "tool_result")) &&
          withMessages(request, request.messages.slice(index)),
      ),
      ...named(
        `ends with the calls in message ${index}`,
        content.some((block) => isBlock(block, "tool_use")) &&
          withMessages(request, request.messages.slice(0, index + 1)),
      ),
    ]),
  ];
}

function pairsOf({ messages }: ModelRequest): readonly Pair[] {
  return messages.flatMap(({ content }, message) =>
    content.flatMap((block, at) => {
      if (!isBlock(block, "tool_use")) return [];
      const answers = messages[message + 1]?.content ?? [];
      const resultAt = answers.findIndex(
        (other) => isBlock(other, "tool_result") && other.tool_use_id === block.id,
      );
      return { id: block.id, message, at, resultAt };
    }),
  );
}

const illegalIds = ["", "two words", "dots.in.it", "é", "toolu:1"];
const illegalNames = ["", "two words", "mcp.server.tool", "é", "x".repeat(129)];

function mutationsOfPair(request: ModelRequest, pair: Pair): readonly Mutation[] {
  const { id, message, at, resultAt } = pair;
  const answers = request.messages[message + 1]?.content ?? [];
  const answer = answers[resultAt] as ContentBlock;
  const asked = request.messages[message]?.content[at] as ContentBlock;
  const put = (...blocks: ContentBlock[]) => withBlock(request, message + 1, resultAt, ...blocks);
  const moved = withBlock(put(text("Nothing.")), message + 1, answers.length, answer);
  return [
    ...named(`does not answer ${id}`, put(...(answers.length > 1 ? [] : [text("Never mind.")]))),
    ...named(`answers ${id} twice`, put(answer, answer)),
    ...named(`has words before the answer to ${id}`, put(text("Here it is:"), answer)),
    ...named(`answers ${id} last, behind words`, moved),
    ...named(`answers ${id} under another name`, put({ ...answer, tool_use_id: "toolu_other" })),
    ...illegalIds.flatMap((illegal) =>
      named(`calls ${id} ${JSON.stringify(illegal)}`, renamed(request, pair, illegal)),
    ),
    ...illegalNames.flatMap((name) =>
      named(
        `calls the tool of ${id} ${JSON.stringify(name)}`,
        withBlock(request, message, at, { ...asked, name }),
      ),
    ),
  ];
}

/** The pair under another id, call and result alike. */
function renamed(request: ModelRequest, { message, at, resultAt }: Pair, id: string): ModelRequest {
  const asked = request.messages[message]?.content[at] as ContentBlock;
  const answer = request.messages[message + 1]?.content[resultAt] as ContentBlock;
  const half = withBlock(request, message, at, { ...asked, id });
  return withBlock(half, message + 1, resultAt, { ...answer, tool_use_id: id });
}
