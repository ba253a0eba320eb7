import { describe, expect, it } from "vitest";
import { callsOffByName, readRequestWords } from "./request-words.ts";

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
    "stopp",
    "Lass es.",
    "ach, lass gut sein",
    "Laisse tomber.",
    "Déjalo.",
    "算了",
    "不用了，谢谢",
    "止めて",
    "もういいです",
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
    "not like that, please",
    "nein, nimm pnpm",
    "Lieber mit SQLite.",
    "Nimm stattdessen SQLite.",
    "Non, utilise pnpm.",
    "Mejor con SQLite.",
    "不对，用 pnpm",
    "いや、pnpm で",
  ])("hears a correction in “%s”", (text) => {
    expect(readRequestWords(text)).toEqual({ meaning: "correction", isBare: false });
  });

  it.each([
    "revert that",
    "Hm no, that breaks the old phones. Take it all back.",
    "Mach das bitte wieder rückgängig.",
    "撤销刚才的修改",
  ])("hears that what was done is taken back in “%s”", (text) => {
    expect(readRequestWords(text)).toEqual({ meaning: "undo", isBare: false });
  });

  it.each([
    "Stop. Our team has that already.",
    "scratch that, we have no time for it",
    "Wait, the client has just called it off. Drop it.",
    "No, don't. They want to keep it.",
    "Stop. Laisse tomber la page, Anne la fait.",
  ])("hears a stop that only says why in “%s”", (text) => {
    expect(readRequestWords(text)).toEqual({ meaning: "stop", isBare: true });
  });

  it.each(["continue", "Go on.", "please continue", "keep going!", "carry on with that"])(
    "hears that “%s” goes on",
    (text) => {
      expect(readRequestWords(text)).toEqual({ meaning: "resume", isBare: true });
    },
  );

  it.each([
    "The tests still fail.",
    "That didn't work.",
    "You forgot the second file",
    "Das geht immer noch nicht.",
    "Ça ne marche toujours pas",
    "Sigue fallando.",
    "还是不行",
    "まだ動かないです",
  ])("hears that what was done does not do in “%s”", (text) => {
    expect(readRequestWords(text)).toEqual({ meaning: "complaint", isBare: false });
  });

  it.each([
    "Thanks!",
    "perfect, thank you",
    "Danke, passt.",
    "Merci beaucoup",
    "Gracias",
    "谢谢",
    "ありがとうございます",
  ])("hears thanks in “%s”", (text) => {
    expect(readRequestWords(text)).toEqual({ meaning: "thanks", isBare: true });
  });

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
    "",
    "…",
  ])("takes “%s” for a request", (text) => {
    expect(readRequestWords(text)).toEqual({ meaning: "request", isBare: false });
  });

  it.each(["/exit", "/superpowers:write-plan", "! git status"])("hears a command in “%s”", (text) => {
    expect(readRequestWords(text)).toEqual({ meaning: "command", isBare: true });
  });
});

describe("a request that is named", () => {
  it.each(["Don't forget the CSV export!", "Vergiss den CSV-Export nicht!", "别忘了 CSV 导出。"])(
    "is not called off by a reminder of it: %s",
    (text) => {
      expect(callsOffByName(text)).toBe(false);
    },
  );
});
