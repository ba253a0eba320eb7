import { anyOf, wholeWords } from "./order-words.ts";

/** A clause that is one of these and nothing more calls off what is being done, in languages other than English. */
export const otherStops: readonly string[] = [
  "(?:bitte |ach |ok |okay |nein |ne |nee |nö |doch |und |hm |warte )*(?:(?:ma(?:l)? )?(?:lass(?:e|t)?(?: ma(?:l)?)?(?: gut sein)?)|stopp|abbrechen|abbruch|aufhören|hör(?:e|t)? (?:bitte )?(?:damit )?auf(?: damit)?|lass(?:e|t)? (?:es|das|gut sein)(?: (?:jetzt|mal|doch|lieber|bitte|sein|bleiben|gut sein|erst ?mal|so|wieder))*|vergiss (?:es|das)(?: (?:wieder|bitte|einfach))*|brich (?:das |es )?(?:bitte )?ab|(?:lieber |besser |ach )?doch nicht(?: nötig)?|schon gut|(?:das )?hat sich (?:schon )?erledigt|(?:das )?(?:ist|wird) nicht mehr (?:nötig|gebraucht)|(?:das )?brauch\\p{L}* (?:ich|wir|es)? ?(?:doch )?nicht mehr|mach (?:das|es) (?:doch |lieber |bitte )?nicht|(?:das )?(?:musst|brauchst) du (?:das |es )?(?:doch |dann )?(?:nicht|gar nicht)(?: mehr)?(?: (?:zu )?machen| tun)?|nicht mehr nötig)",
  "(?:bon |ok |non |euh |finalement |en fait )*(?:arrête(?:z)?(?: (?:ça|tout|cela|là|s'il te plaît))*|laisse(?:z)? (?:tomber|ça)|oublie(?:z)?(?: (?:ça|cela|tout ça))?|annule(?:z)?(?: (?:ça|tout|cela))?|(?:c'est |ce n'est |c'est plus |ce n'est plus )?(?:pas|plus) (?:la peine|nécessaire|utile)|tant pis|(?:tu (?:n'as )?pas besoin|c'est pas la peine|inutile) (?:de le faire|de t'en occuper)|abandonne(?:z)?(?: ça)?|laisse(?:z)?)",
  "(?:bueno |ok |no |mejor |espera |ay )*(?:para(?: (?:ya|eso|todo))?|basta|detente|déjal[oa]|dejal[oa]|déjalo (?:así|estar|ya)|olvídal[oa]|olvidal[oa]|olvida eso|cancela(?:lo)?(?: (?:eso|todo|esto))?|cancélal[oa]|ya no (?:hace falta|lo necesito|es necesario|importa)|no importa|(?:ya )?no hace falta|mejor no|da igual|no lo hagas|no hace falta que lo hagas|no tienes que hacerlo)(?: (?:ya|por favor|gracias))*",
  "(?:那|好|嗯|先|还是|你|就|请)*(?:停|停下|停下来|停止|停一下|停手|算了|不用了|不要了|取消|取消掉|别做了|别弄了|别改了|别管了|不做了|不必了|不需要了|当我没说|不用(?:做|弄|管|处理)了?|作罢|不搞了)(?:吧|了|这个|它|这个任务)*",
  "(?:あ|いや|もう|やっぱり|すみません|ちょっと|それは|これは)*(?:止めて|やめて|やめよう|やめます|やめにして|やめておいて|ストップ|中止|中止して|キャンセル|キャンセルして|もういい|いい(?!(?:です)?[ねな])|いらない|不要|必要ない|なしで|なしにして|忘れて|取り消して|取り消し|結構|(?:やら|し|対応し)なくて(?:も)?(?:いい|大丈夫|結構|構いません|よい)|対応不要)(?:ください|下さい|です|ね|よ|や)*",
];

