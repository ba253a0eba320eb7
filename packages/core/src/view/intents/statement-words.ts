import { anyOf } from "./order-words.ts";

/** Tells what somebody said or what happened. */
export const narrated = anyOf(
  "(?<![\\p{L}])(?:used to (?:say|tell|write)|(?:he|she|they|who|somebody|someone|everybody|boss|lead|mother|teacher|doctor|colleague|guide|docs?|manual|readme|article) (?:always |never |once )?(?:said|says|told|tells|wrote|writes|claims?)|(?:hat|haben|hatte) (?:\\p{L}+ ){0,3}(?:gesagt|gemeint|geschrieben|behauptet)|sagte(?:n)? (?:immer|nie|mal)|(?:ist|sind|war|wäre) (?:\\p{L}+ )?nie (?:passiert|geschehen)|disait (?:toujours|souvent)|(?:a|ont) toujours dit|(?:decía|decían|dijo) (?:siempre|que)|siempre (?:decía|me decía|dice)|(?:mi|su|el|la) \\p{L}+ dice que)(?![\\p{L}])",
  "(?:(?<!我|早就|跟你)说过(?!的\\P{L}*$|了)|常说|总说|老说)|(?:言って(?:い)?(?:た|ました)|言われ(?:た|ました|て))",
);

/** Something of the project, of which the sentence says how it is or has to be; the agent's own work apart. */
export function statesThing(words: string): boolean {
  const rest = words.replace(leadingTime, "");
  const isThing = aThing.test(rest) || itIs.test(rest) || foundThing.test(rest) || answersYes.test(rest);
  return isThing && !ownWork.test(rest) && !toYou.test(rest);
}

/** Whether such a sentence only tells when something changes. */
export function tellsChange(words: string): boolean {
  return leadingTime.test(words) && statesThing(words);
}

const leadingTime =
  /^(?:from (?:now|today) on,?|as of (?:now|today),?|ab (?:jetzt|sofort|heute)|désormais,?|dorénavant,?|à partir de (?:maintenant|là),?|a partir de (?:ahora|hoy),?|desde (?:ahora|hoy),?) /u;
