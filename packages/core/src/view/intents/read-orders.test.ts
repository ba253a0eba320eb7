import { describe, expect, it } from "vitest";
import { readOrders } from "./read-orders.ts";

/** Sentences that bind, by what tells so. */
const heard: Readonly<Record<string, readonly string[]>> = {
  "a ban with a grudge": ["don't run prettier over whole files any more, the last diff was unreadable"],
  "the agent's own edits": [
    "just format what you touch",
    "formatiere nur das, was du änderst",
    "ne formate que les fichiers que tu touches, uniquement ceux que tu modifies",
    "formatea solo lo que toques",
    "只格式化你改的行",
    "自分が変更した行だけ整形して",
  ],
  "more than this once": [
    "keep guesses apart from facts, not only this time",
    "trenn Vermutung und Befund, nicht nur diesmal",
    "sépare les faits des suppositions, pas seulement cette fois",
    "separa hechos y suposiciones, no solo esta vez",
    "事实和推测分开写，不只是这次",
    "推測は分けて書いてください、今回に限らず",
  ],
  doubt: [
    "when you're unsure, ask instead of guessing",
    "wenn du unsicher bist, frag nach statt zu raten",
    "quand tu n'es pas sûr, demande au lieu de deviner",
    "cuando dudes, pregunta en vez de adivinar",
    "不确定就问，别猜",
    "迷ったら聞いてください、推測で進めないで",
  ],
  "a habit of the agent's": [
    "when you write commit messages, conventional commits please",
    "quand tu écris un commit, le numéro du ticket d'abord",
    "cuando hagas un commit, pon el ticket",
    "提交的时候都写上工单号",
    "コミットするときはチケット番号を入れて",
  ],
  "a rule that is called one": [
    "House rule: no kubectl by hand, everything goes through git",
    "Grundregel: kein kubectl von Hand",
    "règle n°1 : aucun kubectl apply à la main, tout passe par git",
    "Regla número uno: nada de kubectl a mano",
    "规矩：不手动跑 kubectl",
    "ルール：kubectl は手で実行しない",
  ],
  "how we work": [
    "This is how we work: you propose, I say yes, then you do it.",
    "Wir arbeiten so: du schlägst vor, ich sage ja, dann machst du es.",
    "On fonctionne comme ça : tu proposes, je valide, tu fais.",
    "Trabajamos así: tú propones, yo digo que sí, y entonces lo haces.",
  ],
  "the size of the work": [
    "For small fixes just do it, propose the big ones first",
    "Bei kleinen Änderungen direkt machen",
    "Pour les petites corrections, fais-le directement",
    "Para arreglos pequeños hazlo directamente",
    "小改动可以直接提交",
    "小さい修正ならそのまま入れて",
  ],
  "one thing per other": [
    "one commit per change please",
    "ein Commit pro Änderung",
    "un commit par correction",
  ],
  "texts of the agent's": [
    "commit messages in imperative please",
    "les commentaires en français",
    "los comentarios en español",
    "注释用英文",
    "所有回复用中文，但代码注释用英文",
  ],
  "a custom that changed": [
    "the team has voted: pandas instead of polars from today",
    "la règle est maintenant un commit par ticket",
    "规范现在改成四个空格了",
    "編集部の方針が変わり、長音は付けないルールになりました",
  ],
  "what was said before": [
    "I told you not to touch the lockfile",
    "ich hab dir doch gesagt, dass du die Lockdatei nicht anfassen sollst",
    "je t'ai déjà dit de ne pas toucher au lockfile",
    "te dije que no tocaras el lockfile",
    "别在服务器上试!!!开发机上跑,说过的",
  ],
  "how people are addressed": ["Vouvoiement svp.", "J'aimerais que tu me tutoies pas"],
  "always, at the end of a clause": ["use formal address in both, always, we're a bank"],
  "what is off limits, whatever it is": ["der Ordner legacy ist tabu", "la carpeta legacy ni tocarla"],
};

/** Sentences that bind nothing, by what tells so. */
const unheard: Readonly<Record<string, readonly string[]>> = {
  "what happens each time": [
    "it flashes open on load every time",
    "the counter doubles whenever I reload",
    "der Zähler springt jedes Mal, wenn ich neu lade",
    "Kannst du dir die Gegner anschauen, die bleiben immer an Ecken hängen",
    "le compteur saute à chaque fois que je recharge",
    "il manque un exemple à chaque fois",
    "el nodo se reinicia cada vez que arranca la bomba",
    "按钮每次点两下才有反应",
    "ボタンが毎回反応しない",
  ],
  "what a program is to do": [
    "make it register again on every launch",
    "and hide archived ones in the list by default",
    "ändere den Import so, dass er bei jedem Start neu lädt",
    "fais en sorte qu'il recharge à chaque démarrage",
    "haz que recargue en cada arranque",
    "改成每次启动都重新注册",
    "起動のたびに再登録するように直して",
  ],
  "what something must be": [
    "it must not crash on empty input",
    "ahora el cupón no debería acumularse con promos",
    "quiero que las VMs se apaguen solas",
    "用户昵称永远不能为空",
    "このフィールドは空にできないようにして",
  ],
  "the answer to a question": ["oui les frais de port jamais remisés", "yes, the fee never discounted"],
  "how far the work goes": [
    "don't change behaviour",
    "sans changer le comportement",
    "那就写个脚本吧，别执行",
  ],
  "a choice": ["nimm die zweite Variante, nicht die erste", "不要第一个，要第二个", "not the first one"],
  "another way for the same thing": [
    "lösch die Datei nicht, verschieb sie",
    "ne supprime pas le fichier, renomme-le",
  ],
  "asked in two ways": ["文件名能不能带上日期", "这个要不要改"],
  "something for another day": [
    "remember that for next month",
    "来月でいいので覚えておいてもらえれば",
    "下个月再做，先记一下",
  ],
  "a number that is left": ["hängt jetzt nur noch einer, der große Troll"],
  "not to forget": ["n'oublie pas les tests", "テストも忘れないで"],
  "a place": ["We have two envs in this repo, staging and prod, both terraform."],
  "a memory": ["never really got that until now."],
  "a line of a difference": ["+       // Always written by the new code"],
};

const cases = (all: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(all).flatMap(([kind, texts]) => texts.map((text) => [kind, text] as const));

describe("readOrders, by classes of wording", () => {
  it.each(cases(heard))("hears %s in “%s”", (_kind, text) => {
    expect(readOrders(text)).toEqual([text]);
  });

  it.each(cases(unheard))("does not take %s for an order in “%s”", (_kind, text) => {
    expect(readOrders(text)).toEqual([]);
  });

  it("hears that what was said holds for what comes", () => {
    for (const [text, order] of [
      [
        "Translate chapter 4. Formal tone throughout. The same goes for the next chapters.",
        "Formal tone throughout.",
      ],
      ["第4章を訳して。です・ます調で統一。この先の章も同様です。", "です・ます調で統一。"],
      [
        "Tests first, then the code. That's how we do it here. Fix the parser.",
        "Tests first, then the code.",
      ],
    ])
      expect(readOrders(text ?? "")).toEqual([order]);
    expect(readOrders("Fix the header. Same for the other pages.")).toEqual([]);
  });

  it("hears what an order leaves open, and takes it for none elsewhere", () => {
    const ask = "Ask me before you change the schema.";
    expect(readOrders(`${ask} The rest just do.`)).toEqual([ask, "The rest just do."]);
    expect(readOrders("Fix the header. The rest is fine.")).toEqual([]);
  });
});
