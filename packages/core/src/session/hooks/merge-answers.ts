import type { HookAnswer, HookVerdict } from "../../spec/index.ts";

/** One hook's answer, by the name it is known by. */
export interface NamedAnswer {
  readonly hook: string;
  readonly answer: HookAnswer;
  readonly warnings: readonly string[];
}

/**
 * What all hooks said together, in their order. Who denies wins over who asks, who asks over who allows; every reason
 * to block is kept. Of several inputs the first counts, so that a project's hook does not undo what the user's own did.
 */
export function mergeAnswers(heard: readonly NamedAnswer[]): HookVerdict {
  const answers = heard.map(({ answer }) => answer);
  const blocks = heard.flatMap(({ hook, answer: { block } }) =>
    block === undefined ? [] : [said(block, hook)],
  );
  const stopped = heard.find(({ answer }) => answer.stop !== undefined);
  const decided = decisive(answers);
  const inputs = heard.filter(({ answer }) => answer.input !== undefined);
  return {
    ...(blocks.length > 0 && { block: [...new Set(blocks)].join("\n") }),
    ...(stopped && { stop: said(stopped.answer.stop ?? "", stopped.hook) }),
    ...(decided?.permission && { permission: decided.permission }),
    ...(decided?.reason !== undefined && { reason: decided.reason }),
    ...(inputs[0] && { input: inputs[0].answer.input }),
    contexts: answers.flatMap(({ context }) => (context?.trim() ? [context] : [])),
    messages: answers.flatMap(({ message }) => (message?.trim() ? [message] : [])),
    warnings: [
      ...heard.flatMap(({ warnings }) => warnings),
      ...inputs
        .slice(1)
        .map(({ hook }) => `${hook}: another hook has changed the input already; this one's was ignored`),
    ],
  };
}

function said(reason: string, hook: string): string {
  return reason.trim() === "" ? `${hook} gave no reason.` : reason;
}

function decisive(answers: readonly HookAnswer[]): HookAnswer | undefined {
  for (const permission of ["deny", "ask", "allow"]) {
    const found = answers.find((answer) => answer.permission === permission);
    if (found) return found;
  }
  return undefined;
}
