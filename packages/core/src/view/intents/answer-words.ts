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
  /\b(?:i (?:have|see) no|i (?:don't|do not) have (?:any |a )?|there is no) (?:way to|access to|access|means to|permissions? (?:to|for)|tool (?:to|for)|credentials (?:to|for))(?!\p{L})/u,
  /(?:habe|hab) (?:ich )?(?:hier |dafür |darauf )*kein(?:en|e)? (?:zugriff|zugang|möglichkeit|rechte|berechtigung)|je n['’]ai (?:pas|aucun|ni) (?:accès|l['’]accès|d['’]accès|les droits|de moyen|la possibilité)|no tengo (?:\p{L}+ )?(?:acceso|forma|manera|permisos?|modo)|没有?(?:权限|访问|办法|渠道)|(?:アクセス|権限|手段)(?:権)?(?:が|は)(?:ありません|ない)/u,
  /\bi(?:'m| am| was|'ve been| have been)? (?:sorry,? (?:but )?i )?(?:could not|couldn't|can't|cannot|can not|unable to|not able to|wasn't able to|am unable to|was unable to|won't be able to|failed to|did not manage|didn't manage|haven't|have not|didn't get to|ran out of)\b(?! (?:find|see|spot|detect|think of|found|seen) (?:any|anything|a reason|other|another|more)| help but| changed| touched)/,
  /\b(?:is|are|was|were)(?:n't| not) (?:yet )?(?:done|finished|complete|completed|implemented|fixed|possible|passing|ready|there)(?: yet)?\b|\bnot (?:yet )?(?:done|finished|implemented|complete) yet\b/,
  /\b(?:i(?:'m| am)) (?:blocked|stuck)\b|\b(?:is|are|was|got) blocked (?:by|on|until)\b/,
  /\b(?<!\byou )still (?:fail\w*|failing|broken|not working|red|open|missing|to do|needs? to|have to|remains?|pending|crash\w*)\b|\b(?:remains?|left) to (?:do|be done)\b|\byet to be\b|\b(?:will|have to|need to) (?:finish|continue|do) (?:it|that|the rest|this) (?:later|next|tomorrow)\b/,
  /(?:稍后|回头|之后)(?:再|会|我)?(?:写|补|做|加|改)|(?:これから|後ほど|あとで)(?:考え|作|書|対応|追加)|(?:folgt|kommt) (?:noch|später)|suivra (?:plus tard|ensuite)|vendrá después/u,
  /fehlgeschlagen|gibt es (?:also )?noch nicht|(?:wurde|ist) (?:noch )?nichts? (?:erstellt|angelegt|geändert)/u,
  /\bno \p{L}+ (?:was|were|has been|have been) (?:created|made|written|sent|changed|deployed)\b/u,
  /\bin progress\b|\bstill running\b|\b(?:it's|it is|now|currently) at (?:about )?\d{1,2} ?(?:%|percent)/,
  /läuft (?:noch|gerade)|(?:bei|erst) (?:etwa |rund )?\d{1,2} ?%|en cours(?! de)|en curso|sigue corriendo|正在(?:运行|执行|跑)|(?:实行|実行|処理)中/u,
  wholeWords(
    "konnte\\p{L}* [^.]{0,200}nicht|kann (?:ich )?[^.]{0,60}nicht (?:finden|lesen|ausführen|erreichen|pushen|starten|zugreifen|öffnen|reproduzieren)|nicht (?:möglich|gelungen|geschafft)|(?:noch|bisher) nicht (?:fertig|erledigt|umgesetzt|behoben|abgeschlossen|fertiggestellt|grün)|steht noch aus|stehen noch aus|(?<!dir |euch |ihnen )(?:fehlt|fehlen|bleibt|bleiben) noch|noch offen|(?:schlägt|schlagen) (?:noch|weiterhin|immer noch) fehl|gescheitert|blockiert|komme (?:hier )?nicht weiter|hänge fest",
    "(?:je n['’]ai|n['’]ai) pas (?:pu|réussi|trouvé comment)|je ne peux pas|je n['’]arrive pas|impossible (?:de|d['’])|pas encore (?:\\p{L}+)|(?:reste|restent) (?:à|encore)|il reste (?:à|encore|des?|une?|\\d+ (?:tests?|erreurs?|points?|fichiers?) (?:à|en|qui))|échoue(?:nt)? (?:encore|toujours)|bloquée?|pas terminée?",
    "no se (?:ha|han) podido|no se (?:pudo|pudieron)|no (?:pude|puedo|he podido|logré|he logrado|conseguí|fue posible|es posible|ha sido posible|consigo)|(?:todavía|aún) (?:no|falta\\p{L}*|falla\\p{L}*|queda\\p{L}*)|queda(?:n)? (?:pendientes?|por)|falta(?:n)? (?:por|todavía|aún)|sigue(?:n)? fallando|bloquead\\p{L}*|pendientes? de",
  ),
  anyOf(
    "(?:我)?(?:无法|没办法|没法|没能|未能|不能(?:访问|连接|读取|执行|推送|完成|继续))|失败了|(?:还|尚)(?:没|未)(?:有)?(?:完成|做|好|修|写|通过|实现)?|(?:仍然?|依然|还是)(?:失败|报错|不)|还(?:剩|差)|(?<![你您])还需要|做不到|卡住|没有成功|被(?:阻塞|拒绝)",
    "(?:でき|行え|進め|アクセスでき|見つけられ|再現でき)(?:ません|なかった|ない(?:状態|ため))|無理|失敗しました|(?<!(?:とき|場合|時|なら|ば|たら)[^。]{0,20})失敗します|まだ(?:終わ|完了|でき|失敗|残|通)|未(?:完了|対応|実装|着手)|残って(?:い)?ます|ブロック|詰まって|(?:拒否|却下)され",
  ),
];

/** What was changed could only not be tried out, or not be known for sure: it is done all the same. */
const untried = anyOf(
  "(?<![\\p{L}])(?:can't|cannot|can not|couldn't|could not|unable to|not able to|haven't|have not|didn't|wasn't able to) (?:been able to |yet |actually |really )?(?:test|tested|try|tried|verify|verified|flash|flashed|measure|measured|check|checked|run|ran|see|determine|infer|derive|work out|figure out|confirm|confirmed|reproduce)(?![\\p{L}])|(?<![\\p{L}])(?:can't|cannot|couldn't|could not) (?:be (?:sure|certain)|say for (?:sure|certain)|guarantee|promise|tell for sure)(?![\\p{L}])|(?<![\\p{L}])(?:untested|not (?:yet )?(?:tested|measured|verified|tried))(?![\\p{L}])",
  "(?:konnte|kann|habe?)(?: ich)?(?: [^.]{0,60})? nicht (?:testen|getestet|prüfen|geprüft|überprüf\\p{L}*|ausprobier\\p{L}*|messen|gemessen|verifizier\\p{L}*|nachstellen|flashen|ableiten|ermitteln|herausfinden|sicher sagen|garantieren|versprechen)(?![\\p{L}])|(?<![\\p{L}])ungetestet(?![\\p{L}])",
  "pas (?:encore )?(?:pu )?(?:le |la |les )?(?:tester|testée?|déduire|déterminer|savoir|vérifi\\p{L}*|mesur\\p{L}*|essay\\p{L}*|garanti\\p{L}*)(?![\\p{L}])",
  "no (?:lo |la |los |las )?(?:he podido|he|pude|puedo|se ha podido|se ha) (?:\\p{L}+ )?(?:deduc|determin|averigu|prob|verific|comprob|med|garantiz|asegur)\\p{L}*",
  "(?:没法|没办法|无法|没有|没|还没|未能?|不能)(?:在.{0,8})?(?:真机)?(?:测|验证|实测|试|推断|判断|保证|确定)|(?:確認|検証|テスト|計測|測定|試験?|特定|推定|判断|確定|断定|保証)(?:は|が)?(?:まだ)?(?:でき(?:ません|ていません|て(?:い)?ない|ない)|して(?:い)?(?:ません|ない))",
);
/** What was changed is not handed on yet: that is a step of its own. */
const unshipped = anyOf(
  "(?<![\\p{L}])(?:not|\\p{L}+n't) (?:yet )?(?:been )?(?:run|executed|migrated|committed|pushed|deployed|merged|released|published|uploaded|restarted)(?![\\p{L}])",
  "nicht (?:ausgeführt|migriert|committe?t|gepusht|deployt|deployed|gemerge?d?t?|veröffentlicht|ausgerollt|hochgeladen)(?![\\p{L}])",
  "pas (?:encore )?(?:été )?(?:exécut|lanc|commit|pouss|déploy|fusionn|publi|mis en (?:ligne|prod))\\p{L}*",
  "no (?:lo |la |los |las )?(?:he|está|están|se ha) (?:\\p{L}+ )?(?:ejecuta|commite|subi|pushe|desplega|publica|fusiona)\\p{L}*",
  "(?:还没有?|尚未|没有?|未)(?:真正|正式|实际)?(?:跑|执行|运行|迁移|部署|提交|推送|上线|合并|发布|上传)|(?:実行|コミット|プッシュ|デプロイ|マージ|リリース|公開|反映)(?:は|も)?(?:まだ)?(?:して(?:い)?(?:ません|ない)|されて(?:い)?ません)",
);
/** Asks for just such a step. */
const ships = anyOf(
  "(?<![\\p{L}])(?:run|execut|ausführ|exécut|lance|ejecut|commit|push|deploy|merge|releas|publish|upload|restart|veröffentlich|ausroll|hochlad|déploi|déploy|pouss|fusion|publi|subel|súbe|sube|despl[ei]eg)\\p{L}*",
  "跑|执行|运行|実行|部署|提交|推送|上线|合并|发布|上传|コミット|プッシュ|デプロイ|マージ|リリース|公開|反映",
);

/** Whether a request is about handing on what is done. */
export function asksToShip(text: string): boolean {
  return ships.test(plainWords(text));
}

/** So many sentences of an answer are looked at for it. */
const maxUntried = 40;

function withoutUntried(words: string, hasChanged: boolean, isToShip: boolean): string {
  const sentences = sentencesOf(words);
  const isTold = (sentence: string, at: number) =>
    at >= maxUntried || !((hasChanged && untried.test(sentence)) || (!isToShip && unshipped.test(sentence)));
  return sentences.every(isTold) ? words : sentences.filter(isTold).join("\n");
}

/** Goes on once the user has handed something over. */
const awaits = anyOf(
  "(?<![\\p{L}])(?:once|when|as soon as|if) you(?:'ve| have)? (?:give|given|send|sent|share|shared|provide|provided|tell|told|pass|paste)[^.]{0,60}(?:i'll|i will|i can|we can)(?![\\p{L}])|(?<![\\p{L}])(?:i'll|i will|i can) [^.]{0,60}(?:once|when|as soon as) you(?:'ve| have)? (?:give|given|send|sent|share|shared|provide|provided|tell|told|pass)(?![\\p{L}])|(?<![\\p{L}])i(?:'d| would)? (?:still )?need (?:the|your|an?|access) [^.]{0,60}from you(?![\\p{L}])",
  "(?<![\\p{L}])(?:sobald|wenn) du (?:mir )?[^.]{0,60}(?:gibst|schickst|sagst|nennst|hast)[^.]{0,10} (?:kann|mache?|baue?|trage|richte|binde) ich|(?<![\\p{L}])(?:ich )?(?:brauche|bräuchte) (?:ich )?(?:dafür |dazu |noch |von dir |erst )+",
  "(?<![\\p{L}])(?:dès que|quand|une fois que) (?:tu m|vous m)[^.]{0,60}|(?<![\\p{L}])il me (?:faut|faudrait|manque) [^.]{0,60}",
  "(?<![\\p{L}])(?:cuando|en cuanto) me (?:l[oa]s? )?(?:des|pases|envíes|mandes|digas|facilites)(?![\\p{L}])|(?<![\\p{L}])(?:necesito|me falta|me hace falta) (?:que me|tu|el|la|un|una) [^.]{0,60}",
  "(?:给|发给|告诉|提供给?)我(?:后|之后|以后|了)?.{0,4}(?:我)?(?:再|就|才|马上)|(?:いただけれ|いただけたら|いただき次第|もらえれ|もらえたら|教えてもらえ).{0,20}(?:ます|できます|進め)",
);

/** Part of what was asked has not been begun, whatever is asked in return. */
const leftOver = anyOf(
  "(?<![\\p{L}])(?:(?:haven't|have not|didn't|did not) (?:yet )?(?:got(?:ten)?|get|come|started|touched|looked)(?: (?:to|on|at|into))?(?: \\p{L}+){0,4} yet|not (?:yet )?(?:started|begun)(?: yet)?|left for later)(?![\\p{L}])|(?<![\\p{L}])i haven't got to(?: yet)?(?![\\p{L}])",
  "noch nicht (?:dazu gekommen|angefangen|angefasst|begonnen|drangekommen)|pas encore (?:eu le temps|commencé|touché|attaqué)|(?:aún|todavía) no (?:he (?:llegado|empezado|tocado|mirado)|me ha dado tiempo)",
  "还没(?:来得及|开始|动|顾上)|まだ(?:手を付けて|着手して|始めて|取りかか)",
);

/** Whether a turn's last words leave part of what was asked for another time. */
export function leavesPart(text: string): boolean {
  return leftOver.test(plainWords(text));
}

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

/** Reads the words with which a turn ended, calls and results aside. `hasCalled`, `hasChanged`: there were calls in the turn, and changes. `isToShip`: it was asked to commit, push or deploy. */
export function readAnswerWords(
  text: string,
  { hasCalled = true, hasChanged = false, isToShip = false } = {},
): AnswerMeaning {
  const words = plainWords(text);
  const end = lastParagraph(words);
  const question = questionIn(end);
  const told = hasCalled ? withoutUntried(words, hasChanged, isToShip) : words;
  const isUndone = couldNot.some((pattern) => pattern.test(told));
  if (question !== undefined) {
    const isMore = offers.some((pattern) => pattern.test(question)) || (hasChanged && asksLeave.test(end));
    const isOffer = isMore && words.length > question.length + 3;
    return isOffer && !isUndone ? "offered" : "asked";
  }
  if (isUndone) return "could-not";
  if (isAnnouncement(end, hasChanged)) return "could-not";
  if (!hasCalled && words.length <= maxPromiseChars && beginsWithPromise(words)) return "could-not";
  return knownScripts.test(words) || !unknownScripts.test(words) ? "answered" : "unclear";
}

function questionIn(end: string): string | undefined {
  if (askedInWords.test(end) || awaits.test(end)) return end;
  const question = lastQuestion(end);
  return question === undefined || courtesies.test(question) ? undefined : question;
}

/** Keeps in mind how it is to be done from now on, or the other way round. */
const keepsTo = anyOf(
  "(?<![\\p{L}])(?:from here(?: on)?|only (?:ask|use|do|write)|next time|always|never|künftig|in zukunft|ab (?:jetzt|hier)|nur noch|désormais|dorénavant|à l['’]avenir|a partir de ahora|en adelante|solo)(?![\\p{L}])",
  "以后|今后|今後|これから|次回",
);

/** The last sentence says what will be done. */
function isAnnouncement(end: string, hasChanged: boolean): boolean {
  const last = sentencesOf(end).at(-1) ?? "";
  if (hasChanged && keepsTo.test(last)) return false;
  return last.length <= 240 && announces.some((pattern) => pattern.test(last));
}

function beginsWithPromise(words: string): boolean {
  return announces.some((pattern) => pattern.test(sentencesOf(words)[0] ?? ""));
}

function lastParagraph(words: string): string {
  const paragraphs = words.split(/\n\s*\n/).filter((paragraph) => /[\p{L}\p{N}]/u.test(paragraph));
  return (paragraphs.at(-1) ?? "").slice(-maxEndChars);
}
