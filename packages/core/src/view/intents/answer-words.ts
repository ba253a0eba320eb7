import { lastQuestion, sentencesOf } from "../sentences.ts";
import { anyOf, wholeWords } from "./order-words.ts";
import { plainWords } from "./own-words.ts";

/**
 * The meaning of a turn's last words for the requests. `asked`: the user is to answer first. `offered`: it is done, and
 * more is offered. `could-not`: it was not done, or not all of it. `unclear`: in a language the tables do not know.
 */
export type AnswerMeaning = "answered" | "asked" | "offered" | "could-not" | "unclear";

/** Questions that wait for nothing. */
const courtesies =
  /\b(?:anything|something) else\b|\b(?:does (?:that|this) (?:help|make sense)|make sense)\s*\?|\bany (?:other |more )?questions?\b|sonst noch (?:etwas|was)|noch fragen|autre chose|d'autres questions|algo más|alguna otra|还有(?:什么|别的|其他)(?:需要|问题)?|ほかに|他に(?:何か|ご)/u;

/** Questions that offer more than was asked. */
const offers: readonly RegExp[] = [
  wholeWords(
    "also|as well|too|next|additionally|while (?:i'm|we're) at it|follow[- ]up|further",
    "(?:push|commit|open a (?:pr|pull request)|merge) (?:it|this|that|these|them)(?: now| too)?",
  ),
  wholeWords(
    "(?:auch|zusätzlich|gleich|ebenfalls|außerdem|als nächstes|noch)(?! nicht)",
    "aussi|également|ensuite|en plus|en passant",
    "también|además|de paso|a continuación|adicionalmente",
  ),
  anyOf(
    "(?:也|还|顺便|另外|接着|接下来)(?:要|需要|想|帮|把|一起|加|写|改|更新)?",
    "ついでに|(?:に|も|まで)(?:追加|更新|直|書|し)|次に|併せて|あわせて",
  ),
];

/** Asks whether to go on: an offer where something was changed before. */
const asksLeave = anyOf(
  "(?:^|[,;:—–-] |(?<![\\p{L}]))(?:would you like|do you want|want me to|shall i|should i|shall we|should we|ready (?:to|for)|möchtest du|willst du|soll ich|sollen wir|voulez-vous|veux-tu|dois-je|quieres que|te gustaría|debo)(?![\\p{L}])",
  "要我|要不要|需要我|しましょうか",
);

