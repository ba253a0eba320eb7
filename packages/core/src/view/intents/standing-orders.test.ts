import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOrders } from "./read-orders.ts";
import { createOrders, noOrders } from "./standing-orders.ts";

/** What is in force after these messages, and what was revoked by which. */
function ordersAfter(...messages: readonly string[]) {
  const orders = createOrders(noOrders);
  for (const [at, text] of messages.entries()) orders.say(`e${at}`, at, text);
  return orders.records.map(({ text, revokedBy }) =>
    revokedBy === undefined ? text : `${text} — ${revokedBy}`,
  );
}

describe("readOrders", () => {
  it.each([
    "Always answer in German, never touch vendor/",
    "From now on use pnpm.",
    "Please don't push to main.",
    "In German, please.",
    "I prefer small commits.",
    "Never commit without asking me.",
    "Run the tests after every change.",
    "No emojis, please.",
    "Ask me before you delete anything.",
    "Keep your answers short.",
    "Antworte immer auf Deutsch.",
    "Ab jetzt bitte nur kleine Commits.",
    "Fass den Ordner vendor nicht an.",
    "Bitte keine neuen Abhängigkeiten.",
    "Réponds toujours en français.",
    "Ne touche jamais au dossier vendor.",
    "À partir de maintenant, utilise pnpm.",
    "Responde siempre en español.",
    "Nunca hagas push a main.",
    "No toques la carpeta vendor.",
    "请始终用中文回答。",
    "不要修改 vendor 目录。",
    "从现在开始使用 pnpm。",
    "必ず日本語で答えてください。",
    "vendor フォルダは触らないでください。",
    "今後は pnpm を使ってください。",
  ])("hears an order in “%s”", (text) => {
    expect(readOrders(text)).toEqual([text]);
  });

  it.each([
    "Fix the parser.",
    "Why does it always fail?",
    "The test never passes on CI.",
    "It crashes every time I click.",
    "never mind",
    "The function is defined here but never called anywhere.",
    "A search for it returns no matches, so it is dead code.",
    "I'd prefer that",
    "There should always be a commit for it.",
    "This causes it to always return 0.",
    "To suppress this warning in future sessions, run:",
    "Can we use `id` instead of `cpID` in session.go",
    "Session A closes without changes (Stop hook fires).",
    "Don't worry about it.",
    "I don't know.",
    "What does `never` mean here?",
    "> Always answer in German.\n\nWho wrote this?",
    "```\nnever touch this\n```\nWhat is that?",
    "Behebe den Fehler in parser.ts.",
    "Warum schlägt der Test immer fehl?",
    "Corrige le test.",
    "Arregla la prueba.",
    "修复这个测试。",
    "テストを直してください。",
    "From now on the API returns 409 for duplicates, adapt the client.",
    "The parser must never return null.",
    "My old boss used to say: always ship on Friday.",
    "2024-05-01 10:00:00 WARN never set this in production",
    "Answer this mail:\n\nFrom: Ann <ann@mail.example>\nTo: Bob\n\nDear Bob,\nplease always put me in copy.",
    "// never call close() twice\nWhat does this comment mean?",
    "Don't touch the tests in this change.",
    "Für diese Änderung darfst du ausnahmsweise nie fragen.",
  ])("hears none in “%s”", (text) => {
    expect(readOrders(text)).toEqual([]);
  });

  it("hears the rules that a sentence announces, so many as it says", () => {
    expect(readOrders("Two rules for this repo. Tabs. Small commits. Now fix the parser.")).toEqual([
      "Tabs.",
      "Small commits.",
    ]);
    expect(readOrders("有两条规矩。缩进用四个空格。改动前先发计划。修复登录页。")).toEqual([
      "缩进用四个空格。",
      "改动前先发计划。",
    ]);
  });

  it("finds the sentence that binds among others, word for word", () => {
    const text = "Fix the parser in `src/a.ts`. Never edit `vendor/`, please. Then run the tests.";
    expect(readOrders(text)).toEqual(["Never edit `vendor/`, please."]);
  });

  it("does not take what is pasted for the user's words", () => {
    const pasted = `Look at this:\n${"the log goes on and on here. ".repeat(300)}\nNever do x.\n${"more of it here. ".repeat(300)}\nWhat is wrong?`;
    expect(readOrders(pasted)).toEqual([]);
  });
});

describe("the ledger of orders", () => {
  const vendor = "Never touch vendor/.";

  it("ends an order by words about just that order", () => {
    expect(ordersAfter(vendor, "You can touch vendor/ again.")).toEqual([`${vendor} — e1`]);
    expect(ordersAfter("Always answer in German.", "From now on answer in English.")).toEqual([
      "Always answer in German. — e1",
      "From now on answer in English.",
    ]);
    expect(ordersAfter("Run the tests after every change.", "No need to run the tests any more.")).toEqual([
      "Run the tests after every change. — e1",
    ]);
    expect(ordersAfter(vendor, "Forget the rule about vendor/.")).toEqual([`${vendor} — e1`]);
    expect(
      ordersAfter("Antworte immer auf Deutsch.", "Du kannst jetzt wieder auf Englisch antworten."),
    ).toEqual(["Antworte immer auf Deutsch. — e1"]);
    expect(ordersAfter("不要修改 vendor 目录。", "现在可以修改 vendor 目录了。")).toEqual([
      "不要修改 vendor 目录。 — e1",
    ]);
  });

  it.each([
    "stop",
    "Never mind.",
    "Forget it.",
    "Cancel that.",
    "You can run the tests now.",
    "Thanks, that is done.",
    "Just this once you may touch vendor/.",
    "Now translate the README to English.",
    "No, use the other file instead.",
    "Continue.",
  ])("does not end one by “%s”", (distraction) => {
    const orders = [vendor, "Always answer in German.", "Run the tests after every change."];
    expect(ordersAfter(...orders, distraction).slice(0, 3)).toEqual(orders);
  });

  it("ends neither of two orders in one sentence by words about one", () => {
    const both = "Always answer in German, never touch vendor/.";
    expect(ordersAfter(both, "You can touch vendor/ now.")).toEqual([both]);
  });

  it("goes on from a snapshot as from the start, and changes no snapshot", () => {
    const words = fc.constantFrom(
      vendor,
      "You can touch vendor/ again.",
      "Fix it.",
      "Always use pnpm.",
      "stop",
      "Forget that rule.",
    );
    fc.assert(
      fc.property(fc.array(words), fc.array(words), (before, after) => {
        const first = createOrders(noOrders);
        for (const [at, text] of before.entries()) first.say(`a${at}`, at, text);
        const snapshot = first.snapshot();
        const copy = structuredClone(snapshot);
        const [again, on] = [createOrders(snapshot), createOrders(structuredClone(snapshot))];
        for (const [at, text] of after.entries()) for (const one of [again, on]) one.say(`b${at}`, at, text);
        expect(again.records).toEqual(on.records);
        expect(snapshot).toEqual(copy);
      }),
    );
  });
});
