import { expect, it } from "vitest";
import { mergeRules } from "./create-judge.ts";

it("puts rules of both together, the first one's first", () => {
  const one = { allow: ["Read"], deny: ["Bash(rm:*)"] };
  const other = { allow: ["Edit"], ask: ["Bash"] };
  expect(mergeRules(one, other)).toEqual({ allow: ["Read", "Edit"], ask: ["Bash"], deny: ["Bash(rm:*)"] });
});

it("has a list of each kind where there is nothing", () => {
  expect(mergeRules({}, {})).toEqual({ allow: [], ask: [], deny: [] });
});

it("changes neither of them", () => {
  const one = Object.freeze({ allow: Object.freeze(["Read"]) });
  mergeRules(one, one);
  expect(one).toEqual({ allow: ["Read"] });
});