const couldNot: readonly RegExp[] = [
  /\bi(?:'m| am| was|'ve been| have been)? (?:sorry,? (?:but )?i )?(?:could not|couldn't|can't|cannot|can not|unable to|not able to|wasn't able to|am unable to|was unable to|won't be able to|failed to|did not manage|didn't manage|haven't|have not|didn't get to|ran out of)\b(?! (?:find|see|spot|detect|think of|found|seen) (?:any|anything|a reason|other|another|more)| help but| changed| touched)/,
  /\b(?:is|are|was|were)(?:n't| not) (?:yet )?(?:done|finished|complete|completed|implemented|fixed|possible|passing|ready|there)(?: yet)?\b|\bnot (?:yet )?(?:done|finished|implemented|complete) yet\b/,
  /\b(?:i(?:'m| am)) (?:blocked|stuck)\b|\b(?:is|are|was|got) blocked (?:by|on|until)\b/,
  /\bstill (?:fail\w*|failing|broken|not working|red|open|missing|to do|needs? to|have to|remains?|pending|crash\w*)\b|\b(?:remains?|left) to (?:do|be done)\b|\byet to be\b|\b(?:will|have to|need to) (?:finish|continue|do) (?:it|that|the rest|this) (?:later|next|tomorrow)\b/,
  /(?:稍后|回头|之后)(?:再|会|我)?(?:写|补|做|加|改)|(?:これから|後ほど|あとで)(?:考え|作|書|対応|追加)|(?:folgt|kommt) (?:noch|später)|suivra (?:plus tard|ensuite)|vendrá después/u,
  /fehlgeschlagen|gibt es (?:also )?noch nicht|(?:wurde|ist) (?:noch )?nichts? (?:erstellt|angelegt|geändert)/u,
  /\bno \p{L}+ (?:was|were|has been|have been) (?:created|made|written|sent|changed|deployed)\b/u,
  /\bin progress\b|\bstill running\b|\b(?:it's|it is|now|currently) at (?:about )?\d{1,2} ?(?:%|percent)/,
  /läuft (?:noch|gerade)|(?:bei|erst) (?:etwa |rund )?\d{1,2} ?%|en cours(?! de)|en curso|sigue corriendo|正在(?:运行|执行|跑)|(?:实行|実行|処理)中/u,
  wholeWords(
    "konnte\\p{L}* [^.]*nicht|kann (?:ich )?[^.]{0,60}nicht (?:finden|lesen|ausführen|erreichen|pushen|starten|zugreifen|öffnen|reproduzieren)|nicht (?:möglich|gelungen|geschafft)|(?:noch|bisher) nicht (?:fertig|erledigt|umgesetzt|behoben|abgeschlossen|fertiggestellt|grün)|steht noch aus|stehen noch aus|(?:fehlt|fehlen|bleibt|bleiben) noch|noch offen|(?:schlägt|schlagen) (?:noch|weiterhin|immer noch) fehl|gescheitert|blockiert|komme (?:hier )?nicht weiter|hänge fest",
    "(?:je n['’]ai|n['’]ai) pas (?:pu|réussi|trouvé comment)|je ne peux pas|je n['’]arrive pas|impossible (?:de|d['’])|pas encore (?:\\p{L}+)|(?:reste|restent) (?:à|encore)|il reste|échoue(?:nt)? (?:encore|toujours)|bloquée?|pas terminée?",
    "no se (?:ha|han) podido|no se (?:pudo|pudieron)|no (?:pude|puedo|he podido|logré|he logrado|conseguí|fue posible|es posible|ha sido posible|consigo)|(?:todavía|aún) (?:no|falta\\p{L}*|falla\\p{L}*|queda\\p{L}*)|queda(?:n)? (?:pendientes?|por)|falta(?:n)? (?:por|todavía|aún)|sigue(?:n)? fallando|bloquead\\p{L}*|pendientes? de",
  ),
  anyOf(
    "(?:我)?(?:无法|没办法|没法|没能|未能|不能(?:访问|连接|读取|执行|推送|完成|继续))|失败了|(?:还|尚)(?:没|未)(?:有)?(?:完成|做|好|修|写|通过|实现)?|(?:仍然?|依然|还是)(?:失败|报错|不)|还(?:剩|差|需要)|做不到|卡住|没有成功|被(?:阻塞|拒绝)",
    "(?:でき|行え|進め|アクセスでき|見つけられ|再現でき)(?:ません|なかった|ない(?:状態|ため))|無理|失敗しま(?:した|す)|まだ(?:終わ|完了|でき|失敗|残|通)|未(?:完了|対応|実装|着手)|残って(?:い)?ます|ブロック|詰まって|(?:拒否|却下)され",
  ),
];

/** Last words that say what comes next, or that it will be done some time: nothing is done yet. */
const announces: readonly RegExp[] = [
  /^(?:(?:ok(?:ay)?|sure|alright|right|great|good|understood|noted|yes),?\.? )?(?:now )?(?:let me|let's|i(?:'ll| will| am going to|'m going to)|next,? i(?:'ll| will)|now,? i(?:'ll| will)|first,? i(?:'ll| will)|starting (?:with|now)|on it|working on it|noted|will do|(?:i'll )?remember(?:ed)?)(?![\p{L}])/u,
  /^(?:(?:ok(?:ay)?|gut|alles klar|verstanden|ja),? )?(?:(?:jetzt|nun|als nächstes|zuerst|dann) (?:schaue|prüfe|sehe|lese|mache|schreibe|teste|baue|kümmere|beginne|starte)|ich \p{L}+e (?:jetzt|nun|gleich|zuerst|sofort|dann|später)|ich (?:schaue|sehe|prüfe|mache|beginne|starte|kümmere|fange|werde|lese|merke)|(?:ist )?(?:notiert|vorgemerkt)|mache ich|wird gemacht|merke ich mir)(?![\p{L}])/u,
  /^(?:(?:ok|d'accord|bien|compris|entendu),? )?(?:je (?:vais|commence|regarde|vérifie|m'en occupe|le ferai|la ferai|note)|c'est noté|noté|maintenant,? je|ensuite,? je)(?![\p{L}])/u,
  /^(?:(?:ok|vale|bien|de acuerdo|entendido),? )?(?:voy a|ahora (?:voy|miro|reviso|empiezo)|empiezo|empezaré|lo haré|me pongo|anotado|tomo nota|apuntado|primero (?:voy|miro|reviso)|luego lo)(?![\p{L}])/u,
  /^(?:好的?[，,]?)?(?:我(?:会|将|先|来|现在|马上|这就|接下来|稍后|等会|之后)|让我|接下来我?|现在(?:我)?(?:开始|去|来)|已记下|记下了|稍后|首先)/u,
  /^(?:では|はい[、。]?|了解です?[、。]?|分かりました[、。]?)?(?:これから|まず(?:は)?|次に|後で|あとで|のちほど).{0,40}(?:ます|します)[。]?$|^.{0,40}(?:確認|調査|着手|開始|実装|対応|修正)します[。]?$|覚えておきます|メモしました/u,
];

const askedInWords =
  /\b(?:let me know|tell me|please (?:confirm|tell|choose|pick|decide|provide|share|specify)) (?:which|whether|what|how|if you(?:'d| would) (?:prefer|rather|like me to)|when you(?:'re| are) ready|the|your)\b|(?:sag|gib)\p{L}* (?:mir )?(?:bitte )?(?:bescheid|welche|ob|wie)|dis-moi (?:si|quel|lequel|laquelle|comment)|dime (?:si|cu[aá]l|qu[eé]|c[oó]mo)|请(?:告诉我|确认|选择|提供|指定)|(?:教えて|選んで|ご確認|確認して|お知らせ)ください/u;

/** Says of something that it failed. Only beside a call that did, since an answer may speak of any failure. */
const failing =
  /fail|refus|denied|rejected|stopped|aborted|\berrors?\b|not (?:installed|available|found)|fehlgeschlagen|abgebrochen|verweigert|fehler|nicht installiert|échou|refus|erreur|fall[aóo]|rechaz|失败|报错|拒绝|失敗|エラー|拒否/u;

/** Whether the words tell of the failure that was the last thing to happen. */
export function tellsFailure(text: string): boolean {
  return failing.test(plainWords(text));
}

/** Letters of scripts that none of the tables has. */
const unknownScripts = /\p{L}{2}/u;
const knownScripts = /[\p{sc=Latin}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** How much of the end is looked at for a question. */
const maxEndChars = 600;

/** Without a call behind it, a short answer that begins with what will be done has done nothing. */
const maxPromiseChars = 240;

/** Reads the words with which a turn ended, calls and results aside. `hasCalled`, `hasChanged`: there were calls in the turn, and changes. */
export function readAnswerWords(text: string, { hasCalled = true, hasChanged = false } = {}): AnswerMeaning {
  const words = plainWords(text);
  const end = lastParagraph(words);
  const question = questionIn(end);
  const isUndone = couldNot.some((pattern) => pattern.test(words));
  if (question !== undefined) {
    const isMore = offers.some((pattern) => pattern.test(question)) || (hasChanged && asksLeave.test(end));
    const isOffer = isMore && words.length > question.length + 3;
    return isOffer && !isUndone ? "offered" : "asked";
  }
  if (isUndone) return "could-not";
  if (isAnnouncement(end)) return "could-not";
  if (!hasCalled && words.length <= maxPromiseChars && beginsWithPromise(words)) return "could-not";
  return knownScripts.test(words) || !unknownScripts.test(words) ? "answered" : "unclear";
}

function questionIn(end: string): string | undefined {
  if (askedInWords.test(end)) return end;
  const question = lastQuestion(end);
  return question === undefined || courtesies.test(question) ? undefined : question;
}

/** The last sentence says what will be done. */
function isAnnouncement(end: string): boolean {
  const last = sentencesOf(end).at(-1) ?? "";
  return last.length <= 240 && announces.some((pattern) => pattern.test(last));
}

function beginsWithPromise(words: string): boolean {
  return announces.some((pattern) => pattern.test(sentencesOf(words)[0] ?? ""));
}

function lastParagraph(words: string): string {
  const paragraphs = words.split(/\n\s*\n/).filter((paragraph) => /[\p{L}\p{N}]/u.test(paragraph));
  return (paragraphs.at(-1) ?? "").slice(-maxEndChars);
}
