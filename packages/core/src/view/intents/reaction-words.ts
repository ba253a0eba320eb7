import { sentencesOf } from "../sentences.ts";
import { anyOf } from "./order-words.ts";
import { plainWords } from "./own-words.ts";

/** What counts stands at the beginning of a message. */
const maxBeginChars = 160;
const maxShortChars = 80;

/** It was better before: what was done to it is taken back. */
const betterBefore = anyOf(
  "(?<![\\p{L}])(?:better|nicer) (?:before|the way it was|as it was|how it was)|(?:liked|prefer\\p{L}*) (?:it )?(?:the way it was|as it was|how it was|the old one)",
  "(?<![\\p{L}])(?:vorher|früher) (?:war|gefiel|fand)[^.]{0,30} besser|war (?:vorher|früher|doch|so wie es war) (?:doch )?besser|besser,? (?:so )?wie (?:es|er|sie) (?:vorher )?war",
  "(?<![\\p{L}])(?:mieux|plus (?:joli|lisible|clair)) avant|mieux comme (?:c'était|avant)",
  "(?<![\\p{L}])mejor (?:como (?:estaba|era)|antes)|(?:antes|como estaba) (?:era|estaba|quedaba) mejor",
  "(?:还是)?(?:原来|之前|以前)(?:的|那样|那个)?(?:更|比较|还)?好(?!像)|(?:前|元)の(?:方|ほう|まま)が(?:よ|良|い)",
);

/** The sentence of a short message that takes back what was done because it was better before. */
export function likedBefore(text: string): string | undefined {
  const words = plainWords(text);
  if (words.length > 2 * maxBeginChars || !betterBefore.test(words)) return undefined;
  return sentencesOf(words).find((sentence) => betterBefore.test(sentence)) ?? words;
}

const later =
  "(?:later|tomorrow|next (?:week|month|sprint|quarter|year)|some ?day|eventually|später|morgen|nächste[nrs]? (?:woche|monat|sprint|jahr|mal)|irgendwann|plus tard|demain|la semaine prochaine|le mois prochain|un (?:jour|de ces jours)|más (?:tarde|adelante)|mañana|la semana que viene|el mes que viene|la próxima semana|el próximo mes|algún día)";
const note =
  "(?:remember|remind me|make a note|note down|bear in mind|keep [^.]{0,20}in mind|on (?:the|your) list|merk\\p{L}* (?:dir|es)|notier\\p{L}*|erinner\\p{L}*|vormerken|souviens-toi|rappelle\\p{L}*|note(?:-le|-la|z)?|retiens|recu[eé]rda\\p{L}*|apúnta\\p{L}*|apunta|anota|acuérdate)";
const noted = anyOf(
  `(?<![\\p{L}])${note}(?![\\p{L}])[^.]{0,60}(?<![\\p{L}])${later}(?![\\p{L}])|(?<![\\p{L}])${later}(?![\\p{L}])[^.]{0,60}(?<![\\p{L}])${note}(?![\\p{L}])`,
  "(?<![\\p{L}])(?:at some point|eventually|some ?day|one day|irgendwann|un jour|à terme|algún día|en algún momento)(?![\\p{L}])[^.]{0,80}(?<![\\p{L}])(?:not (?:today|now|yet|this week)|(?:nicht|noch nicht) (?:heute|jetzt)|(?:heute|jetzt) (?:noch )?nicht|pas (?:aujourd'hui|maintenant|encore)|(?:hoy|ahora|todavía) no|no (?:hoy|ahora))(?![\\p{L}])",
  "(?:以后|有空|哪天|将来).{0,20}(?:今天不|不急|先不)|(?:いずれ|そのうち|いつか).{0,24}(?:今日(?:では|じゃ)な|今(?:では|じゃ)な|急が|急ぎではな)",
  "(?:下(?:个|周|月|星期)|明天|回头|改天|以后再).{0,24}(?:记(?:一下|住|着|得)|提醒|备忘)|(?:记(?:一下|住|着|得)|提醒).{0,16}(?:下(?:个|周|月|星期)|明天|改天)",
  "(?:来(?:週|月|年)|明日|後で|あとで|いずれ|そのうち|次回).{0,24}(?:覚え|メモ|忘れない|控え)|(?:覚え|メモ|忘れない|控え).{0,24}(?:来(?:週|月|年)|明日|後で|あとで|いずれ|そのうち|次回)",
);

