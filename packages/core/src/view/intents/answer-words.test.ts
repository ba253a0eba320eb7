import { describe, expect, it } from "vitest";
import { type AnswerMeaning, readAnswerWords } from "./answer-words.ts";

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
    ["answered", "Alles erledigt."],
    ["answered", "完成しました。"],
    ["answered", "Listo, todo está arreglado."],
    ["offered", "The parser is fixed.\n\nShall I also update the docs?"],
    ["offered", "Der Fehler ist behoben. Soll ich auch die Doku anpassen?"],
    ["offered", "已经修好了。要不要顺便更新文档？"],
    ["asked", "Soll ich den Server neu starten?"],
    ["could-not", "Ich konnte den Server nicht erreichen."],
    ["could-not", "Je n'ai pas pu ouvrir le fichier."],
    ["could-not", "No pude conectar con la base de datos."],
    ["could-not", "我无法连接到服务器。"],
    ["could-not", "サーバーに接続できませんでした。"],
    ["could-not", "Let me look at the parser first."],
    ["could-not", "The first half is done; the second half remains to be done."],
    ["could-not", "Ich schaue mir zuerst den Parser an."],
    ["unclear", "Все готово."],
  ])("hears “%s” in “%s”", (meaning, text) => {
    expect(readAnswerWords(text)).toBe(meaning);
  });
});
