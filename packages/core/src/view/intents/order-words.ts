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
);

export const orderWords: readonly OrderWords[] = [
  {
    strong: wholeWords(
      String.raw`(?:always|never)(?= (?!mind|been|was|were|had|seen|said|knew|got|did|made|saw|\p{L}+ed\b|(?:\p{L}*[^\Ws])s\b)\p{L})`,
      "(?:always|never) (?:in|use|with|as|on|without|before|to)",
      `from (?:now|here|this point|today) on(?:wards?)?|(?:going|moving) forward|henceforth|hereafter|${inFuture}|from now`,
      "at all times|under no circumstances|no matter what|without exceptions?|no exceptions|as a (?:general )?rule|by default",
      "(?:every|each) ?time|any ?time (?:you|i|we)|whenever|until further notice|until (?:i|we) (?:say|tell)|unless (?:i|we) (?:say|tell|ask|explicitly)|don't ever|do not ever|dont ever",
      "for the (?:rest|remainder) of (?:this|the|our)|(?:throughout|during) (?:this|the|our) (?:whole |entire )?(?:session|project|conversation|chat|work)|for (?:this|the) (?:whole|entire) (?:session|project|repo\\w*|conversation)",
      "(?:for|in|with|to) (?:all|any|every|each)(?: of)?(?: the| my| your)? \\p{L}+(?: that| which)? (?:you|we) (?!\\p{L}+ed |\\p{L}+ed$|had|have|wrote|made|did|found|saw)\\p{L}+|(?:every|each|any) \\p{L}+ (?:that )?you (?!\\p{L}+ed |\\p{L}+ed$|had|have|wrote|made|did|found|saw)\\p{L}+|(?:each|every one|all) of your|everything (?:that )?(?:you|we) (?:do|write|produce|generate|make|send)",
      "(?:write|keep|format|sign|begin|start|end|name|word|phrase|draft) all (?:of )?(?:my|your) \\p{L}+|in (?:all )?your (?:answers|replies|reports|responses|messages|summaries|e?-?mails|commits|comments|code)|(?:in|for) this (?:repo\\p{L}*|project|codebase)\\s*[,:]|(?<=, |please )(?:always|ever)\\W*$|don't [^.]*, ever\\W*$|whatever (?:we|you) (?:do|work on|write)",
      "(?:in|with|on|before|after|for) (?:(?:every|each|any)(?: (?:single|new|future|further|other))?|all (?:new|future|further|your)) (?:commit|change|edit|answer|reply|response|message|pr|pull request|push|step|time|turn|release|refactor\\w*|deploy\\w*|migration|class|component|endpoint|branch|task)s?",
      "(?<=^|, )in general(?=[,:]|\\W*$)|(?<=^|, )generally(?=[,:])|(?:answers?|replies|responses) only|remember (?:to|that you|:)|standing (?:order|rule|instruction)|(?:house|ground|general|golden|hard|project|team) rules?|rule of thumb",
      "off[- ]limits|(?:keep|stay) (?:your hands )?(?:away from|off|out of|clear of)|hands off",
    ),
    usual: wholeWords(
      "i (?:always |generally |usually |strongly |really |much )?(?:prefer|hate)(?! (?:that|this|it|option|number)(?![\\p{L}]))|(?<!(?:you|they|he|she|who|which|people|users) )prefer(?! (?:that|this|it|option|number|the (?:first|second|third|last|former|latter))(?![\\p{L}]))|stick (?:to|with)|only (?:ever )?use|use only|i (?:only )?want (?:all|every|only|short|no)|i don't want (?:any|to see|you)",
      "must(?:n't| not| never| always)|you (?:must|should|shall|may) (?:not|only|never|always)|(?:all|every|each) [^.]{1,60} (?:must|should|shall|has to|have to)",
      "without (?:asking|my|checking (?:with|first)|consulting|telling|permission)|ask (?:me )?(?:first|before)|(?:check|confirm|talk) (?:with|to) me (?:first|before)|(?:^|[,;:] )before (?:you )?(?:commit|push|delet|merg|deploy)\\p{L}*|(?:run|show|ask|check|test|lint|format|tell|wait|confirm|update|bump|rebase|review|verify) [^.,;]{0,60}before (?:you )?(?:commit|push|delet|merg|deploy)\\p{L}*",
      "(?:keep|make) (?:all |your |the |every )?(?:answers?|replies|responses?|explanations?|commits?|summar\\p{L}+|messages?|functions?|diffs?|names?|lines?)[^.]{0,40} (?:short|brief|concise|small|simple|terse|under|below)|be (?:brief|concise|terse|formal)|keep it (?:short|brief|concise|simple)|no emojis?|short answers|(?<!, )call me (?!if|when|at|on|once|back|later|as soon)\\p{L}+|address me|no [^.,]{1,40} in any of",
      "(?:we|this (?:project|repo|repository|codebase|team)) (?:only|always|never|don't|do not|doesn't) (?:use|write|add|commit|push|mock|want|support|allow)s?|(?:here|in this (?:project|repo|repository|codebase)),? we [^.]+|we use [^.]+ (?:here|in this \\p{L}+)|use [^.,]{1,40}(?:,| and) (?:not|never)|(?:not|never|no) [^.,]{1,30}, (?:please )?use",
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
      "jede[rs]? deiner|(?:alle|all|in all) deine[nr]?|bei allem,? was|in deinen (?:antworten|nachrichten|berichten|commits|kommentaren|zusammenfassungen)|immer wenn|jedes ?mal|(?:bei|vor|nach|in|für|zu|mit) (?:jede[mnrs]?|alle[nmr]?)|auf keinen fall|unter keinen umständen|keinesfalls|ausnahmslos|ohne ausnahme|ausschließlich|nur noch",
      "merk(?:e|t)? dir|denk(?:e)? (?:immer )?daran|finger weg|tabu",
    ),
    usual: wholeWords(
      "bevorzug\\p{L}*|lieber [^.]+ als|ich (?:mag|möchte|will|hätte gern) (?:keine?n?|nur|lieber|nicht)|vermeide\\p{L}*|verzichte\\p{L}*|bleib(?:e)? bei|halte dich an",
      "bitte (?:keine?n?|nicht|nur)|keine?n? [^.]{1,60}(?:bitte|!|ohne)|nicht (?:anfassen|ändern|verändern|löschen|pushen|committen|verwenden|benutzen|nutzen|einsetzen|installieren|bearbeiten|anrühren|antasten|umbenennen|mergen|duzen|siezen)|(?:du )?(?:darfst|sollst|musst|sollen|dürfen|muss|müssen) (?:nicht|nie|keine?n?|immer|stets)",
      "ohne (?:meine|zu fragen|rückfrage|rücksprache|mich)|frag(?:e|t)? (?:mich|erst|zuerst|vorher|immer|bitte)|erst (?:fragen|nachfragen)|(?:be|ver)nutz\\p{L}* nur|verwende nur|nimm (?:nur|statt)|nutze nur|halte? [^.]{1,40} (?:kurz|knapp|klein|einfach)|fass\\p{L}* (?:dich|dir) kurz|lass(?:e)? [^.]{1,60} (?:in ruhe|unberührt|so wie)|kein(?:e|en)? emojis?|wir (?:verwenden|benutzen|nutzen|schreiben|arbeiten mit)|siez\\p{L}*|duz\\p{L}*",
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
    ),
    usual: wholeWords(
      "(?:je )?préf[èé]r\\p{L}*|privilégi\\p{L}*|évit\\p{L}*|n['’](?:utilise|ajoute|emploie|écris|installe|efface|oublie|envoie|invente|ouvre|exécute)\\p{L}* (?:pas|plus|aucune?|que)|ne (?:me |te |le |la |les )?(?:touche|modifie|change|pousse|supprime|fais|faites|mets|commite|committe|push|fusionne|crée|renomme|traduis|lance|réponds|parle|déploie|casse|laisse|commence|demande)\\p{L}* [^.]{0,40}(?:pas|plus|aucune?|que|rien|ni)|ne (?:pas|jamais|plus) \\p{L}+",
      "pas (?:de|d['’]) ?\\p{L}+|uniquement|seulement|sans (?:me|mon|ma|m['’])\\s?\\p{L}+|demande(?:z)?[- ]moi|je (?:ne )?veux (?:pas|que|plus|uniquement|toujours)|laisse(?:z)? [^.]{1,60} (?:tranquille|intact\\p{L}*|tel\\p{L}*)|reste(?:z)? (?:bref|concis|sur|en)|sois (?:bref|concis)|soyez (?:bref|brefs|concis)|tutoie|vouvoie|on (?:utilise|n['’]utilise)|nous utilisons|pense(?:z)? à|tu (?:dois|ne dois)|vous (?:devez|ne devez)",
    ),
    descriptive: wholeWords(
      "(?:échoue|plante|bloque|marche|fonctionne|tombe|arrive)\\p{L}* [^.]{0,40}(?:toujours|jamais|chaque fois|pas|à chaque)|ne (?:marche|fonctionne|passe|compile|démarre)\\p{L}* [^.]{0,20}(?:pas|jamais|plus)|pourquoi|comme toujours|il y a (?:toujours|encore)|est toujours|sont toujours",
    ),
  },
  {
    strong: wholeWords(
      "siempre(?! (?:falla|sale|da error))|nunca|jamás|(?:de|desde) (?:ahora|aquí|hoy) en adelante|a partir de (?:ahora|aquí|hoy)|en (?:adelante|el futuro|lo sucesivo)|desde ahora|bajo ning[uú]n\\p{L}*|en ning[uú]n (?:caso|momento)|sin excepci[oó]n\\p{L}*|por (?:defecto|norma|regla general)",
      "(?<=^|, )en general(?=[,:]|\\W*$)|por norma|en lo que (?:escribas|hagas)|cada una? de (?:tus|sus|mis)|(?:en|para) (?:todas |todos )?tus (?:respuestas|mensajes|commits|comentarios|informes|resúmenes)|para todo lo que|cada vez|(?:en|antes de|después de|para|con|tras|a) (?:cada|todos?|todas?|cualquier)|hasta (?:que (?:yo|te)|nuevo aviso)|mientras (?:no|dure|trabaj\\p{L}*)|durante (?:toda|el resto)|(?:por|durante) el resto de|recuerda(?: que|:)|ten (?:en cuenta|presente)|prohibid\\p{L}*",
    ),
    usual: wholeWords(
      "(?:yo )?prefier\\p{L}*|evit[ae]\\p{L}*|(?:me gusta|me gustan|no me gusta\\p{L}*)|solo (?:usa|utiliza|en|con)|s[oó]lo|solamente|[uú]nicamente|no quiero(?: que)?|quiero que",
      "no (?:me |le |lo |la |los |las |te )?(?!changes|files|matches|issues|tests|errors|problems|values|lines|names|cases|messages|types|dates|does|es |was|has|as |puedes|tienes|sabes|haces|quieres|eres|es|has|veas|olvides|funciones|pues|más|entiendes|debes hacer|crees|pasas|das|ves|estás)\\p{L}{2,}(?:es|as|áis|éis)|no (?:se )?(?:debe|debes|deben|toque|uses|hagas|hay que|tocar|usar|cambiar|borrar|modificar|añadir)\\p{L}*",
      "sin (?:preguntar\\p{L}*|mi|consultar\\p{L}*|avisar\\p{L}*|permiso|pedir\\p{L}*)|preg[uú]ntame|consúltame|avísame|deja [^.]{1,60} (?:en paz|como est[aá]n?|intact\\p{L}*)|s[eé] (?:breve|conciso)|respuestas (?:cortas|breves)|sin emojis|usamos|tutéame|trátame|debes|tienes que",
    ),
    descriptive: wholeWords(
      "t[uú] siempre|(?:falla|fallan|funciona|funcionan|sale|salen|da|se (?:cae|cuelga|rompe)|pasa|ocurre) [^.]{0,40}(?:siempre|nunca|cada vez)|(?:siempre|nunca|cada vez que) [^.]{0,40}(?:falla|fallan|error|se cae|se cuelga|revienta|funciona)\\p{L}*|por qu[eé]|como siempre|no funciona|sigue (?:sin|fallando)",
    ),
  },
  {
    strong: anyOf(
      "(?:总是|始终|永远|一直(?:用|保持|要|使用))|(?:绝不|绝对不|决不|从不|永不|绝对禁止)|千万(?:不|别)|务必|从(?:现在|今天|此)(?:开始|起)|从今(?:以后|往后|起)|以后|今后|往后|每次|每当|每一?(?:个|次|条|行|篇|封|份|张|页|段|句|天|回|本|章).{0,12}(?:都|前|后|之前|之后)|一律|默认|所有.{0,14}(?:都|必须|要|应该)|任何时候|任何情况|无论如何|除非我|记住|牢记|记得(?:每|都|总|一直)|接下来(?:都|的所有)|整个(?:会话|项目|过程)|在我.{0,6}之前",
    ),
    usual: anyOf(
      "(?:请|也|都|就)?(?:不要|别(?!的|人|处)|勿)(?!了)|请勿|禁止|不得|不准|不许|不可以|不能(?!用|够|跑|运行|工作|编译)|只(?:用|能|许|要|准|可以|使用)|必须|优先|尽量|避免|偏好|我(?:更)?(?:喜欢|习惯|希望|倾向)|未经|没有我的|先(?:问|征求|经过|跟我|和我)|不用(?:表情|emoji)|保持.{0,12}(?:简短|简洁|不变|一致)|(?:回答|回复|注释)(?:要|请|得|尽量)?.{0,6}(?:简短|简洁)|我们(?:用|使用|不用)|统一(?:用|使用)|坚持",
    ),
    descriptive: anyOf(
      "(?:每次|总是|一直|老是)(?:都|就)?(?:这么|那么|很|特别)|(?:总是|一直|每次都?|老是|始终).{0,12}(?:报错|失败|出错|崩溃|超时|挂|不行|不对|卡)|为什么|为何|怎么(?:总|老|一直)|不(?:用|要)[^，。]{0,16}了|别(?:做|弄|管|改)了|以后再",
    ),
  },
  {
    strong: anyOf(
      "常に|必ず|いつも|絶対に?|決して|けっして|今後|これから(?:は|も)|(?:今日|本日|ここ)から|これ以降|以後|以降は|今から|毎回|毎度|(?:の|る|う|す|く|つ|ぬ|ぶ|む)たびに|(?:すべて|全て|全部)の.{0,20}(?:は|に|を|で)|どんな(?:場合|とき|時)|例外なく|原則|基本(?:的に)?は?|デフォルト|(?:私|僕|俺)が.{0,10}まで|覚えて(?:おいて)?|忘れないで|このセッション(?:中|では)|このプロジェクトで(?:は|使)|都度|どの.{1,12}(?:でも|にも|であっても)|どれであっても|厳禁|禁止",
    ),
    usual: anyOf(
      "しないで|(?:か|わ|ら|さ|た|ば|ま|な|が|せ|べ|め|れ|え|け|げ|て|じ|み|見|き|い)ないで(?!す)|(?:する|使う|触る|消す|変える|書く|入れる|押す|送る|出す|付ける|つける|触れる|変更する)な(?:[。！!]|よ|$)|ないように|しない(?:こと|で)|ないでほしい|ては(?:いけ|なら|だめ|ダメ|駄目)|だけ(?:を|に|で)?(?:使|し|書|編集|変更)|のみ|ことにして|優先|避けて|控えて|(?:方|ほう)が(?:いい|良い|好き|好み)|好み|勝手に|(?:許可|確認|承認|相談)(?:なし|なく|を(?:取|得|し)|して)から?|前に.{0,8}(?:聞いて|確認|相談|見せて)|こと[。！]?$|簡潔|短く|敬語|使わず|我々は|私たちは|うちでは",
    ),
    descriptive: anyOf(
      "いつも.{0,14}(?:早い|速い|すごい|助か|ありがと|お世話)|仕様(?:です|だ|になって)|(?:いつも|必ず|毎回|常に|絶対).{0,20}(?:失敗|落ち|エラー|止ま|固ま|壊れ|おかしい|動かな)|なぜ|どうして|(?:動|でき|わか|分か|通ら)ない(?:で|の)(?:す|か)",
    ),
  },
];

