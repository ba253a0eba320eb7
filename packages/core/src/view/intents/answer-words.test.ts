import { describe, expect, it } from "vitest";
import { type AnswerMeaning, readAnswerWords } from "./intents.ts";

describe("readAnswerWords", () => {
  it.each<[AnswerMeaning, string]>([
    ["answered", "Done. All tests pass."],
    ["answered", "The function returns 42."],
    ["answered", "I fixed it. Anything else?"],
    ["answered", "What was wrong? A missing await.\n\nI added it, and the tests pass now."],
    ["answered", "Run it like this:\n```sh\ncurl 'http://localhost/?a=1'\n```"],
    ["answered", "I wrote this:\n```js\nconst a = b ? c : d;\n\nwhy(a)?.b();\n```"],
    ["answered", "Here it is, cut short:\n```sh\nls\n\nwhich?"],
    ["answered", "I couldn't find any other use of it, so all is done."],
    ["answered", "The label says “Continue?” now."],
    ["answered", "42"],
    ["asked", "Which branch should I use?"],
    ["asked", "I found two files.\n\nShall I change both? They are not the same."],
    ["asked", "Please tell me which one you prefer."],
    ["asked", "Welchen Zweig soll ich nehmen?"],
    ["asked", "どちらにしますか？"],
    ["could-not", "I couldn't push: the remote refused."],
    ["could-not", "Sorry, I can’t do that without credentials."],
    ["could-not", "I was unable to reproduce it."],
    ["could-not", "The second test is still failing."],
    ["could-not", "The migration is not finished yet."],
    ["unclear", "Alles erledigt."],
    ["unclear", "完成しました。"],
  ])("hears “%s” in “%s”", (meaning, text) => {
    expect(readAnswerWords(text)).toBe(meaning);
  });
});
