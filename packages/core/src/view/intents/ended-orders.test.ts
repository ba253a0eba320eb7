import { describe, expect, it } from "vitest";
import { createOrders } from "./standing-orders.ts";

/** What is in force after these messages, and what was revoked by which. */
function ordersAfter(...messages: readonly string[]) {
  const orders = createOrders();
  for (const [at, text] of messages.entries()) orders.say(`e${at}`, at, text);
  return orders.records.map(({ text, revokedBy }) =>
    revokedBy === undefined ? text : `${text} — ${revokedBy}`,
  );
}

describe("the end of an order", () => {
  it("comes with a narrower one in its place", () => {
    const columns = "House rule: all new models get a `_loaded_at` column.";
    const narrower = "the _loaded_at thing is pointless on views tho. tables only";
    expect(ordersAfter(columns, narrower)).toEqual([`${columns} — e1`, narrower]);
    expect(ordersAfter(columns, "the _loaded_at thing is pointless on views tho.")).toEqual([columns]);
  });

  it("leaves what the words except", () => {
    const ask = "Ask me before you change anything in the CSS or the schema.";
    const except = "For css you don't need to ask any more, just the schema";
    expect(ordersAfter(ask, except)).toEqual([`${ask} — e1`, except]);
  });

  it.each([
    ["Answers short please.", "You can write normal length answers again."],
    ["Halte deine Antworten kurz.", "Du kannst jetzt wieder ausführlich antworten."],
    ["回答尽量简短。", "现在回答可以恢复正常长度了。"],
  ])("comes with leave to write at length: “%s”, “%s”", (short, long) => {
    const others = ["Always answer in German.", "Never push without asking."];
    expect(ordersAfter(short, ...others, long).slice(0, 3)).toEqual([`${short} — e3`, ...others]);
  });

  it("does not come where something else was meant", () => {
    const texts = "De ahora en adelante los textos van en strings.xml";
    const words = "olvida lo que te dije antes del texto... lo del botón, digo, que era mejor como estaba";
    expect(ordersAfter(texts, words)).toEqual([texts]);
  });

  it("comes by a name in another script, and its leave is no order", () => {
    const proto = "不要动 proto 目录，那是别的组的。";
    expect(ordersAfter(proto, "proto 那边打过招呼了，以后可以直接改")).toEqual([`${proto} — e1`]);
  });

  it("comes with another language for the same texts", () => {
    const british = "Use British spelling in all docs from here on";
    const american = "so US spelling in docs";
    expect(ordersAfter(british, american)).toEqual([`${british} — e1`, american]);
    const german = "Always write commits in German.";
    expect(ordersAfter(german, "Write this commit in English.")[0]).toBe(german);
  });

  it("does not come for two orders in one sentence by words about one of them", () => {
    const both =
      "Règle générale : pas de dépendance ajoutée sans mon accord, et messages de commit en français.";
    expect(ordersAfter(both, "Au fait on passe tout en anglais pour les commits.")[0]).toBe(both);
  });
});

describe("an order in force", () => {
  const ban = "Never touch vendor/.";

  it.each([
    "You may never touch vendor/ again.",
    "Unless I tell you, you may not touch vendor/ again.",
    "Don't drop the rule about vendor/.",
    "No, don't forget the rule about vendor/.",
    "Vergiss nicht die Regel über vendor/.",
    "N'oublie pas la règle sur vendor/.",
    "No olvides la regla de vendor/.",
    "别忘了 vendor/ 的规则。",
    "Why did you forget the rule about vendor/?",
    "When the release is out you may touch vendor/ again.",
    "You may touch vendor/ again, if and only if I confirm.",
    "My colleague says you may touch vendor/ now, ask him first.",
    "It would be wrong to think you may touch vendor/ again.",
    "Output:\n\n    You may touch vendor/ now.\n\nwhat now?",
  ])("stays behind words that uphold it, that somebody else said or that are not so yet: %j", (text) => {
    expect(ordersAfter(ban, text)[0]).toBe(ban);
  });

  it.each([
    "You may touch vendor/ again.",
    "Forget the rule about vendor/.",
    "Du darfst vendor/ jetzt anfassen.",
  ])("ends by leave that is given: %j", (text) => {
    expect(ordersAfter(ban, text)[0]).toBe(`${ban} — e1`);
  });

  it("does not come from code that is indented", () => {
    expect(ordersAfter("Output:\n\n    Always push to main.\n\nwhat now?")).toEqual([]);
  });
});
