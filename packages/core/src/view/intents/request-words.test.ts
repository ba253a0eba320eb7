import { describe, expect, it } from "vitest";
import { readRequestWords } from "./request-words.ts";

describe("readRequestWords", () => {
  it.each([
    "stop",
    "Stop!",
    "please stop",
    "Stop. STOP.",
    "ok, stop that.",
    "wait, stop",
    "Stop what you're doing",
    "stop working on this please",
    "never mind",
    "Nevermind.",
    "forget it",
    "Cancel that, thanks",
    "cancel my last request",
    "abort",
    "don't bother",
    "I’ve changed my mind.",
    "No, stop.",
    "Let's not do that",
  ])("hears a stop in “%s”", (text) => {
    expect(readRequestWords(text)).toEqual({ meaning: "stop", isBare: true });
  });

  it.each([
    "Stop. Use the other branch.",
    "never mind, write the docs first",
    "Cancel that. Just list the files",
    "forget it: run `npm test`",
  ])("hears a stop and something new in “%s”", (text) => {
    expect(readRequestWords(text)).toEqual({ meaning: "stop", isBare: false });
  });

  it.each([
    "no, use pnpm",
    "No. The other one.",
    "nope – in the tests",
    "no wait, not that file",
    "no I meant the server",
    "That's wrong: it has to be 42",
    "that is not what I asked for",
    "Use pnpm instead.",
    "instead, keep the old name",
    "Actually, let's use sqlite",
    "On second thought keep both",
    "I meant the client",
    "revert that",
    "not like that, please",
  ])("hears a correction in “%s”", (text) => {
    expect(readRequestWords(text)).toEqual({ meaning: "correction", isBare: false });
  });

  it.each(["continue", "Go on.", "please continue", "keep going!", "carry on with that"])(
    "hears that “%s” goes on",
    (text) => {
      expect(readRequestWords(text)).toEqual({ meaning: "resume", isBare: true });
    },
  );

  it.each([
    "don't stop",
    "Do not stop until all tests pass",
    "never stop the server",
    "stop the dev server and start it again",
    "Cancel the order when its payment fails",
    "add a cancel button",
    "abort the upload after 10 seconds",
    "instead of tabs use spaces",
    "Write it in Rust instead of Go, please",
    "no problem, go with the first one",
    "no need to run the tests",
    "No changes to the schema, only to the queries",
    "actually it works now, also add a test",
    "the tests stop after the first failure",
    'rename the button "stop"',
    "“never mind” should be a reply of the bot",
    "> stop\n\nwhy does it say that?",
    "```\nstop\n```\nwhat does this do?",
    "```\nls\n\nstop\n```\nwhat does this do?",
    "<log>\nno, stop\n</log>\nwhat is this?",
    "Fix this:\n```sh\nno, use sudo\n```",
    "skip the slow tests",
    "ignore the warnings in the log",
    "wait for the build",
    "nunca, para",
    "halt mal kurz",
    "nein, nimm pnpm",
    "stopp",
    "止めて",
    "",
    "…",
  ])("takes “%s” for a request", (text) => {
    expect(readRequestWords(text)).toEqual({ meaning: "request", isBare: false });
  });

  it("knows the line that a program writes when the user breaks off", () => {
    for (const text of ["[Request interrupted by user]", "[Request interrupted by user for tool use]"]) {
      expect(readRequestWords(text)).toEqual({ meaning: "interruption", isBare: true });
    }
  });
});