/** Whether a message has something noted that is to be done another day. */
export function putsOff(text: string): boolean {
  return noted.test(plainWords(text).slice(0, 2 * maxBeginChars));
}

const declined = anyOf(
  "^(?:(?:neither|none|no|nah|nope|hm+|ok|then|lol|thanks?)[\\s,.!]+)*(?:neither[\\s,.!]+(?:lol[\\s,.!]+)?)?(?:then )?(?:leave|keep) (?:it|them|that|everything|things) (?:as|at|like|alone|be|the way|how)(?![\\p{L}])",
  "^(?:(?:weder noch|keins?|keine[sr]? von beiden|nein|nee|nö|ok|dann|ach)[\\s,.!]+)*(?:dann )?(?:lass(?:en wir)?|bleib\\p{L}*|belass) (?:es|das|wir|alles)? ?(?:mal |halt |eben |einfach )?(?:so|bei|beim|wie)(?![\\p{L}])",
  "^(?:(?:ni l'un ni l'autre|aucun(?:e)?(?: des deux)?|non|bon|ok|alors)[\\s,.!]+)*(?:alors )?(?:laisse|on laisse|garde|on garde|on reste)(?:-le|-la|-les)? (?:comme|ça comme|tel|en l'état|tout comme|sur|à)(?![\\p{L}])",
  "^(?:(?:ni(?:nguna|nguno| una ni otra| uno ni otro)(?: de l[oa]s dos)?|no|bueno|vale|pues|entonces)[\\s,.!]+)*(?:entonces |pues )?(?:déjal[oa]s?|dejémosl[oa]|déjalo todo|nos quedamos) (?:como|así|en|con|tal)(?![\\p{L}])",
  "^(?:(?:都不|不用|不|算了|那|嗯)[，,。\\s]*)*(?:那)?(?:就)?(?:保持|维持|留在|还是用)(?:原样|现状|不变|原来)|^(?:いえ|いや|どちらも(?:なし|いらない|不要)?|では|じゃあ)?[、。]?.{0,6}(?:そのまま|今のまま|現状のまま)で(?:いい|大丈夫|お願い|構)",
);

/** Whether the answer to a question is that nothing is to be done after all. */
export function declines(text: string): boolean {
  return declined.test(plainWords(text).slice(0, maxBeginChars));
}

const confirmed = anyOf(
  "^(?:(?:nice|great|cool|wow|ok|yes|yep|yeah|ah|perfect|and|it|that|this|now|tested|just)[\\s,.!]+)*(?:works|worked|it works|boots|runs|is (?:fixed|gone|working|fine)|all good|did it|did the trick|looks (?:good|fine|right))(?![\\p{L}])(?! (?:for|in|on|when|only|but|except))",
  "^(?:(?:super|top|ok|ja|ah|geil|cool|danke|jetzt|es|das)[\\s,.!]+)*(?:läuft|geht|klappt|funktioniert|passt)(?:'s| es| jetzt| wieder| alles)*(?:[\\s]*[,.!]|$)",
  "^(?:(?:super|top|ok|oui|ah|génial|merci|cool|nickel)[\\s,.!]+)*(?:ça (?:marche|fonctionne|passe|tourne)|c'est bon)(?: bien| nickel| maintenant| enfin)*(?:[\\s]*[,.!]|$)",
  "^(?:(?:genial|ok|vale|sí|bien|perfecto|gracias|probado|ya|ahora)[\\s,.!]+)*(?:va (?:fino|bien|perfecto)|funciona|ya (?:va|funciona|no (?:falla|peta|se \\p{L}+))|todo bien)(?: perfecto| bien| ya| ahora)*(?:[\\s]*[,.!]|$)",
  "^(?:嗯|好的?|可以|ok|行)?[，,。!！\\s]*(?:好了|可以了|能用了|正常了|没问题了|通了|跑通了|不(?:报错|卡|崩)了)",
  "^(?:おお?|あ|お|はい|よし)?[、。!！\\s]*(?:動きました|動いた|直りました|直った|できました|通りました|問題なかった)",
);

