import { describe, expect, it } from "vitest";
import { answered, called, failed, said, toEntries } from "../../../../../test/support/ledger-entries.ts";
import type { IntentState, Message } from "../../spec/index.ts";
import { createLedgers } from "../ledgers/index.ts";

function statesOf(...messages: readonly Message[]): readonly IntentState[] {
  const writer = createLedgers();
  for (const entry of toEntries(messages)) writer.add(entry);
  return writer.ledgers().intents.map(({ state }) => state);
}

const told = (text: string): Message => ({ type: "assistant", content: text, stopReason: "end_turn" });
const edited = (id: string) => [called(id, "Edit", { file_path: "src/a.ts" }), answered(id)];
const ran = (id: string, command: string, hasFailed = false) => [
  called(id, "Bash", { command }),
  hasFailed ? failed(id, "Exit code 1") : answered(id),
];
const brokenOff = said("[Request interrupted by user]");

describe("a request that was worked on", () => {
  it.each([
    "Fixed. I can't flash from here, so the boot itself is untested.",
    "Behoben. Auf dem Gerät konnte ich es nicht testen.",
    "Corrigé. Je n'ai pas pu tester sur un vrai appareil.",
    "Corregido, pero no he podido probarlo en un dispositivo.",
    "改好了。我没法在真机上测试。",
    "修正しました。実機での動作は確認できません。",
  ])("is done though it could not be tried out: “%s”", (text) => {
    expect(statesOf(said("fix the boot"), ...edited("a"), told(text))).toEqual(["done"]);
    expect(statesOf(said("fix the boot"), ...ran("a", "ls"), told("I couldn't reach the board."))).toEqual([
      "open",
    ]);
  });

  it.each([
    "Encrypted now. Not deployed yet.",
    "已改成加密存储。还没部署。",
    "暗号化しました。デプロイはまだしていません。",
  ])("is done though a step that nobody asked for is not: “%s”", (text) => {
    expect(statesOf(said("encrypt the phone column"), ...edited("a"), told(text))).toEqual(["done"]);
  });

  it("is open where that step was asked for", () => {
    expect(statesOf(said("encrypt it and deploy"), ...edited("a"), told("还没部署。"))).toEqual(["open"]);
  });

  it("is done where the rest is the user's to do", () => {
    expect(
      statesOf(said("弄吧"), ...edited("a"), told("已映射，容器里能看到。你还需要在控制台里选 QSV。")),
    ).toEqual(["done"]);
  });

  it("is done with a promise for later", () => {
    const text = "Changed; the table fits. I'll only ask about the schema from here.";
    expect(statesOf(said("narrow the table"), ...edited("a"), told(text))).toEqual(["done"]);
  });

  it("to run something is done, however the run ended", () => {
    const text = "Ran: TestTimeout fails because it expects one attempt. Everything else passes.";
    const run = ran("a", "go test ./...", true);
    expect(statesOf(said("can u run them though"), ...run, told(text))).toEqual(["done"]);
    expect(statesOf(said("fix the timeout"), ...run, told(text))).toEqual(["open"]);
  });

  it("is done where the user says that it works", () => {
    const fails = [
      said("fix the boot"),
      ...edited("a"),
      ...ran("b", "make", true),
      told("The build still fails."),
    ];
    for (const word of [
      "boots! rx works too.",
      "läuft!",
      "ça marche !",
      "va fino.",
      "好了！",
      "動きました！",
    ])
      expect(statesOf(...fails, said(word))[0]).toBe("done");
    expect(statesOf(...fails, said("works on my machine only"))[0]).toBe("open");
  });
});

describe("a request that is left open", () => {
  it.each([
    "The file is there. For Feishu I need the webhook: once you give me the address I'll connect it.",
    "Die Datei ist da. Sobald du mir die Adresse gibst, binde ich sie an, und dafür brauche ich noch den Schlüssel.",
    "文件已写好。飞书那边需要 webhook 地址，给我后我再接上。",
  ])("waits for what the user has to give: “%s”", (text) => {
    expect(statesOf(said("send the failures to the group"), ...edited("a"), told(text))).toEqual(["open"]);
  });

  it("is one for another day", () => {
    for (const text of [
      "the login is broken, and at some point we should move the images but not today",
      "ですよね、じゃあ来月でいいので覚えておいてもらえれば。今は一覧を並べ替えて",
    ])
      expect(statesOf(said(text), ...edited("a"), told("Done."))).toEqual(["open"]);
  });

  it("is one whose answer is put off", () => {
    const asked = [
      said("et une alerte quand un pod dépasse 90 %, vous savez faire ?"),
      told("Oui. Je la mets où ?"),
    ];
    expect(statesOf(...asked, said("pas maintenant, après la clôture"))[0]).toBe("open");
  });

  it("is one of which a part was not begun", () => {
    const text = "The merge is back, one test fails. Should I fill it?\n\nThe warning I haven't got to yet.";
    const first = [said("merge it, and get rid of the warning"), ...edited("a"), told(text)];
    expect(statesOf(...first, said("the test is new"), ...edited("b"), told("Changed it."))[0]).toBe("open");
  });
});