/** Says outright that it binds from now on, whatever else the sentence says. */
export const binding = anyOf(
  `(?<![\\p{L}])(?:from (?:now|here|this point|today) on(?:wards?)?|from now|as of (?:now|today)|starting (?:now|today)|(?:going|moving) forward|henceforth|hereafter|${inFuture}|until further notice|at all times|ab (?:jetzt|sofort|heute|nun)|von (?:jetzt|nun|hier|heute) an|künftig|zukünftig|in zukunft|fortan|bis auf weiteres|dorénavant|désormais|à partir de (?:maintenant|là|ce jour)|à l['’]avenir|dès (?:maintenant|à présent)|jusqu['’]à nouvel ordre|(?:de|desde) (?:ahora|aquí|hoy) en adelante|a partir de (?:ahora|aquí|hoy)|en (?:adelante|el futuro|lo sucesivo)|desde ahora|hasta nuevo aviso)(?![\\p{L}])`,
  "从(?:现在|今天?|今日|此|这里|这次)(?:开始|以后|往后|起)|以后(?!再)|今后|往后|今後|これから(?:は|も)|(?:今日|本日|今|ここ)から|これ以降|以後|以降は",
);

/** Tells what somebody said or what happened. */
export const narrated = anyOf(
  "(?<![\\p{L}])(?:used to (?:say|tell|write)|(?:he|she|they|who|somebody|someone|everybody|boss|lead|mother|teacher|doctor|colleague|guide|docs?|manual|readme|article) (?:always |never |once )?(?:said|says|told|tells|wrote|writes|claims?)|(?:hat|haben|hatte) (?:\\p{L}+ ){0,3}(?:gesagt|gemeint|geschrieben|behauptet)|sagte(?:n)? (?:immer|nie|mal)|(?:ist|sind|war|wäre) (?:\\p{L}+ )?nie (?:passiert|geschehen)|disait (?:toujours|souvent)|(?:a|ont) toujours dit|(?:decía|decían|dijo) (?:siempre|que)|siempre (?:decía|me decía|dice)|(?:mi|su|el|la) \\p{L}+ dice que)(?![\\p{L}])",
  "(?:说过|常说|总说|老说)|(?:言って(?:い)?(?:た|ました)|言われ(?:た|ました|て))",
);