/** Calls off one thing among several, which it names. */
export const namedStops: readonly RegExp[] = [
  wholeWords(
    "(?:forget|skip|drop|cancel|scrap|ditch|abandon|never ?mind) (?:about )?(?:the|that|my|your|this|adding|doing)|(?:don't|do not) (?:bother|worry) (?:with|about|adding|to)|leave (?:the|that|out) [^.]*(?:out|for now|be|alone)|(?:we |i )?(?:don't|do not|no longer) need [^.]*(?:any ?more|after all|then)?|no need (?:for|to)|[^.]* (?:isn't|is not|aren't|are not|is no longer) (?:needed|necessary)(?: any ?more)?|stop (?:the|working on|with|doing|writing|adding|refactoring)",
  ),
  wholeWords(
    "(?:vergiss|streich\\p{L}*|spar dir|lass(?:e)?) (?:das mit|die|den|das|dem) [^.]+|[^.]* (?:brauch\\p{L}*) (?:wir|ich|es|du) (?:doch )?nicht(?: mehr)?|[^.]* hat sich erledigt|[^.]* ist nicht mehr nötig|[^.]* (?:lassen wir|lass) (?:weg|bleiben|sein)",
  ),
  wholeWords(
    "(?:oublie(?:z)?|annule(?:z)?|laisse(?:z)? tomber|abandonne(?:z)?|arrête(?:z)?) (?:la|le|les|l'|cette|ce|de)|(?:plus|pas) besoin d[eu']|[^.]* (?:n'est|ne sont) plus (?:nécessaires?|utiles?)",
  ),
  wholeWords(
    "(?:olvida(?:te)?|cancela|deja|descarta|quita) (?:de )?(?:lo|la|el|los|las|eso) (?:de(?:l)? )?[^.]+|ya no (?:hace falta|necesito|necesitamos|quiero)|no hace falta (?:que )?",
  ),
  anyOf(
    "(?:取消|跳过|放弃|忘了|别管|不用管).{1,30}|.{1,30}(?:就)?(?:不用(?:做|写|加|改|弄|管)?了|算了|不要了|不做了|不需要了|先不(?:做|管|弄)了?|别(?:做|写|加|改|弄)了)",
  ),
  anyOf(
    ".{1,40}(?:は|の(?:件|話|方|ほう)は?)(?:もう|やっぱり|やはり)?(?:いい(?:です|や)?|不要|いら(?:ない|なく)|やめ|なし|キャンセル|取り消|中止|必要(?:ない|なく|あり)|忘れて|しなくて)|は[^。]{0,40}(?:ので|から|ため)、?(?:もう|いったん|一旦)?(?:止めて|やめて|中止|キャンセル|取り消|不要|なしで)",
  ),
];