describe("a request that is called off", () => {
  const refused = [
    said("email the accountant"),
    told("I have no way to send email from here. I can draft it if you like."),
  ];

  it.each([
    "nah I'll do it",
    "mach ich selbst",
    "bon, je le fais",
    "bueno, ya lo hago yo",
    "我自己来吧",
    "私がやります",
  ])("is one that the user does: “%s”", (text) => {
    expect(statesOf(...refused, said(text))[0]).toBe("cancelled");
  });

  it("is not one that was done but for what the user does", () => {
    const pushed = [said("fix it"), ...edited("a"), told("Fixed. Shall I restart the server?")];
    expect(statesOf(...pushed, said("no, I'll do it myself"))[0]).toBe("done");
  });

  it("is one that nothing was done for, where it is declined", () => {
    const asked = [
      said("bump eslint to 9"),
      ...ran("a", "npm i", true),
      told("npm refuses. Force it, or replace the config?"),
    ];
    expect(statesOf(...asked, said("neither lol, leave it at 8 then"))[0]).toBe("cancelled");
  });

  it("is one whose thing was better before, by its name", () => {
    const messages = [
      said("el botón que ponga Activar"),
      ...edited("a"),
      told("Cambiado."),
      said("ahora se pierde el zoom"),
      ...edited("b"),
      told("Arreglado."),
      said("va fino. lo del botón era mejor como estaba"),
    ];
    expect(statesOf(...messages).slice(0, 2)).toEqual(["cancelled", "done"]);
  });

  it("is one that is taken back together with a stop", () => {
    const troll = [
      said("ein Troll hängt noch"),
      ...edited("a"),
      told("Der Agent-Typ ist jetzt einstellbar."),
    ];
    expect(statesOf(...troll, said("Ach lass mal. Mach das wieder rückgängig"))[0]).toBe("cancelled");
  });

  it("is one that was broken off and is stopped by name", () => {
    const chapter = [said("5章もお願いします"), told("5章を訳しています"), brokenOff];
    expect(statesOf(...chapter, said("5章は原文が変わるそうなので止めてください。先に6章を"))[0]).toBe(
      "cancelled",
    );
  });

  it("is nothing that only tidies up behind a stop", () => {
    const dust = [said("add a dust puff"), ...edited("a"), brokenOff];
    expect(statesOf(...dust, said("wait stop, never mind the dust. delete the scene"))[0]).toBe("cancelled");
  });
});

describe("messages and answers that repeat the words of the rules", () => {
  it.each([
    "make it always ",
    "mach es so dass immer ",
    "haz que siempre ",
    "when you write ",
    "once you give me that i'll ",
    "remember it, later ",
    "no, leave it as it is, ",
    "the rule about that is pointless ",
    "I can't test it. ",
    "不要别每次都会",
    "まだ確認できないので",
    ", just the one",
  ])("cost no more than their length: “%s”", (words) => {
    const long = words.repeat(Math.ceil(200_000 / words.length));
    const order = said("Always answer in German, and keep answers short. Never touch vendor/.");
    const begun = performance.now();
    statesOf(order, told("Noted."), said("fix it"), ...edited("a"), told(long), said(long));
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});

describe("a request that was broken off", () => {
  it("goes on where the user says how", () => {
    const messages = [
      said("那只抓有更新的"),
      told("正在服务器上试跑"),
      brokenOff,
      said("别在服务器上试!!!开发机上跑,说过的"),
      ...ran("a", "ssh dev scrapy crawl news"),
      told("在开发机上试了 200 条。"),
    ];
    expect(statesOf(...messages)).toEqual(["done", "done"]);
  });

  it("is not done again by an order behind a stop", () => {
    const messages = [said("translate it"), told("I'm on it"), brokenOff, said("Stop."), told("Stopped.")];
    expect(statesOf(...messages, said("Never write to Slack in my name."), told("Understood."))[0]).toBe(
      "cancelled",
    );
  });
});
