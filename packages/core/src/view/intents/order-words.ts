/**
 * Words by which a standing order is told from a request, for six languages. `strong`: it binds from now on, whatever else
 * the sentence says. `usual`: a ban, a preference or a rule, in words that a single request may have too. `descriptive`:
 * the sentence tells how something behaves and orders nothing.
 */
interface OrderWords {
  readonly strong: RegExp;
  readonly usual: RegExp;
  readonly descriptive: RegExp;
}

/** Any of these as whole words. */
export function wholeWords(...all: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${all.join("|")})(?![\\p{L}\\p{N}_])`, "u");
}

/** Any of these, in scripts without blanks between words. */
export function anyOf(...all: readonly string[]): RegExp {
  return new RegExp(all.join("|"), "u");
}

/** Names of languages as people write them, by the language they name. */
export const languageNames: Readonly<Record<string, string>> = {
  american: "american|us (?:spelling|english)",
  british: "british|uk (?:spelling|english)",
  german: "german|deutsch\\w*|allemand|alem[aá]n|德语|德文|ドイツ語",
  english: "english|englisch\\w*|anglais|ingl[eé]s|英语|英文|英語",
  french: "french|franz[öo]sisch\\w*|fran[cç]ais|franc[eé]s|法语|法文|フランス語",
  spanish: "spanish|spanisch\\w*|espagnol|espa[nñ]ol|castellano|西班牙语|西班牙文|スペイン語",
  chinese: "chinese|chinesisch\\w*|chinois|chino|mandarin|中文|汉语|简体中文|中国語",
  japanese: "japanese|japanisch\\w*|japonais|japon[eé]s|日语|日文|日本語",
  italian: "italian|italienisch\\w*|italien|italiano|意大利语|イタリア語",
  portuguese: "portuguese|portugiesisch\\w*|portugais|portugu[eê]s|葡萄牙语|ポルトガル語",
  dutch: "dutch|niederl[äa]ndisch\\w*|n[eé]erlandais|neerland[eé]s|holl[äa]ndisch|荷兰语|オランダ語",
  russian: "russian|russisch\\w*|russe|ruso|俄语|ロシア語",
  korean: "korean|koreanisch\\w*|cor[eé]en|coreano|韩语|韓国語",
};

const language = Object.values(languageNames).join("|");

/** Not of what may happen then. */
const inFuture =
  "(?<!(?:might|may|could|can|would|be|needed|used|useful|again|possibly)(?: \\p{L}+){0,3} )in (?:the )?future";

/** In which language somebody is to be answered; not what a text is to be translated to. */
export const languageOrder = anyOf(
  `(?<![\\p{L}])(?:answers?|repl(?:y|ies)|respond|responses?|speak|talk|communicate|comments?|commit messages?|chat|stay|continue|switch(?: back)?)(?![\\p{L}])[^.]{0,60}(?<![\\p{L}])(?:in|to) (?:${language})`,
  `^(?:now |please |bitte |only |nur )*,? ?(?:in|auf|en) (?:${language}),?(?: (?:please|bitte|pls|svp|s'il (?:te|vous) pla[iî]t|por favor|from now on|ab jetzt))*\\s*[.!]*$`,
  `(?<![\\p{L}])(?:antworte\\p{L}*|antworten|sprich|sprech\\p{L}*|rede|kommentare?|commits?|schreib mir)(?![\\p{L}])[^.]{0,60}(?<![\\p{L}])(?:auf|in) (?:${language})`,
  `(?<![\\p{L}])(?:r[ée]pond\\p{L}*|parle\\p{L}*|commentaires?|responde\\p{L}*|cont[ée]sta\\p{L}*|habla\\p{L}*|comentarios?|respuestas?|mensajes?|réponses?|messages?)(?![\\p{L}])[^.]{0,60}(?<![\\p{L}])en (?:${language})`,
  `用\\s*(?:${language})\\s*(?:来|进行)?(?:回答|回复|答复|交流|沟通|说|跟我|和我|写(?:注释|提交))`,
  `(?:${language})\\s*(?:回答|回复|答复|交流|沟通|で(?:答|返|回答|返答|返信|お願い|話|やり取り|コメント|書)|に(?:変更|切り替|戻))`,
  `(?:改成|改为|换成|改用)\\s*(?:${language})`,
  `(?<![\\p{L}])(?:switch(?:ing)?|move|wechseln|umstellen|stellen|passe|passons|passez|pasamos|cambiamos)(?![\\p{L}])[^.]{0,30} (?:to|in|auf|en|al?) (?:${language})[^.]{0,30}(?:commits?|comments?|docs?|repl\\p{L}+|kommentare?|antworten|commentaires?|réponses?|comentarios|respuestas)(?![\\p{L}])`,
  `(?:回复|回答|注释|提交信息|文档|交流|说明)(?:都|统一|一律|请|要)*用\\s*(?:${language})`,
  "(?<![\\p{L}])(?:us|uk|british|american) spelling (?:in|for|everywhere|throughout)(?![\\p{L}])",
);

export const orderWords: readonly OrderWords[] = [
  {
    strong: wholeWords(
      String.raw`(?:always|never)(?= (?!really|quite|fully|mind|been|was|were|had|seen|said|knew|got|did|made|saw|\p{L}+ed\b|(?:\p{L}*[^\Ws])s\b)\p{L})`,
      "(?:always|never) (?:in|use|with|as|on|without|before|to)",
      `from (?:now|here|this point|today) on(?:wards?)?|(?:going|moving) forward|henceforth|hereafter|${inFuture}|from now`,
      "at all times|under no circumstances|no matter what|without exceptions?|no exceptions|as a (?:general )?rule|by default",
      "(?:every|each) ?time|any ?time (?:you|i|we)|whenever|until further notice|until (?:i|we) (?:say|tell)|unless (?:i|we) (?:say|tell|ask|explicitly)|don't ever|do not ever|dont ever",
      "for the (?:rest|remainder) of (?:this|the|our)|(?:throughout|during) (?:this|the|our) (?:whole |entire )?(?:session|project|conversation|chat|work)|for (?:this|the) (?:whole|entire) (?:session|project|repo\\w*|conversation)",
      "(?:for|in|with|to) (?:all|any|every|each)(?: of)?(?: the| my| your)? \\p{L}+(?: that| which)? (?:you|we) (?!\\p{L}+ed |\\p{L}+ed$|had|have|wrote|made|did|found|saw)\\p{L}+|(?:every|each|any) \\p{L}+ (?:that )?you (?!\\p{L}+ed |\\p{L}+ed$|had|have|wrote|made|did|found|saw)\\p{L}+|(?:each|every one|all) of your|everything (?:that )?(?:you|we) (?:do|write|produce|generate|make|send)",
      "(?:write|keep|format|sign|begin|start|end|name|word|phrase|draft) all (?:of )?(?:my|your) \\p{L}+|in (?:all )?your (?:answers|replies|reports|responses|messages|summaries|e?-?mails|commits|comments|code)|(?<!(?<![\\p{L}])(?:has|have|had|is|are|was|were|got) [^,:]{0,40})(?:in|for) this (?:repo\\p{L}*|project|codebase)\\s*[,:]|(?<=, |please )(?:always|ever)(?=\\W*$|,)|don't [^.]*, ever\\W*$|whatever (?:we|you) (?:do|work on|write)",
      "(?:in|with|on|before|after|for) (?:(?:every|each|any)(?: (?:single|new|future|further|other))?|all (?:new|future|further|your)) (?:commit|change|edit|answer|reply|response|message|pr|pull request|push|step|time|turn|release|refactor\\w*|deploy\\w*|migration|class|component|endpoint|branch|task)s?",
      "(?<=^|, )in general(?=[,:]|\\W*$)|(?<=^|, )generally(?=[,:])|(?:answers?|replies|responses) only|remember (?:to|that you|:)|standing (?:order|rule|instruction)|(?:house|ground|general|golden|hard|project|team) rules?|rule of thumb",
      "off[- ]limits|(?:keep|stay) (?:your hands )?(?:away from|off|out of|clear of)|hands off",
      "(?:only|just) (?:ever )?\\p{L}+ (?:what|(?:the )?(?:lines|files|parts|code|functions)(?: that)?) you (?:touch|change|edit|modify|write|add)|\\p{L}+ only (?:what|(?:the )?(?:lines|files|parts|code|functions)(?: that)?) you (?:touch|change|edit|modify|write|add)",
      "(?:when(?:ever)?|if|where) (?:you(?:'re| are) )?(?:ever )?(?:unsure|uncertain|in doubt|not (?:quite |fully )?sure)|when you (?:write|make|open|create|add|name|commit|push|review|answer|touch|change)(?! (?:the|this|that|it|them|these)(?![\\p{L}]))|one (?:commit|pr|pull request|branch|migration) per|(?:this is|here's) how we(?:'ll| will)? (?:work|do (?:it|this|things))|we(?:'ll| will)? work like this|(?<=^|[,;:] )for (?:small|little|tiny|big|large|minor|trivial|larger|bigger|smaller) (?!\\p{L}+ (?:file|screen)s?)\\p{L}+s(?![\\p{L}])|(?:applies|holds|counts) again|before you (?:touch|change|write|start|edit|delete|remove) (?:any )?(?:code|anything)|you(?:'re| are) (?:not|only) allowed to|read[- ]only for you",
      "(?:rule|policy|convention|guideline|house style)s? (?:is|are|has changed to|have changed to|changed to) now|(?:rule|policy|convention|guideline|house style)s? (?:has|have)? ?changed to",
    ),
    usual: wholeWords(
      "i (?:always |generally |usually |strongly |really |much )?(?:prefer|hate)(?! (?:that|this|it|option|number)(?![\\p{L}]))|(?<!(?:you|they|he|she|who|which|people|users) )prefer(?! (?:that|this|it|option|number|the (?:first|second|third|last|former|latter))(?![\\p{L}]))|stick (?:to|with)|only (?:ever )?use(?! (?:it|this|that|them)(?![\\p{L}]))|use only|i (?:only )?want (?:all|every|only|short|no)|i don't want (?:any|to see|you)",
      "must(?:n't| not| never| always)|you (?:must|should|shall|may) (?:not|only|never|always)|(?:all|every|each) [^.]{1,60} (?:must|should|shall|has to|have to)",
      "without (?:asking|my|checking (?:with|first)|consulting|telling|permission)|ask (?:me )?(?:first|before)|(?:check|confirm|talk) (?:with|to) me (?:first|before)|(?:^|[,;:] )before (?:you )?(?:commit|push|delet|merg|deploy)\\p{L}*|(?:run|show|ask|check|test|lint|format|tell|wait|confirm|update|bump|rebase|review|verify) [^.,;]{0,60}before (?:you )?(?:commit|push|delet|merg|deploy)\\p{L}*",
      "(?:keep|make) (?:all |your |the |every )?(?:answers?|replies|responses?|explanations?|commits?|summar\\p{L}+|messages?|functions?|diffs?|names?|lines?)[^.]{0,40} (?:short|brief|concise|small|simple|terse|under|below)|be (?:brief|concise|terse|formal)|keep it (?:short|brief|concise|simple)|no emojis?|short answers|(?<!, )call me (?!if|when|at|on|once|back|later|as soon)\\p{L}+|address me|no [^.,]{1,40} in any(?: of)?|i go by \\p{L}+|(?:british|american|uk|us) (?:spelling|english)(?=,? (?:please|everywhere|throughout|only)|\\W*$)",
      `(?:we|this (?:project|repo|repository|codebase|team)) (?:only|always|never|don't|do not|doesn't) (?:use|write|add|commit|push|mock|want|support|allow)s?(?! (?:it|this|that|them)(?![\\p{L}]))|^(?:the |your |all )?(?:commit messages?|commits|answers|replies|(?:code )?comments|variable names|identifiers|branch names|pr (?:titles|descriptions)) (?:(?:stay|go|are|kept|to be|please|only) )*(?:in (?:the )?(?:imperative|lower ?case|present tense|plain|simple|british|american|${language})|short|small|brief|concise|under \\d+)|(?:here|in this (?:project|repo|repository|codebase)),? we [^.]+|we use [^.]+ (?:here|in this \\p{L}+)|use [^.,]{1,40}(?:,| and) (?:not|never)|(?:not|never|no) [^.,]{1,30}, (?:please )?use`,
      "(?:i(?:'ve| have)?|we(?:'ve| have)?) (?:already )?(?:told|asked) you (?:\\p{L}+ ){0,3}?(?:not to|never to|to always|to only|no more)",
      "leave [^.]{1,60} (?:alone|untouched|as (?:it )?is|as they are)|keep [^.]{1,60} (?:untouched|as (?:it )?is|unchanged)|make sure (?:that )?(?:you (?:always|never)|every|each)",
    ),
    descriptive: wholeWords(
      "(?:which|who|that (?:is|are|the|users?|people|they)) [^,.;:]{0,60}(?:always|never)|(?:my|our) (?:cat|dog|kid|son|daughter|wife|husband|mother|father|neighbou?r)\\p{L}*|why|it (?:always|never)|there [^.]{0,20}(?:always|never)|(?:can|could|may|might|will) (?:always|never)|(?:don't|doesn't|didn't|not) always|(?:causes?|seems?|appears?|makes?|leads?|causing|making) [^.]* (?:always|never)|(?:always|never|whenever|every time|each time)[^.]{0,60} (?:fails?|failed|crash\\w*|hangs?|breaks?|broken|returns|times? out|throws|errors?|happens?|wrong|flaky|worked|works)|(?:fails?|crash(?:es)?|hangs?|breaks?|broken|happens?) (?:every time|whenever|each time|always)|you (?:always|never) \\p{L}+|i (?:always|never) (?:get|see|know|knew|remember|understood|said|forget)|never ?mind|as always|like always|doesn't always|not always|never again happen",
    ),
  },
  {
    strong: wholeWords(
      "immer(?! (?:noch|wieder|mehr|weniger|besser|schlimmer|wenn das))|nie(?:mals)?|stets|grundsätzlich|prinzipiell|generell|standardmäßig",
      "ab (?:jetzt|sofort|heute|nun)|von (?:jetzt|nun|hier|heute) an|künftig|zukünftig|in zukunft|fortan|für den rest|bis auf weiteres|solange (?:ich|wir)|bis (?:ich|wir) [^.]*(?:sag|melde)\\p{L}*",
      "jede[rs]? deiner|(?:alle|all|in all) deine[nr]?|bei allem,? was|in deinen (?:antworten|nachrichten|berichten|commits|kommentaren|zusammenfassungen)|immer wenn|jedes ?mal|(?:bei|vor|nach|in|für|zu|mit) (?:jede[mnrs]?|alle[nmr]?)|auf keinen fall|unter keinen umständen|keinesfalls|ausnahmslos|ohne ausnahme|ausschließlich|(?<!\\p{L}t (?:jetzt |nun |da |es |mir |uns |dann ){0,2})nur noch(?! (?:ein|eine[mnrs]?|zwei|drei|wenige|das|der|die|\\d+)(?![\\p{L}]))",
      "(?:wenn|falls) du (?:dir )?(?:\\p{L}+ )?(?:unsicher|nicht (?:ganz )?sicher)|im zweifel(?:sfall)?|wir (?:arbeiten|machen das|halten das) so(?= ?:)|so arbeiten wir|(?<=^|[,;:] )(?:bei|für) (?:kleine|größere|große|kleinere)[nr]? \\p{L}+(?:en|n|s|e)(?![\\p{L}])|(?:gilt|gelten) (?:\\p{L}+ ){0,2}?wieder|(?:ein|einen|eine) (?:commit|pr|branch|migration) (?:pro|je)|(?:bevor|ehe) du (?:irgend ?(?:was|etwas)|etwas|code|was) [^.,]{1,30}",
      "nur [^.,]{0,40},? ?(?:was|die|den|das) du (?:\\p{L}+ )?(?:änderst|anfasst|bearbeitest|schreibst|anrührst|angefasst hast)|(?:regel|vorgabe|konvention|richtlinie|absprache) (?:\\p{L}+ ){0,3}?(?:ist|lautet|heißt) (?:jetzt|nun)|(?:gilt|bleibt) (?:so )?(?:für )?immer",
      "merk(?:e|t)? dir|denk(?:e)? (?:immer )?daran|finger weg|tabu",
    ),
    usual: wholeWords(
      "bevorzug\\p{L}*|lieber [^.]+ als|ich (?:mag|möchte|will|hätte gern) (?:keine?n?|nur|lieber|nicht)|vermeide\\p{L}*|verzichte\\p{L}*|bleib(?:e)? bei|halte dich an",
      "bitte (?:keine?n?|nicht|nur)|keine?n? [^.]{1,60}(?:bitte|!|ohne)|nicht (?:anfassen|ändern|verändern|löschen|pushen|committen|verwenden|benutzen|nutzen|einsetzen|installieren|bearbeiten|anrühren|antasten|umbenennen|mergen|duzen|siezen)|(?:du )?(?:darfst|sollst|musst|sollen|dürfen|muss|müssen) (?:nicht|nie|keine?n?|immer|stets)",
      "(?:habe?|hatte) (?:ich )?(?:dir )?(?:doch |schon |ja |mal |bereits )*gesagt,? [^.?]*(?<![\\p{L}])(?:nicht|nie|keine?n?)|ohne (?:meine|zu fragen|rückfrage|rücksprache|mich)|frag(?:e|t)? (?:mich|erst|zuerst|vorher|immer|bitte)|erst (?:fragen|nachfragen)|(?:be|ver)nutz\\p{L}* nur|verwende nur|nimm (?:nur|statt)|nutze nur|halte? [^.]{1,40} (?:kurz|knapp|klein|einfach)|(?:kurz|knapp) halten|fass\\p{L}* (?:dich|dir) kurz|lass(?:e)? [^.]{1,60} (?:in ruhe|unberührt|so wie)|kein(?:e|en)? emojis?|wir (?:verwenden|benutzen|nutzen|schreiben|arbeiten mit)|siez\\p{L}*|duz\\p{L}*",
      "(?:fass\\p{L}*|rühr\\p{L}*|änder\\p{L}*|lösch\\p{L}*|push\\p{L}*|commit\\p{L}*|verwende\\p{L}*|benutz\\p{L}*|nutz\\p{L}*|install\\p{L}*|schreib\\p{L}*|füg\\p{L}*|nimm|mach\\p{L}*|stell\\p{L}*|gib|starte\\p{L}*) [^.?]{0,80}(?:nicht|nie|keine?n?)",
    ),
    descriptive: wholeWords(
      "(?:schlägt|schlagen|stürzt|hängt|bricht|geht|gehen|klappt|funktioniert|kommt|läuft|knallt|passiert|crasht) [^.]{0,60}(?:immer|nie|jedes ?mal|bei jede[mr]|fehl|ab|nicht)|(?:immer|jedes ?mal)[^.]{0,60} (?:fehl|fehler|abstürz\\p{L}*|kaputt|schief)|warum|wieso|weshalb|wie immer|nie wieder passiert|kommt nicht in frage\\?",
    ),
  },
  {
    strong: wholeWords(
      "(?<!pas |presque )toujours(?! pas)|jamais|dorénavant|désormais|à partir de (?:maintenant|là|ce jour)|à l['’]avenir|dès (?:maintenant|à présent)|systématiquement|en aucun cas|sous aucun prétexte|sans exception|en permanence|par défaut",
      "(?:d'une |de )?(?:façon|manière) générale|(?<=^|, )en général(?=[,:]|\\W*$)|chacune? de (?:tes|vos|mes)|(?:dans|pour|de) (?:toutes? |tous )?(?:tes|vos) (?:réponses|messages|commits|commentaires|rapports|résumés)|pour tout ce (?:que|qu['’]\\p{L}+)|(?:à )?chaque fois|à chaque|avant chaque|après chaque|pour chaque|dans chaque|avant (?:tout|toute)|pour (?:tous|toutes) (?:les|tes|vos)|dans (?:tous|toutes)|jusqu['’]à (?:nouvel ordre|ce que)|tant que|pour (?:le reste|toute la suite|la suite)|souviens-toi|rappelle-toi|retiens|garde(?:z)? (?:en tête|à l['’]esprit)|interdi(?:t|ction|te)s?|défense de",
      "(?:quand|lorsque|si) tu (?:n['’]es pas (?:sûre?|certaine?)|as un doute|hésites)|dans le doute|en cas de doute|on (?:travaille|fonctionne|procède) comme (?:ça|suit|ceci)|(?<=^|[,;:] )pour les (?:petit|gros|grand)\\p{L}* \\p{L}+|quand tu (?:écris|crées|ajoutes|commites|pousses|ouvres|réponds|modifies)(?! (?:le|la|les|ce|cette|ça)(?![\\p{L}]))|s['’]applique(?:nt)? (?:de|à) nouveau|une? (?:commit|pr|branche|migration) par|avant de \\p{L}+ quoi que ce soit|tu n['’]y touches? (?:pas|jamais|plus)",
      "(?:seulement|uniquement|juste|que) [^.,]{0,30}(?:ce|celles?|ceux|les \\p{L}+) que tu (?:touches|modifies|changes|édites|écris)|(?:règle|consigne|convention|politique|charte) (?:\\p{L}+ ){0,3}?(?:est (?:maintenant|désormais)|a changé|devient)",
    ),
    usual: wholeWords(
      "(?:je )?préf[èé]r\\p{L}*|privilégi\\p{L}*|évit\\p{L}*|n['’](?:utilise|ajoute|emploie|écris|installe|efface|envoie|invente|ouvre|exécute)\\p{L}* (?:pas|plus|aucune?|que)|ne (?:me |te |le |la |les )?(?:touche|modifie|change|pousse|supprime|fais|faites|mets|commite|committe|push|fusionne|crée|renomme|traduis|lance|réponds|parle|déploie|casse|laisse|commence|demande)\\p{L}* [^.]{0,40}(?:pas|plus|aucune?|que|rien|ni)|ne (?:pas|jamais|plus) \\p{L}+",
      `t['’](?:ai|avais) (?:déjà |bien )?(?:dit|demandé) (?:de ne|de n['’]|pas|qu)|pas (?:de|d['’]) ?\\p{L}+|(?:uniquement|seulement)(?! (?:l[ae]s?|l['’]|une?|ces?|cette)(?![\\p{L}]))|^(?:les )?(?:messages? de commit|commits|réponses|commentaires|noms de (?:variables|branches)) (?:(?:restent|sont|soient) )?(?:en (?:${language})|courts?|courtes?|brefs|brèves)|fais court|sans (?:me|mon|ma|m['’])\\s?\\p{L}+|demande(?:z)?[- ]moi|je (?:ne )?veux (?:pas|que(?! (?:l[ae]s?|l['’]|une?|ça|ce|cette|ces|ils?|elles?|mon|ma|mes|chaque)(?![\\p{L}]))|plus|uniquement|toujours)|laisse(?:z)? [^.]{1,60} (?:tranquille|intact\\p{L}*|tel\\p{L}*)|reste(?:z)? (?:bref|concis|sur|en)|sois (?:bref|concis)|soyez (?:bref|brefs|concis)|(?:tutoi|tutoy|vouvoi|vouvoy)\\p{L}*|on (?:utilise|n['’]utilise)|nous utilisons|pense(?:z)? à|tu (?:dois|ne dois)|vous (?:devez|ne devez)`,
    ),
    descriptive: wholeWords(
      "(?:échoue|plante|bloque|marche|fonctionne|tombe|arrive)\\p{L}* [^.]{0,40}(?:toujours|jamais|chaque fois|pas|à chaque)|ne (?:marche|fonctionne|passe|compile|démarre)\\p{L}* [^.]{0,20}(?:pas|jamais|plus)|pourquoi|comme toujours|il y a (?:toujours|encore)|est toujours|sont toujours",
    ),
  },
  {
    strong: wholeWords(
      "siempre(?! (?:falla|sale|da error))|nunca|jamás|(?:de|desde) (?:ahora|aquí|hoy) en adelante|a partir de (?:ahora|aquí|hoy)|en (?:adelante|el futuro|lo sucesivo)|desde ahora|bajo ning[uú]n\\p{L}*|en ning[uú]n (?:caso|momento)|sin excepci[oó]n\\p{L}*|por (?:defecto|norma|regla general)",
      "(?<=^|, )en general(?=[,:]|\\W*$)|por norma|en lo que (?:escribas|hagas)|cada una? de (?:tus|sus|mis)|(?:en|para) (?:todas |todos )?tus (?:respuestas|mensajes|commits|comentarios|informes|resúmenes)|para todo lo que|cada vez|(?:en|antes de|después de|para|con|tras|a) (?:cada|todos?|todas?|cualquier)|hasta (?:que (?:yo|te)|nuevo aviso)|mientras (?:no|dure|trabaj\\p{L}*)|durante (?:toda|el resto)|(?:por|durante) el resto de|recuerda(?: que|:)|ten (?:en cuenta|presente)|prohibid\\p{L}*",
      "(?:cuando|si) (?:dudes|dudas|tengas dudas|tienes dudas|no est[ée]s segur\\p{L}*|no estás segur\\p{L}*)|(?:en caso de|ante la) duda|(?:trabajamos|funcionamos|lo hacemos) así(?= ?:)|(?<=^|[,;:] )para (?:los |las )?(?:\\p{L}+ )?(?:pequeñ|grand)\\p{L}+|cuando (?:escribas|hagas|crees|añadas|subas|abras|respondas|cambies|toques)(?! (?:el|la|los|las|este|esta|eso)(?![\\p{L}]))|vuelve a (?:valer|regir|aplicarse)|una? (?:commit|pr|rama|migración) por|antes de (?:tocar|borrar|cambiar|empezar) (?:nada|código|cualquier \\p{L}+)|ni (?:tocar|mirar)(?:l[oa]s?)?",
      "(?:solo|sólo|solamente|únicamente) [^.,]{0,30}(?:lo|las \\p{L}+|los \\p{L}+) que (?:toques|cambies|modifiques|edites|escribas|tocas|cambias)|(?:regla|norma|política|convención|criterio) (?:\\p{L}+ ){0,3}?(?:ahora es|es ahora|ha cambiado|cambió|pasa a)",
    ),
    usual: wholeWords(
      `(?:yo )?prefier\\p{L}*|evit[ae]\\p{L}*|(?:me gusta|me gustan|no me gusta\\p{L}*)|solo (?:usa|utiliza|en|con)|(?:s[oó]lo|solamente|[uú]nicamente)(?! (?:el|la|los|las|una?|este|esta|eso|esto)(?![\\p{L}]))|^(?:los |las |que los |que las )?(?:mensajes de commit|commits|respuestas|comentarios|nombres de variables) (?:(?:sean|son|van|quedan) )?(?:en (?:${language})|cort[oa]s|breves|pequeños)|(?:respónde|contésta|hábla|escríbe)me (?:corto|breve|en|de|con|sin)|no quiero(?: que(?! (?:el|la|los|las|una?|se|haya|sea|esté)(?![\\p{L}])))?(?! (?:el|la|los|las|una?|este|esta|eso|esto)(?![\\p{L}]))|quiero que(?! (?:el|la|los|las|una?|mi|se|haya|sea|esté|este|esta|cada|todo)(?![\\p{L}]))`,
      "no (?:me |le |lo |la |los |las |te )?(?!changes|files|matches|issues|tests|errors|problems|values|lines|names|cases|messages|types|dates|does|es |was|has|as |puedes|tienes|sabes|haces|quieres|eres|es|has|veas|olvides|funciones|pues|más|entiendes|debes hacer|crees|pasas|das|ves|estás)\\p{L}{2,}(?:es|as|áis|éis)|no (?:se )?(?:debe|debes|deben|toque|uses|hagas|hay que|tocar|usar|cambiar|borrar|modificar|añadir)\\p{L}*",
      "te (?:dije|he dicho|había dicho|tengo dicho) que (?:no|nunca|solo|siempre)|sin (?:preguntar\\p{L}*|mi|consultar\\p{L}*|avisar\\p{L}*|permiso|pedir\\p{L}*)|preg[uú]ntame|consúltame|avísame|deja [^.]{1,60} (?:en paz|como est[aá]n?|intact\\p{L}*)|s[eé] (?:breve|conciso)|respuestas (?:cortas|breves)|sin emojis|usamos|tutéame|trátame|debes|tienes que",
    ),
    descriptive: wholeWords(
      "t[uú] siempre|(?:falla|fallan|funciona|funcionan|sale|salen|da|se (?:cae|cuelga|rompe)|pasa|ocurre) [^.]{0,40}(?:siempre|nunca|cada vez)|(?:siempre|nunca|cada vez que) [^.]{0,40}(?:falla|fallan|error|se cae|se cuelga|revienta|funciona)\\p{L}*|por qu[eé]|como siempre|no funciona|sigue (?:sin|fallando)",
    ),
  },
  {
    strong: anyOf(
      "(?:总是|始终|永远|一直(?:用|保持|要|使用))|(?:绝不|绝对不|决不|从不|永不|绝对禁止)|千万(?:不|别)|务必|从(?:现在|今天|此)(?:开始|起)|从今(?:以后|往后|起)|以后|今后|往后|每次|每当|每一?(?:个|次|条|行|篇|封|份|张|页|段|句|天|回|本|章).{0,12}(?:都|前|后|之前|之后)|一律|默认|所有.{0,14}(?:都|必须|要|应该)|任何时候|任何情况|无论如何|除非我|记住|牢记|记得(?:每|都|总|一直)|接下来(?:都|的所有)|整个(?:会话|项目|过程)|在我.{0,6}之前|(?:不确定|拿不准|没把握|有疑问|有疑惑|不清楚)(?:的|的话|时|的时候)?[，, ]?(?:就|先|请|要|的?话)|凡是|(?:小|大)(?:改动|修改|问题|修复).{0,4}(?:可以)?(?:直接|先)|(?:写|做|改|提交|加|新建).{0,10}(?:的时候|时)[，, ]?(?:都|要|请|先|用|记得)|每(?:改|写|加|做|动|提交|完成|新增).{0,12}(?:就|都|要|先)|一个.{1,6}一个(?:commit|提交|分支|pr)|只.{0,8}你(?:自己)?(?:改|动|碰|写|修改)(?:过|到)?的|(?:规定|规范|约定|方针|标准|风格)(?:现在|已经)?(?:改成|改为|变成|变为|换成)",
    ),
    usual: anyOf(
      "(?:请|也|都|就)?(?:(?<!要)不要|别(?!的|人|处)|勿)(?!了)|请勿|禁止|不得|不准|不许|(?<!可)不可以|(?<!能)不能(?!用|够|跑|运行|工作|编译)|只(?:用|能|许|要|准|可以|使用)|必须|优先|尽量|避免|偏好|我(?:更)?(?:喜欢|习惯|希望|倾向)|未经|没有我的|先(?:问|征求|经过|跟我|和我)|不用(?:表情|emoji)|保持.{0,12}(?:简短|简洁|不变|一致)|(?:回答|回复|注释)(?:要|请|得|尽量)?.{0,6}(?:简短|简洁)|^(?:代码)?(?:注释|提交信息|commit ?(?:message|信息)?|变量名|函数名|分支名|文档)(?:都|统一|一律|请|要)*用|我们(?:用|使用|不用)|统一(?:用|使用)|坚持",
    ),
    descriptive: anyOf(
      "(?:每次|总是|一直|老是)(?:都|就)?(?:这么|那么|很|特别)|(?:总是|一直|每次都?|老是|始终).{0,12}(?:报错|失败|出错|崩溃|超时|挂|不行|不对|卡)|为什么|为何|怎么(?:总|老|一直)|不(?:用|要)[^，。]{0,16}了|别(?:做|弄|管|改)了|以后再",
    ),
  },
  {
    strong: anyOf(
      "常に|必ず|いつも|絶対に?|決して|けっして|今後|これから(?:は|も)|(?:今日|本日|ここ)から|これ以降|以後|以降は|今から|毎回|毎度|(?:の|る|う|す|く|つ|ぬ|ぶ|む)たびに|(?:すべて|全て|全部)の.{0,20}(?:は|に|を|で)|どんな(?:場合|とき|時)|例外なく|原則|基本(?:的に)?は?|デフォルト|(?:私|僕|俺)が.{0,10}まで|覚えて(?:おいて)?|(?:こと|の)(?:を|は)忘れないで|このセッション(?:中|では)|このプロジェクトで(?:は|使)|都度|どの.{1,12}(?:でも|にも|であっても)|どれであっても|(?:迷ったら|迷った(?:とき|場合)|判断に迷|(?:小さ|大き)(?:い|な)(?:修正|変更|改修).{0,3}(?:は|なら)|(?:書く|作る|変える|変更する|コミットする|追加する|消す)(?:とき|時|際)(?:は|に|も)|不明(?:な点|点)が|(?:わから|分から)ない(?:とき|場合|こと)|自信がない(?:とき|場合))|(?:1|一)\\P{L}?.{1,6}(?:ごとに|につき)(?:1|一)?(?:コミット|pr)|厳禁|禁止|自分(?:が|で)(?:変更|編集|触|書)(?:した|った|いた|する|る).{0,10}だけ|(?:方針|ルール|規則|規約|決まり|運用|スタイル)(?:は|が)?.{0,24}に(?:変わ|変更|なりま|なった)",
    ),
    usual: anyOf(
      "しないで|(?<!忘|遠慮し|気にし|心配し)(?:か|わ|ら|さ|た|ば|ま|な|が|せ|べ|め|れ|え|け|げ|て|じ|み|見|き|い)ないで(?!す)|(?:する|使う|触る|消す|変える|書く|入れる|押す|送る|出す|付ける|つける|触れる|変更する)な(?:[。！!]|よ|$)|ないように|しない(?:こと|で)|ないでほしい|ては(?:いけ|なら|だめ|ダメ|駄目)|だけ(?:を|に|で)?(?:使|し|書|編集|変更)|のみ|ことにして|優先|避けて|控えて|(?:方|ほう)が(?:いい|良い|好き|好み)|好み|勝手に|(?:許可|確認|承認|相談)(?:なし|なく|を(?:取|得|し)|して)から?|前に.{0,8}(?:聞いて|確認|相談|見せて)|こと[。！]?$|簡潔|短く|(?:返事|返信|回答|返答|説明).{0,6}(?:短め|手短)|敬語|使わず|我々は|私たちは|うちでは",
    ),
    descriptive: anyOf(
      "いつも.{0,14}(?:早い|速い|すごい|助か|ありがと|お世話)|仕様(?:です|だ|になって)|(?:いつも|必ず|毎回|常に|絶対).{0,20}(?:失敗|落ち|エラー|止ま|固ま|壊れ|おかしい|動かな)|なぜ|どうして|(?:動|でき|わか|分か|通ら)ない(?:で|の)(?:す|か)",
    ),
  },
];

/** Says outright that it binds from now on, whatever else the sentence says. */
export const binding = anyOf(
  `(?<![\\p{L}])(?:from (?:now|here|this point|today) on(?:wards?)?|from now|(?<!(?:the|one|those|data|logs?|files?|news|version) )from today(?=,|\\W*$)|as of (?:now|today)|starting (?:now|today)|(?:going|moving) forward|henceforth|hereafter|${inFuture}|until further notice|at all times|ab (?:jetzt|sofort|heute|nun)|von (?:jetzt|nun|hier|heute) an|künftig|zukünftig|in zukunft|fortan|bis auf weiteres|dorénavant|désormais|à partir de (?:maintenant|là|ce jour)|à l['’]avenir|dès (?:maintenant|à présent)|jusqu['’]à nouvel ordre|(?:de|desde) (?:ahora|aquí|hoy) en adelante|a partir de (?:ahora|aquí|hoy)|en (?:adelante|el futuro|lo sucesivo)|desde ahora|hasta nuevo aviso|not (?:just|only) (?:for )?(?:this (?:time|once|one|task)|now|today)|nicht nur (?:diesmal|dieses mal|jetzt|heute)|pas (?:seulement|que|juste) (?:pour )?(?:cette fois|aujourd['’]hui)|no (?:solo|sólo) (?:por )?(?:esta vez|ahora|hoy))(?![\\p{L}])`,
  "不(?:只|仅|光|单)是?(?:这(?:一)?次|今天|现在)|(?:今回|今日)(?:に限ら|だけ(?:で(?:は|じゃ)?なく|じゃなく)|のみなら)|从(?:现在|今天?|今日|此|这里|这次)(?:开始|以后|往后|起)|以后(?!再)|今后|往后|今後|これから(?:は|も)|(?:今日|本日|今|ここ)から|これ以降|以後|以降は",
);

/** Announces rules of the user's own that come next. */
export const announcesRules = anyOf(
  "(?<![\\p{L}])(?:(?:a few|some|two|three|four|several|my|our|these|the following|here are|ground|house|golden|general|project|repo\\p{L}*|coding|basic)[ ,]+){1,3}(?:\\p{L}+ )?(?:rules|conventions|constraints|guidelines|preferences|habits)(?![\\p{L}])",
  "^(?:(?:important|standing|hard) )?(?:rules|conventions|constraints|guidelines|preferences|house rules)(?: for [^.:]{1,60})?\\s*:",
  "(?<![\\p{L}])(?:ein paar|einige|zwei|drei|vier|meine|unsere|folgende|diese)[^.:]{0,30} ?(?:regeln|vorgaben|konventionen|grundregeln|spielregeln)(?![\\p{L}])|^(?:regeln|vorgaben)[^.:]{0,60}:",
  "(?<![\\p{L}])(?:quelques|deux|trois|quatre|mes|nos|voici (?:les|mes)?)[^.:]{0,20} ?(?:règles|consignes|conventions)(?![\\p{L}])|^(?:règles|consignes)[^.:]{0,60}:",
  "(?<![\\p{L}])(?:unas|algunas|dos|tres|cuatro|mis|nuestras|estas)[^.:]{0,20} ?(?:reglas|normas|convenciones)(?![\\p{L}])|^(?:reglas|normas)[^.:]{0,60}:",
  "(?:有|几|两|三|四|以下|我的|这).{0,6}(?:规矩|规则|规定|要求|约定)(?!了)",
  "(?:ルール|規則|決まり|約束事?)(?:です|を(?:決め|伝え)|が(?:あり|\\d|二|三|四|いくつ))|(?:お願い|約束)が(?:\\d|二つ|三つ|いくつか)",
);

/** A ban in English: at the beginning of a clause, and of something that can be done. */
export const englishBan =
  /(?:^|[,;:–—(]\s*|(?<![\p{L}])(?:please|and|but|also|so|just|then|or)\s+)(?:please\s+)?(?:don't|do not|dont|never(?! (?:really|quite|ever|got|get)(?![\p{L}]))|no more|refrain from|stop(?= \p{L}+ing(?![\p{L}])))\s+(?!\p{L}+ed(?![\p{L}])|worry|know|think|bother|understand|mind|see|need|care|remember|have|forget|stop|continue|wait|proceed|do (?:that|this|it)(?![\p{L}])|it(?![\p{L}])|that(?![\p{L}])|this(?![\p{L}])|want to|the (?:server|build|process)|working|there)\p{L}|^(?:please )?avoid\s+\p{L}/u;

/** Says that what was said in the sentence before holds for what comes as well, or that it is the custom. */
export const extendsOnward = anyOf(
  "^(?:that's|that is) (?:how|the way) we (?:do|work|like|want)|^so (?:machen|halten|handhaben) wir (?:das|es) |^c'est comme ça qu'on (?:fait|travaille)|^así (?:lo hacemos|trabajamos)|^我们(?:这边|这里)?(?:都|一直)(?:是)?这(?:么|样)|^うちでは(?:いつも|ずっと)?そう",
  "^(?:and |likewise )?(?:the )?(?:same|that|this|also|likewise)(?: goes| applies| holds| is true)? for (?:all |any |every |the )*(?:following|future|coming|upcoming|later|subsequent|next) ",
  "^(?:und )?(?:das |dies )?(?:gilt|dasselbe|das gleiche|genauso|ebenso)(?: gilt)?(?: auch| dann| ebenso| genauso)? (?:für|bei|in) (?:alle |die |den |das |allen )*(?:folgende|weitere|nächste|künftige|zukünftige|spätere|kommende)",
  "^(?:et )?(?:pareil|idem|la même chose|c'est valable|ça vaut|de même)(?: aussi)? (?:pour|dans) (?:tous |toutes )?(?:la suite|(?:les |le |la )?(?:\\p{L}+ )?(?:suivante?s?|prochaine?s?|futur\\p{L}*|à venir))",
  "^(?:y )?(?:lo mismo|igual|vale|también)(?: vale)? (?:para|con|en) (?:todos |todas )?(?:los|las|el|la|lo) (?:\\p{L}+ )?(?:siguientes?|próxim\\p{L}*|futur\\p{L}*|que (?:viene|sigue)n?)",
  "^(?:后面|之后|接下来|以后|后续)的?.{0,10}(?:也|都)(?:一样|同样|是?这样|照此|如此|按这个)",
  "^(?:この先|以降|今後|次(?:から|以降))の?.{0,10}(?:も|は)(?:同様|同じ|そう)",
);

/** Says of what alone an order holds; behind words that end a wider one. */
export const restates = anyOf(
  "^(?:only|just) (?:\\p{L}+ ){0,4}\\p{L}+\\W*$|^(?:for |on |in )?(?:\\p{L}+ ){1,3}only\\W*$|^nur (?:noch )?(?:\\p{L}+ ){0,4}\\p{L}+\\W*$|^(?:seulement|uniquement|que) (?:\\p{L}+ ){0,4}\\p{L}+\\W*$|^(?:solo|sólo|solamente) (?:\\p{L}+ ){0,4}\\p{L}+\\W*$",
  "^只.{1,16}$|^.{1,16}(?:だけ|のみ)(?:で|です|に)?(?:お願い(?:します)?|いい(?:です)?)?[。]?$",
);

/** A rule that is called one. */
export const calledRule = anyOf(
  "^(?:(?:general|standing|house|first|golden|basic|hard|one|my|our|team|project) )*(?:rule|convention)(?: (?:number |no\\.? ?|n° ?|#)?(?:one|1))?(?: (?:for|in|of) [^.:]{1,40})? ?: ?\\S",
  "^(?:(?:allgemeine|erste|meine|unsere|wichtige) )*(?:grund)?(?:regel|vorgabe|ansage)(?: (?:nr\\.? ?|nummer )?(?:1|eins))?(?: (?:für|in) [^.:]{1,40})? ?: ?\\S",
  "^(?:(?:petite|première|ma|notre) )*(?:règle|consigne)(?: (?:générale|d'or|absolue|n° ?1|numéro (?:1|un)))*(?: (?:pour|dans|de) [^.:]{1,40})? ?: ?\\S",
  "^(?:(?:primera|mi|nuestra) )*(?:regla|norma|consigna)(?: (?:general|básica|de oro|n[.º°]* ?1|número (?:1|uno)))*(?: (?:para|en|de) [^.:]{1,40})? ?: ?\\S",
  "^(?:通用|总的|第一条|基本)?(?:规矩|规则|原则|要求)[:：].|^(?:基本|共通)?(?:ルール|原則|決まり)[:：].",
);

/** Leaves open what is not named; behind an order. */
export const leavesRest = anyOf(
  "^(?:and )?(?:the rest|everything else|anything else|all else),? (?:just do|you (?:can|may|just)|(?:is|are) (?:fine|up to you|free|allowed|yours))",
  "^(?:und )?(?:der rest|den rest|alles andere),? (?:einfach|mach|darfst|kannst|ist (?:ok|okay|frei|egal|dir))",
  "^(?:et )?(?:tout )?le reste,? (?:tu (?:peux|fais)|fais|vas-y|c'est libre)",
  "^(?:y )?(?:el resto|(?:todo )?lo demás),? (?:hazlo|puedes|adelante|directamente|como quieras)",
  "^(?:其他|其它|其余)的?(?:你)?(?:直接|随便|自己)(?:做|改|弄|定|来)|^(?:他|ほか|それ以外)は(?:そのまま|自由に|どんどん|勝手に)",
);

/** Ends an order but for what stands at the end. */
export const exceptLast =
  /[,;:–—，]\s?(?:just|only|nur(?: noch)?|seulement|uniquement|solo|sólo|solamente|只|仅)\s?(?:[\p{L}\p{N}_./-]+\s?){1,5}[.!。]*$/u;