const aThing =
  /^(?:(?:and|but|also|now|und|aber|jetzt|et|mais|maintenant|y|pero|ahora) )*(?:the|this|that|its?|die|der|das|dieser?|dieses|le|la|les|l'|ce|cette|el|los|las|este|esta) ?\p{L}[^,;:]{0,60}?(?:(?<![\p{L}])(?:must|should|shall|may|can|is|are|will|darf|dürfen|soll|sollen|muss|müssen|ist|sind|wird|doit|doivent|peut|est|sont|debe|deben|debería|deberían|devrait|devraient|sollte|sollten|puede|es|son|exige|renvoie|retourne|devuelve|liefert|gibt|returns?|requires?|expects?|uses?|sends?)(?![\p{L}]))/u;
/** What it, or a field, must or cannot be. */
const itIs =
  /^(?:it|they|er|sie|es|ils?|elles?|ça) (?:must|should|shall|may|can|has to|have to|darf|dürfen|soll|sollen|muss|müssen|doi(?:t|vent)|peu(?:t|vent))(?![\p{L}])|^(?!.*[你您])[\p{sc=Han}\w]{1,10}(?:永远|始终|也|都|绝对)?(?:不能|不可以?|不应该?|不允许|必须|应该?)(?:为|是|有|超过|重复|小于|大于|输入|包含|出现|显示|唯一|大写|小写)/u;
/** How something of the program behaves, in the words of a review or a report. */
const foundThing =
  /^(?:if|when|while|since|because) (?:an?|the|this|that|some\p{L}*|two|one) [^;:]{0,200}?, (?:the|those|these|it|they|that|this|there|an?) \p{L}|^(?:the|this|that|these|those|an?) (?!project|repo|team|codebase)(?:[\p{L}\p{N}_./-]+ ){1,8}?(?:never|always|\p{L}{2,}(?:es|ts|ds|ns|ks|rs|ls|ms|ps)) (?:the|an?|to|it|its|this|that|not|without|with|from|in|on|by|as|only|new|change\p{L}*|return\p{L}*|fail\p{L}*|get\p{L}*|match\p{L}*)(?![\p{L}])/u;
const toYou =
  /(?<![\p{L}])(?:you|your|me|my|du|dein\p{L}*|mir|mich|tu|tes|ton|ta|moi|me|vous|vos|tus?|mi|conmigo)(?![\p{L}])|n't |no toques/u;
const ownWork =
  /^(?:\P{L}*\p{L}+\P{L}+){0,3}?(?<![\p{L}])(?:answers?|repl(?:y|ies)|responses?|commits?|messages?|comments?|mails?|e-?mails?|documentation|docs|reports?|summar(?:y|ies)|branch(?:es)?|antwort\p{L}*|nachricht\p{L}*|kommentar\p{L}*|dokumentation|berichte?|zusammenfassung\p{L}*|réponses?|commentaires?|rapports?|résumés?|respuestas?|mensajes?|comentarios?|informes?|resúmenes)(?![\p{L}])/u;
/** A yes, and how it is with something. */
const answersYes =
  /^(?:yes|yep|yeah|right|exactly|ja|genau|richtig|oui|exact|sí|si|exacto|claro)[\s,.:!–-]+(?:the|der|die|das|les?|la|l'|el|los|las) ?\p{L}/u;

/** Chooses between things at hand, or puts another way in the place of one for the same thing. */
export const picks = anyOf(
  "(?<![\\p{L}])(?:not|no|nicht|pas|no) (?:the |die |der |das |den |l[ae] |el |los |las )?(?:first|second|third|last|former|latter|erste|zweite|dritte|letzte|premi|deuxi|troisi|dernier|primer|segund|tercer|últim)\\p{L}*",
  "(?<![\\p{L}])(?:nicht|keine?n?),? (?:sondern )?\\p{L}+ (?:sie|es|ihn)\\W*$|, \\p{L}+-l(?:e|a|es)\\W*$|(?<![\\p{L}])no [^,]{1,40}, \\p{L}{3,}(?:lo|la|los|las)\\W*$",
  "(?:不要|不是|别)(?:用|选)?第[一二三四1-4最后]|(?:1|2|3|一|二|三)つ目(?:じゃなくて|ではなく)",
);

/** How something is by the user's will: not to be touched, or ruled anew. */
export const ruledSo =
  /(?<![\p{L}])(?:(?:rule|policy|convention|guideline) is now|(?:regel|vorgabe|absprache) (?:ist|lautet) (?:jetzt|nun)|(?:règle|consigne|convention) est (?:maintenant|désormais)|(?:regla|norma|política) (?:ahora es|es ahora)|off[- ]limits|read[- ]only for you|tabu|finger weg|tu n['’]y touches?|ni tocar\p{L}*)(?![\p{L}])/u;

/** Tells what happens each time, of something other than the agent. */
export const happens = anyOf(
  "^(?:the|an?|my|our|its?|this|that|there|they|he|she) [^,;:]{0,80}? (?:(?:every|each) ?time|whenever)(?![\\p{L}])",
  "(?<![\\p{L}])(?:it|they|he|she) (?:always|never) (?!be )",
  "^(?:der|die|das|mein\\p{L}*|unser\\p{L}*|ein\\p{L}*|es|er|sie) [^;:]{0,80}?(?:jedes ?mal|immer),? wenn ",
  "(?:^|, |und |aber |weil |dass )(?:der|die|das|es|er|sie|ich) (?:bleib|häng|lauf|läuf|fall|fäll|spring|komm|werd|wird|hab|hat|mach|flacker|blink|verschw|verlier|ruckel|frier|steh|krieg|bekomm|seh|sieh|find|zeig|start|lad|läd)\\p{L}* (?:\\p{L}+ ){0,3}?(?:immer|nie|jedes ?mal)(?![\\p{L}])",
  "^(?:le |la |les |l'|une? |mon |ma |mes |notre |nos )[^;:]{0,80}? (?:à )?chaque fois qu",
  "(?:^|, |et |mais |qui )(?:il|elle|ils|elles|ça) (?:se |s'|me |m'|ne |n'|y |en )*(?!doi|faut)\\p{L}+ (?:\\p{L}+ ){0,4}?(?:toujours|jamais|(?:à )?chaque fois)(?![\\p{L}])",
  "^(?:el|la|los|las|una?|mis?|nuestr\\p{L}*) [^;:]{0,80}? (?:cada vez|siempre) que ",
  "(?:^|, |y |pero |que )(?:me |te )?se (?:me )?(?!debe|usa|hace|escrib|pon)\\p{L}+ (?:\\p{L}+ )?(?:siempre|nunca|cada vez)(?![\\p{L}])",
);

/** Asks for a program that does something each time, or tells in so many words that it does. */
export const shapesThing = anyOf(
  "(?<![\\p{L}])(?:make|change|fix|let|have|adjust|modify) (?:it|them|this|that|the \\p{L}+(?: \\p{L}+)?) (?!a habit|a rule)[^.]{0,60}(?:always|never|(?:every|each|any) ?\\p{L}+|whenever|by default)(?![\\p{L}])",
  "(?<![\\p{L}])(?:mach|änder|bau|stell|pass|fix|reparier|sorg)\\p{L}* [^.]{0,60}(?:dass|damit) (?!du)[^.]{0,80}(?:immer|nie|(?:bei|nach|vor) jede[mr]|jedes ?mal|standardmäßig)(?![\\p{L}])",
  "(?<![\\p{L}])(?:fais|faites|modifie|change|corrige|adapte)\\p{L}* [^.]{0,60}(?:pour qu|en sorte qu|de (?:façon|manière) (?:à ce )?qu)(?!e tu)[^.]{0,80}(?:toujours|jamais|à chaque|chaque fois|par défaut)(?![\\p{L}])",
  "(?<![\\p{L}])(?:haz|cambia|modifica|ajusta|arregla)\\p{L}* [^.]{0,60}(?:para que|de (?:modo|forma|manera) que|que)(?! (?:tú|no me))[^.]{0,80}(?:siempre|nunca|cada vez|en cada|por defecto)(?![\\p{L}])",
  "每次.{0,20}(?:都会|就会|会)(?!话|员|议)|每次.{0,16}(?:才|没反应|不行|卡住|很慢|丢失|丢了)",
  "(?:たびに|毎回|いつも).{0,24}(?:れる|れます|しない|できない|落ちる|出る|消える|止まる|固まる|遅い|重い|てしま|ちゃ[うっ]|なる|なります)(?:んです|の(?:です|だ)?|が)?[。]?$",
  "(?<![\\p{L}])(?:hide|show|display|sort|enable|disable|return|open|close|select|load|list|filter|collapse|expand|turn|render|include|exclude|limit|set)(?![\\p{L}]) [^.]{0,80}(?<![\\p{L}])by default(?![\\p{L}])",
  "(?<![\\p{L}])(?:zeig|blend|versteck|sortier|aktivier|deaktivier|öffn|lad)\\p{L}* [^.]{0,80}standardmäßig|(?<![\\p{L}])(?:affiche|cache|masque|trie|active|désactive|ouvre|charge)\\p{L}* [^.]{0,80}par défaut|(?<![\\p{L}])(?:muestra|oculta|ordena|activa|desactiva|abre|carga)\\p{L}* [^.]{0,80}por defecto",
  "默认.{0,6}(?:显示|隐藏|排序|打开|展开|折叠|选中|开启|关闭)|デフォルトで.{0,12}(?:表示|非表示|隠|ソート|有効|無効|開|閉|選択)",
  "(?:改成|修成|做成|改为|让(?:它|他|这|那|程序|页面|按钮|系统)).{0,20}(?:每次|每个|总是|始终|默认)",
  "(?:たびに|毎回|常に|必ず|いつも|毎).{0,40}ように(?:直|修正|変更|変え|実装|改修|改善)|できないように(?:し|す)",
);