/** Something of the project, of which the sentence says how it is or has to be; the agent's own work apart. */
export function statesThing(words: string): boolean {
  const rest = words.replace(leadingTime, "");
  return (aThing.test(rest) || foundThing.test(rest)) && !ownWork.test(rest) && !toYou.test(rest);
}

/** Whether such a sentence only tells when something changes. */
export function tellsChange(words: string): boolean {
  return leadingTime.test(words) && statesThing(words);
}

const leadingTime =
  /^(?:from (?:now|today) on,?|as of (?:now|today),?|ab (?:jetzt|sofort|heute)|désormais,?|dorénavant,?|à partir de (?:maintenant|là),?|a partir de (?:ahora|hoy),?|desde (?:ahora|hoy),?) /u;
const aThing =
  /^(?:and |but |also |und |aber |et |mais |y |pero )?(?:the|this|that|its?|die|der|das|dieser?|dieses|le|la|les|l'|ce|cette|el|los|las|este|esta) ?\p{L}[^,;:]{0,60}?(?:(?<![\p{L}])(?:must|should|shall|may|can|is|are|will|darf|dürfen|soll|sollen|muss|müssen|ist|sind|wird|doit|doivent|peut|est|sont|debe|deben|puede|es|son|exige|renvoie|retourne|devuelve|liefert|gibt|returns?|requires?|expects?|uses?|sends?)(?![\p{L}]))/u;
/** How something of the program behaves, in the words of a review or a report. */
const foundThing =
  /^(?:if|when|while|since|because) (?:an?|the|this|that|some\p{L}*|two|one) [^;:]{0,200}?, (?:the|those|these|it|they|that|this|there|an?) \p{L}|^(?:the|this|that|these|those|an?) (?!project|repo|team|codebase)(?:[\p{L}\p{N}_./-]+ ){1,8}?(?:never|always|\p{L}{2,}(?:es|ts|ds|ns|ks|rs|ls|ms|ps)) (?:the|an?|to|it|its|this|that|not|without|with|from|in|on|by|as|only|new|change\p{L}*|return\p{L}*|fail\p{L}*|get\p{L}*|match\p{L}*)(?![\p{L}])/u;
const toYou =
  /(?<![\p{L}])(?:you|your|me|my|du|dein\p{L}*|mir|mich|tu|tes|ton|ta|moi|me|vous|vos|tus?|mi|conmigo)(?![\p{L}])|n't |no toques/u;
const ownWork =
  /^(?:\P{L}*\p{L}+\P{L}+){0,3}?(?<![\p{L}])(?:answers?|repl(?:y|ies)|responses?|commits?|messages?|comments?|mails?|e-?mails?|documentation|docs|reports?|summar(?:y|ies)|branch(?:es)?|antwort\p{L}*|nachricht\p{L}*|kommentar\p{L}*|dokumentation|berichte?|zusammenfassung\p{L}*|réponses?|commentaires?|rapports?|résumés?|respuestas?|mensajes?|comentarios?|informes?|resúmenes)(?![\p{L}])/u;

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
  /(?:^|[,;:–—(]\s*|(?<![\p{L}])(?:please|and|but|also|so|just|then|or)\s+)(?:please\s+)?(?:don't|do not|dont|never|no more|refrain from|stop(?= \p{L}+ing(?![\p{L}])))\s+(?!\p{L}+ed(?![\p{L}])|worry|know|think|bother|understand|mind|see|need|care|remember|have|forget|stop|continue|wait|proceed|do (?:that|this|it)(?![\p{L}])|it(?![\p{L}])|that(?![\p{L}])|this(?![\p{L}])|want to|the (?:server|build|process)|working|there)\p{L}|^(?:please )?avoid\s+\p{L}/u;
