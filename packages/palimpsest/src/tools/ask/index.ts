import type { Tool, UserAnswer, UserQuestion } from "@palimpsest/core/spec";

/** Asks the person; where there is nobody, the model is told to decide and to say so. One dialog at a time. */
export function createAskTool(): Tool {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    name: "AskUserQuestion",
    description:
      "Asks the person up to four questions with answers to choose from; they may also answer in their own words. Ask where the answer changes what you do and you cannot find it out yourself.",
    input_schema: {
      type: "object",
      properties: {
        questions: {
          type: "array",
          minItems: 1,
          maxItems: 4,
          items: {
            type: "object",
            properties: {
              question: { type: "string", minLength: 1, description: "The whole question." },
              header: { type: "string", description: "A word or two, for a narrow place." },
              options: {
                type: "array",
                minItems: 2,
                maxItems: 6,
                description: "Answers to choose from; do not add “other”, it is always there.",
                items: {
                  type: "object",
                  properties: {
                    label: { type: "string", minLength: 1, description: "A few words." },
                    description: { type: "string", description: "What it means to choose it." },
                  },
                  required: ["label"],
                },
              },
              multiSelect: { type: "boolean", description: "More than one may be chosen." },
            },
            required: ["question", "options"],
          },
        },
      },
      required: ["questions"],
      additionalProperties: false,
    },
    isReadOnly: true,
    async run(input, { ask, signal }) {
      if (ask === undefined) {
        return {
          content:
            "There is nobody to ask. Decide yourself what fits best, and say in your answer what you decided and why.",
          isError: true,
        };
      }
      const { questions } = input as { readonly questions: readonly UserQuestion[] };
      const asked = turn.then(() => (signal.aborted ? undefined : ask(questions)));
      turn = asked.catch(() => {});
      const answered = await asked;
      if (answered === undefined)
        return { content: "The question was not asked: interrupted.", isError: true };
      if (!answered.ok) {
        return {
          content: `There is no answer: ${answered.error.message} Go on without it, or stop where you cannot.`,
          isError: true,
        };
      }
      return { content: questions.map((question) => toLine(question, answered.value)).join("\n") };
    },
  };
}

function toLine({ question }: UserQuestion, answers: readonly UserAnswer[]): string {
  const given = answers.find((answer) => answer.question === question)?.answers ?? [];
  return `${question}\n→ ${given.length === 0 ? "(no answer)" : given.join("; ")}`;
}