/** Whether a message begins by saying that what was done does what it should. */
export function confirms(text: string): boolean {
  return confirmed.test(plainWords(text).slice(0, maxBeginChars));
}

const runs = anyOf(
  "(?<![\\p{L}])(?:run|rerun|re-run|execute)(?![\\p{L}])|(?<![\\p{L}])(?:führ|lass|starte)\\p{L}* [^.]{0,40}(?:tests?|suite|lint|sie|aus|laufen)(?![\\p{L}])|(?<![\\p{L}])(?:lance|exécute|relance)[^.]{0,20} (?:tests?|suite|lint|les)(?![\\p{L}])|(?<![\\p{L}])(?:ejecuta|corre|lanza|pasa)(?:l[oa]s)?(?![\\p{L}])",
  "跑(?:一下|一遍|下|个)|运行(?:一下|下)?.{0,6}测试|(?:実行|走らせ|回し|流し)て",
);

/** Whether a message asks for something to be run, and for nothing else: how it ends is the answer. */
export function asksToRun(text: string): boolean {
  const words = plainWords(text);
  return (
    words.length <= maxRunChars &&
    runs.test(words) &&
    !/(?<![\p{L}])(?:fix|until|make|deploy|install|add|bis|jusqu|hasta)|修|直/u.test(words)
  );
}

const maxRunChars = 60;

const ownHands = anyOf(
  "^(?:(?:nah|no|ok|okay|fine|alright|hm+|well|then|thanks?)[\\s,.!]+)*(?:i'll|i will|i can|i'm going to) (?:just )?(?:do|handle|take care of|sort|send|write|run) (?:it|that|them|this)(?: myself)?(?![\\p{L}])",
  "^(?:(?:nee|nein|ok|gut|na gut|dann|schon gut)[\\s,.!]+)*(?:das |es |dann )*mach(?:e)? (?:ich|das ich)(?: (?:das|es|dann|eben|halt))*(?: (?:selbst|selber))?[\\s.!]*$|^(?:ok |dann )?(?:ich mach|ich schick|ich schreib)\\p{L}* (?:das|es|sie|ihn)? ?(?:dann )?(?:selbst|selber)",
  "^(?:(?:non|bon|ok|d'accord|tant pis)[\\s,.!]+)*je (?:le |la |les |m'en |vais (?:le |la |les )?)+(?:fais|ferai|faire|charge|chargerai|occupe|occuperai|enverrai|envoie)(?![\\p{L}])",
  "^(?:(?:no|bueno|vale|ok|nada)[\\s,.!]+)*(?:ya )?(?:(?:lo|la|los|las|se l[oa]s?) (?:hago|haré|mando|mandaré|envío)|me encargo|lo hago)(?: yo)?(?![\\p{L}])",
  "^(?:算了|好吧|那)?[，, ]?我(?:自己|来)(?:来|做|弄|发|搞|处理)?吧?[。!！]*$|^(?:じゃあ|では|いいえ|なら)?[、 ]?(?:私|自分|こっち|こちら|俺|僕)(?:が|で)(?:やり|やる|対応し|送り|し)(?:ます|ておきます)?",
);

/** Whether the user does what could not be done. */
export function takesOver(text: string): boolean {
  const words = plainWords(text);
  return words.length <= maxShortChars && ownHands.test(words);
}

const agreeing =
  /^(?:yes|yep|yeah|yup|sure|ok(?:ay)?|please do|go ahead|ja|klar|gerne?|oui|d'accord|vas-y|sí|si|claro|vale|dale|是的?|对|好的?|可以|行|はい|うん|ええ|お願い)(?![\p{sc=Latin}])/u;

/** Whether a message begins with a yes. */
export function agrees(text: string): boolean {
  return agreeing.test(plainWords(text));
}
