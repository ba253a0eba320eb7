import fc from "fast-check";
import type { Message } from "../../packages/core/src/spec/index.ts";
import { answered, called, failed, said } from "./ledger-entries.ts";

const path = fc.constantFrom("/a", "/b", "/c");
const toolInput = fc.oneof(
  fc.record({
    name: fc.constantFrom("Read", "read"),
    input: fc.record(
      { file_path: path, offset: fc.nat(9), limit: fc.nat(9) },
      { requiredKeys: ["file_path"] },
    ),
  }),
  fc.record({ name: fc.constantFrom("Write", "Edit", "MultiEdit"), input: fc.record({ file_path: path }) }),
  fc.record({
    name: fc.constant("Bash"),
    input: fc.record({ command: fc.constantFrom("ls", "make", "test") }),
  }),
  fc.record({
    name: fc.constant("TodoWrite"),
    input: fc.record({ todos: fc.array(fc.record({ content: path }), { maxLength: 2 }) }),
  }),
  fc.record({ name: fc.constant("ExitPlanMode"), input: fc.record({ plan: path }) }),
  fc.record({ name: fc.constant("Grep"), input: fc.record({ pattern: path }) }),
);

/** Few ids, so that results meet calls, come twice, or come to a call that has an id again. */
const id = fc.constantFrom("t1", "t2", "t3", "t4", "t5");
const text = fc.constantFrom("alpha", "beta", " ", "<local-command-stdout>x</local-command-stdout>");

/** One message as ledgers may meet it, in any order. */
export const ledgerMessage: fc.Arbitrary<Message> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.tuple(text, fc.boolean()).map(([words, isMeta]) => said(words, isMeta ? { isMeta } : {})),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(id, toolInput, fc.nat(9))
      .map(([use, { name, input }, chance]) =>
        called(use, name, input, chance === 0 ? { isAborted: true } : {}),
      ),
  },
  { weight: 4, arbitrary: fc.tuple(id, text).map(([use, result]) => answered(use, result)) },
  { weight: 2, arbitrary: fc.tuple(id, text).map(([use, result]) => failed(use, result)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("plan", "file"), text)
      .map(([subtype, content]): Message => ({ type: "attachment", subtype, content })),
  },
);