/** A message that begins like this puts something else in the place of what was asked, in other languages. */
export const otherCorrections: readonly RegExp[] = [
  /^(?:nein|nee|quatsch|falsch)\s*(?:[,;:.!–—-]|$)/u,
  /^(?:nein|nee|doch|ach|moment|warte|halt|ähm?)[\s,!.]+(?:nicht|nimm|lieber|das|ich|doch|mach|wir|stattdessen|besser)(?![\p{L}])/u,
  /^(?:ich meinte|gemeint (?:war|ist)|das (?:ist|war) (?:falsch|nicht das)|so nicht|nicht so|nicht das|lieber |besser |eigentlich (?:lieber|doch|sollten?|will|möchte)|doch lieber)/u,
  /^[^.!?]{0,160}(?<![\p{L}])(?:stattdessen|doch lieber|lieber doch|statt dessen)(?![\p{L}])/u,
  /^(?:mais )?non\s*(?:[,;:.!–—-]|$)/u,
  /^(?:non (?:pas|je|c'est|utilise|plutôt|mets|prends|fais)|je voulais dire|c'est faux|pas (?:ça|comme ça|celui)|(?:en fait|finalement|tout compte fait),? |plutôt |à la place)/u,
  /^[^.!?]{0,160}(?<![\p{L}])(?:à la place|plutôt)\s*(?:[.!]|$)/u,
  /^(?:quise decir|quería decir|me refería|está mal|eso no|así no|ese no|mejor(?: |,)|en realidad|pensándolo bien|al final,? |en vez de eso|en lugar de eso)/u,
  /^[^.!?]{0,160}(?<![\p{L}])(?:en su lugar|mejor|en cambio)\s*(?:[.!]|$)/u,
  /^(?:不|不是|不对|错了|不行|搞错了?|弄错了?|哦不|等等|等一下)(?:[，。,！!、\s]|$|这|我)/u,
  /^(?:还是|改成|换成|改用|我是说|我的意思是|我指的是|其实(?:还是|用|改|我)|算了[，,。]?\s*(?:还是|改|用|换))/u,
  /^(?:いや|いえ|いいえ|違う|違います|ちがう|そうじゃな|そうではな|じゃなくて|ではなく|間違え|やっぱり|やはり)/u,
];

/** The same in the middle of a sentence, as new requests have it too. */
export const weakCorrections: readonly RegExp[] = [
  /^[^。！？]{0,80}(?:改成|换成|改为|改用|还是用|而不是刚才)/u,
  /^[^。！？]{0,80}(?:代わりに|に変更して|に変えて)/u,
];

/** Verbs with which somebody asks for work in English. */
export const imperatives =
  "add|answer|apply|build|bump|change|check|clean|close|commit|compare|convert|copy|create|delete|deploy|describe|do|download|draft|edit|explain|export|fetch|fill|find|finish|fix|focus|format|generate|get|give|go|implement|import|install|keep|leave|list|look|make|merge|migrate|move|open|print|push|put|read|refactor|rename|replace|restore|review|rewrite|run|save|search|send|set|show|sort|start|summari[sz]e|switch|take|tell|test|translate|try|turn|update|use|wrap|write";

export const otherResumes =
  /^(?:(?:bitte |ok |gut |dann )*(?:mach(?:e)? (?:bitte )?weiter|weiter(?:machen| so)?|fahr(?:e)? (?:bitte )?fort|weiter damit)|(?:ok |bon )*(?:continue(?:z)?|vas-y|allez-y|reprends|poursuis|reprenez)(?: s'il te plaît)?|(?:ok |vale )*(?:continúa|continua|sigue|adelante|prosigue|sigue con (?:eso|ello))(?: por favor)?|(?:请|好|那)*(?:继续|接着做|接着来|继续做|继续吧)(?:吧)?|(?:では|じゃあ)?(?:続けて|再開して|続行|続行して|続きを)(?:ください|お願いします)?)\s*[.!。！]*$/u;

/** Says that what was done is not: the request is open again. */
export const complaints: readonly RegExp[] = [
  wholeWords(
    "still \\p{L}{3,}s|still (?:fail\\p{L}*|broken|crash\\p{L}*|doesn't|does not|isn't|is not|not(?! (?:today|now|sure|urgent|needed)(?![\\p{L}]))|the same|see(?:ing)?|getting|get|wrong|there|missing|red|happen\\p{L}*|throw\\p{L}*|hang\\p{L}*)|(?:that|it|this)(?: still)? (?:didn't|doesn't|does not|did not) (?:work|help|fix|change|compile|pass|do)\\p{L}*|(?:that's|it's|that is|it is|is) (?:still )?not (?:fixed|working|done|right|finished)|you (?:forgot|missed|skipped|overlooked)|(?:that's|thats|that is) (?:exactly |just )?what i (?:said|told you)|same (?:error|problem|issue|failure)|(?:fails|failing|broken|crashes|crashing|red) again|not (?:fixed|solved) yet",
  ),
  wholeWords(
    "(?:geht|klappt|funktioniert|läuft|hilft|kompiliert|stimmt) (?:das |es |aber |so |leider |bei mir )*(?:immer )?(?:noch )?(?:immer )?nicht|(?:immer noch|noch immer|weiterhin|nach wie vor)|nicht (?:behoben|gefixt|repariert|gelöst)|du hast [^.]*(?:vergessen|übersehen)|genau das (?:wollte|hab\\p{L}*) ich (?:doch )?nicht|(?:schlägt|schlagen) (?:wieder|weiterhin|erneut|immer noch) fehl|derselbe fehler|gleicher fehler|wieder (?:kaputt|rot|der fehler)",
  ),
  wholeWords(
    "(?:ne |n['’]|ça )?(?:marche|fonctionne|passe|compile|démarre)\\p{L}* (?:toujours |encore )?pas|toujours (?:pas|la même|le même|en échec|cassée?|rouge)|encore (?:cassée?|en échec|la même erreur|rouge)|échoue(?:nt)? (?:encore|toujours)|tu as oublié|c'est (?:justement |exactement )?ce que je ne voulais pas|vous avez oublié|même erreur|pas (?:corrigée?|résolue?)",
  ),
  wholeWords(
    "sigue(?:n)? (?:fallando|sin|igual|rot\\p{L}*|dando|saliendo|en rojo)|(?:todavía|aún) (?:falla\\p{L}*|no|da)|no (?:funciona\\p{L}*|se arregl\\p{L}*|sirve|compila)|eso es (?:justo |precisamente )?lo que no quería|te (?:olvidaste|has olvidado|faltó|saltaste)|(?:el )?mismo error|falla(?:n)? (?:otra vez|de nuevo)|no (?:está|quedó) (?:arreglad\\p{L}*|bien|resuelt\\p{L}*)",
  ),
  anyOf(
    "还是(?:不行|不对|报错|失败|有(?:问题|错)|没|会|一样|老样子)|(?:仍然|依然|依旧).{0,10}(?:报错|失败|不|有|没)|没(?:有)?(?:好|修好|解决|生效|用|效果|改对)|又(?:报错|失败|挂|崩|出错)|(?:你)?(?:漏了|忘了|忘记了)|同样的(?:错误|问题)",
  ),
  anyOf(
    "もっかい|もう(?:一|1)(?:回|度)(?:見|確認|試|やって)|まだ.{0,20}(?:動く|残|おかし|変|ある|ない|ません|失敗|エラー|落ち|直|同じ|出|壊れ)|直って(?:い)?(?:ない|ません)|うまく(?:いか|動か)|同じエラー|また.{0,8}(?:失敗|エラー|落ち|壊れ)|(?:漏れ|抜け)て(?:い)?ま|変わ(?:って(?:い)?ません|らない|りません)|動き?(?:ません|ない)",
  ),
];

/** Thanks, or a yes to what was done: a message that says this and no more asks nothing. */
export const thanks =
  /^(?:(?:ok(?:ay)?|yes|no|great|perfect|nice|cool|awesome|excellent|good(?: job| work)?|well done|thanks?(?: you)?(?: (?:so|very) much| a lot)?|thx|ty|lgtm|looks good(?: to me)?|works(?: now| fine| great| perfectly)?|(?:it|that) works(?: now)?|that's (?:it|all|great|perfect|fine)|that is all|all good|for (?:that|now|everything)|danke(?: schön| dir| sehr)?|vielen dank|super|prima|perfekt|klasse|toll|passt(?: so)?|sieht gut aus|läuft(?: jetzt)?|gut gemacht|das war(?:'s| alles)|alles klar|merci(?: beaucoup| bien)?|parfait|super|impeccable|nickel|ça marche(?: maintenant)?|c'est (?:bon|parfait|tout)|gracias|muchas gracias|perfecto|genial|excelente|estupendo|vale|listo|funciona(?: bien)?|eso es todo|谢谢(?:你|您|了)?|多谢|太好了|很好|不错|好的?|可以了|完美|没问题|辛苦了|ありがとう(?:ございます|ございました)?|完璧(?:です)?|いいですね|助かりました|了解(?:です)?|オーケー|素晴らしい(?:です)?|問題(?:ない|ありません)|大丈夫です)[\s,.!。！、，:)🙏👍]*)+$/u;

/** How somebody begins to answer a question. */
export const replies =
  /^(?:yes|yep|yeah|yup|sure|no|nope|ok(?:ay)?|please do|go ahead|do it|both|neither|either|all|none|the (?:first|second|third|last|former|latter|other)|first|second|option|number|\d|[a-d](?:[).,\s]|$)|use|take|i'd|i would|let's|whatever|up to you|your call|ja|nein|klar|gerne?|mach|nimm|beide|keine|die (?:erste|zweite|dritte|letzte)|das (?:erste|zweite)|variante|bitte|oui|non|d'accord|vas-y|les deux|aucun|la (?:première|seconde|deuxième|dernière)|le (?:premier|second|deuxième|dernier)|prends|sí|si|no|claro|dale|adelante|ambos|ninguno|la (?:primera|segunda|última)|el (?:primero|segundo|último)|usa|是|对|好|可以|行|不|用|第|都|就|选|はい|いいえ|ええ|うん|お願い|両方|どちらも|最初|一つ目|二つ目|前者|後者|それで)(?![\p{L}]{6})/u;
