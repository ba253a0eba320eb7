import { anyOf, languageNames, restates, wholeWords } from "./order-words.ts";

/** Says of an order that it is over, whether it bans or demands. */
const lifts: readonly RegExp[] = [
  wholeWords(
    "(?:rule|order|instruction|restriction|ban|preference|thing|bit) (?:about|on|for|with) [^.]*(?:drop|forget|ignore|scrap|cancel|lift)(?:ped|ted|s)?(?: it)?|as (?:verbose|long|short|brief|formal|much|many|often) as you (?:like|want|please|need)|(?:it|this|that|which) (?:replaces|supersedes|overrides) (?:what|the|my|that)|forget (?:about )?(?:the|that|my|what i|about)|ignore (?:the|my|that|what i)|(?:drop|lift|revoke|withdraw|scrap|cancel|remove|retract|repeal|undo|take back) (?:the|my|that|this|what i)|never ?mind (?:the|about|what i|my)|(?:rule|order|instruction|restriction|ban|preference|constraint)s? (?:about [^.]* |on [^.]* |for [^.]* )?(?:is|are) (?:off|gone|lifted|void|over|no longer|not)|(?:no longer|doesn't|does not|don't) appl(?:y|ies)|no longer (?:in force|valid|holds)|changed my mind about",
  ),
  wholeWords(
    "vergiss|ignorier\\p{L}*|gilt nicht mehr|gelten nicht mehr|(?:regel|anweisung|vorgabe|verbot|ansage)\\p{L}* [^.]*(?:aufgehoben|hinfällig|entfällt|weg|streich\\p{L}*|nicht mehr)|aufgehoben|(?:heb|zieh|nehm|nimm)\\p{L}* [^.]* (?:auf|zurück)|streich\\p{L}*",
  ),
  wholeWords(
    "oublie\\p{L}*|ignore\\p{L}*|annule\\p{L}*|l[èe]ve\\p{L}*|(?:règle|consigne|interdiction|préférence) [^.]*(?:levée|annulée|plus)|ne s['’]appliquent? plus|n['’]est plus (?:valable|en vigueur|nécessaire)|retire\\p{L}*",
  ),
  wholeWords(
    "olvida\\p{L}*|ignora\\p{L}*|cancela\\p{L}*|anula\\p{L}*|retiro|(?:regla|orden|instrucción|prohibición|preferencia) [^.]*(?:ya no|anulad\\p{L}*|cancelad\\p{L}*|levantad\\p{L}*)|ya no (?:aplica|vale|rige|es válid\\p{L}*)|sin efecto",
  ),
  anyOf("取消|撤销|撤回|作废|忘(?:了|掉|记)|解除|不再(?:适用|有效)|失效|解禁"),
  anyOf("取り消|撤回|解除|忘れて(?:ください|いい|。|$)|無効|なしにして|なかったことに"),
];

/** Allows what was banned. */
const allows: readonly RegExp[] = [
  wholeWords(
    "(?:you|we) (?:can|may|are (?:free|allowed) to|could) [^.]*(?:now|again|after all|any ?time|freely)|(?:you|we) (?:can|may) (?:now|again|go ahead and|freely)|(?:now )?you(?:'re| are) (?:now )?(?:free|allowed) to|(?:is|are|it's|it is) (?:now |again )?(?:fine|ok|okay|allowed|alright|permitted|welcome)(?: now| again| after all| from now on)|feel free to|(?:no longer|not) (?:off[- ]limits|forbidden|banned|taboo)|from now on you (?:can|may)|go ahead and [^.]* again",
  ),
  wholeWords(
    "(?:darfst|kannst|dürfen|können|darf|kann) [^.]*(?:jetzt|nun|wieder|doch|ruhig|ab sofort)|(?:jetzt|nun|ab sofort) (?:darfst|kannst|dürfen|können|darf|kann)|ist (?:jetzt |wieder |nun |doch )(?:erlaubt|ok|okay|in ordnung|freigegeben)|(?:erlaubt|okay|ok) (?:jetzt|wieder)|nicht mehr (?:tabu|verboten|gesperrt)",
  ),
  wholeWords(
    "(?:tu peux|vous pouvez|on peut) (?:maintenant|désormais|de nouveau|à nouveau|enfin)|(?:tu peux|vous pouvez|on peut) [^.]*(?:maintenant|désormais|de nouveau|à nouveau)|(?:maintenant|désormais),? (?:tu peux|vous pouvez)|est (?:maintenant |désormais |de nouveau |à nouveau )(?:autorisée?|permise?|ok|possible)|n['’]est plus (?:interdite?|tabou)",
  ),
  wholeWords(
    "(?:ya|ahora(?: ya| sí)?) (?:puedes|podéis|podemos|se puede)|(?:puedes|podéis|se puede) [^.]*(?:de nuevo|otra vez|ya|ahora)|(?:ahora |ya )(?:está permitid\\p{L}*|está bien)|ya no está prohibid\\p{L}*",
  ),
  anyOf("(?:现在|又|重新|以后|今后).{0,8}可以|可以.{0,20}了|允许.{0,12}了|恢复"),
  anyOf(
    "て(?:も)?(?:いい|よい|良い|構わない|かまわない|構いません|大丈夫)(?:です|よ|ことに)?|解禁|許可(?:します|する)",
  ),
];

/** Says that what was demanded need not be any more. */
const relieves: readonly RegExp[] = [
  wholeWords(
    "no longer (?:need|have|necessary|required|want)|(?:don't|do not|needn't|need not)[^.]* any ?(?:more|longer)|no need [^.]* any ?(?:more|longer)|(?:not|\\p{L}+n't) (?:necessary|needed|required) any ?(?:more|longer)|no more|any longer|you can stop \\p{L}+|stop \\p{L}+ing|back to (?!the \\p{L}+ (?:file|bug|issue))|switch (?:back )?to|again from now on|any ?more",
  ),
  wholeWords(
    "(?:brauch|muss|musst|müssen)\\p{L}* [^.]*nicht mehr|nicht mehr (?:nötig|notwendig|erforderlich|immer)|nicht mehr|kein\\p{L}* [^.]*mehr|hör\\p{L}* (?:bitte )?auf|zurück zu|doch wieder",
  ),
  wholeWords(
    "plus besoin|plus la peine|plus nécessaire|plus obligé\\p{L}*|arrête\\p{L}* d|arrête\\p{L}* de|(?:ne|n['’]) ?[^.]*plus|reviens|revenons|repasse\\p{L}*",
  ),
  wholeWords("ya no|no hace falta (?:que )?[^.]*(?:más|ya)|deja de|vuelve a|volvamos a|no [^.]*más"),
  anyOf("不用再|不再|不必再|不需要再|(?:不用|不必|不需要).{0,16}了|改回|换回|恢复"),
  anyOf(
    "もう.{0,24}(?:いい|なくて|不要|ない|必要)|なくて(?:も)?(?:いい|よい|良い|大丈夫|構)|に戻(?:して|そう|す)|やめて",
  ),
];

/** To ask first is demanded by what is banned without it. */
const asking = anyOf(
  "(?<![\\p{L}])(?:ask(?:ing)?|confirm(?:ation)?|approval|permission|frag\\p{L}*|rückfrage\\p{L}*|demander|prévenir|autorisation|pregunt\\p{L}*|consult\\p{L}*|permiso)(?![\\p{L}])|问|请示|确认|聞|確認|許可",
);

/** Speaks of a duty: who is relieved of one had it. */
const needs = anyOf(
  "(?<![\\p{L}])(?:(?:don't|do not|needn't|no longer|not) (?:need|have)(?: to)?|no need|brauch\\p{L}*|muss\\p{L}*|besoin|obligé\\p{L}*|hace falta|necesit\\p{L}*|tienes que)(?![\\p{L}])|不用|不必|不需要|なくて",
);

/** Puts something else in an order's place, where the sentence binds from now on itself. */
const replaces = anyOf(
  "(?<![\\p{L}])(?:instead|rather than|no longer|not|statt|anstatt|anstelle|au lieu|plutôt que|en vez de|en lugar de)(?![\\p{L}])|而不是|代替|换成|改用|改成|ではなく|じゃなく|代わり",
);

/** Only for once: an exception ends no order. */
export const onlyOnce = anyOf(
  "(?<![\\p{L}])(?:(?:for|in|on|with) (?:this|that|the current|today's) (?!session|project|repo|chat|conversation)\\p{L}+|this time|this once|(?:just|only) (?:once|here|now|today|this)|exception(?:ally)?|one[- ]off|for now|for the moment|temporarily|diesmal|dieses mal|ausnahmsweise|nur (?:hier|heute|jetzt|dieses|diesmal|einmal)|(?:für|bei|in) (?:diese[mnrs]?|dieses) (?!projekt|repo\\p{L}*|sitzung|gespräch|codebasis)\\p{L}+|vorerst|cette fois|exceptionnellement|juste (?:ici|pour)|pour (?:cette|ce|cet) (?!projet|dépôt|repo|session|conversation)\\p{L}+|seulement (?:ici|cette)|esta vez|por esta|solo (?:aquí|esta|por)|(?:en|para) (?:este|esta) (?!proyecto|repo\\p{L}*|sesión|conversación)\\p{L}+|excepcionalmente)(?![\\p{L}])|这(?:一)?次|仅此|就这|例外|暂时|今回(?:は|だけ|のみ)|この(?:変更|ファイル|件|修正)(?:は|だけ|では|に)|一度だけ|とりあえず",
);

/** The order that was given last. */
const thatOrder = anyOf(
  "(?<![\\p{L}])(?:that|this|the last|my last|the latest) (?:rule|order|instruction|restriction|preference|ban)(?![\\p{L}])",
  "(?<![\\p{L}])(?:diese|die letzte|meine letzte) (?:regel|anweisung|vorgabe)(?![\\p{L}])",
  "(?<![\\p{L}])(?:cette|la dernière) (?:règle|consigne)(?![\\p{L}])",
  "(?<![\\p{L}])(?:esa|esta|la última) (?:regla|instrucción|orden)(?![\\p{L}])",
  "(?:这|那|上)(?:条|个|一条)?(?:规则|要求|规定|指令)",
  "(?:この|その|さっきの|最後の)(?:ルール|指示|規則)",
);
const allOrders = anyOf(
  "(?<![\\p{L}])(?:all|every one of) (?:of )?(?:my|the|these|those) (?:standing )?(?:rules|orders|instructions|restrictions|preferences)(?![\\p{L}])",
  "(?<![\\p{L}])alle (?:meine|diese)?\\s?(?:regeln|anweisungen|vorgaben)(?![\\p{L}])",
  "(?<![\\p{L}])toutes (?:mes|les|ces) (?:règles|consignes)(?![\\p{L}])",
  "(?<![\\p{L}])todas (?:mis|las|esas) (?:reglas|instrucciones|órdenes)(?![\\p{L}])",
  "(?:所有|全部)(?:的)?(?:规则|要求|规定|指令)",
  "(?:すべて|全て|全部)の(?:ルール|指示|規則)",
);

/** Finds that an order goes too far; what holds instead stands behind it. */
const narrows = anyOf(
  "(?<![\\p{L}])(?:thing|rule|bit|part|order|restriction) (?:about [^.]{1,40} )?(?:is|was|makes) (?:\\p{L}+ )?(?:pointless|useless|moot|overkill|nonsense|unnecessary|no sense|too (?:strict|much|broad))(?![\\p{L}])",
  "(?<![\\p{L}])(?:das mit|die sache mit|die regel|die vorgabe) [^.]{0,60}(?:quatsch|unnötig|sinnlos|überflüssig|übertrieben|zu streng)(?![\\p{L}])",
  "(?<![\\p{L}])(?:le truc|l'histoire|la règle|la consigne) [^.]{0,60}(?:ne sert à rien|inutile|trop stricte?|exagérée?)(?![\\p{L}])",
  "(?<![\\p{L}])(?:lo de|la regla|la norma) [^.]{0,60}(?:no tiene sentido|no sirve|inútil|sobra|exagerad\\p{L}*)(?![\\p{L}])",
  "(?:那条|这条|那个|这个).{0,16}(?:没(?:有)?(?:意义|必要)|多余|太严)",
  "(?:ルール|件|決まり|指示).{0,16}(?:意味(?:が)?な|不要|厳しすぎ)",
);

/** Whether a sentence and the one behind it put a narrower order in the place of one given before. */
export function narrowsOrder(words: string, next: string): boolean {
  return narrows.test(words) && restates.test(next.trim());
}

/** Says in the middle of a sentence that something else was meant: which order that is, only the user knows. */
export const reconsiders = anyOf(
  "(?:[,…(–—-]|\\.\\.\\.) ?(?:i mean|or rather|ich mein\\p{L}*|meine ich|besser gesagt|je veux dire|je voulais dire|enfin non|digo|quiero decir|mejor dicho)(?![\\p{L}])",
  "我是说|我指的是|というか|じゃなくて",
);

/** A leave and nothing else, however long it holds. */
export const onlyAllows =
  /^.{0,60}(?:以后|今后|现在|往后).{0,6}可以|^.{0,60}(?:今後|これから|もう)は?.{0,20}ても?(?:いい|大丈夫|構)/u;

/** Allows answers of any length again. */
const lengthens = anyOf(
  "(?<![\\p{L}])(?:normal|usual|regular|full|longer|long|detailed|normally)(?:[- ]length)? [^.]{0,40}again(?![\\p{L}])|back to (?:normal|full|long|detailed)(?![\\p{L}])|as long as (?:you like|needed|it takes)",
  "(?<![\\p{L}])wieder (?:\\p{L}+ ){0,2}?(?:normal|normale|ausführlich|ausführliche|ausführlicher|länger|lange|in ganzen sätzen)(?![\\p{L}])",
  "(?<![\\p{L}])(?:de nouveau|à nouveau|maintenant) [^.]{0,30}(?:normalement|longue\\p{L}*|détaill\\p{L}*|en détail)(?![\\p{L}])|(?:normalement|longue\\p{L}*|détaill\\p{L}*) (?:de nouveau|à nouveau)(?![\\p{L}])",
  "(?<![\\p{L}])(?:ya|otra vez|de nuevo) [^.]{0,40}(?:normal\\p{L}*|larg\\p{L}*|detall\\p{L}*|extend\\p{L}*)(?![\\p{L}])|(?:normal\\p{L}*|larg\\p{L}*|detall\\p{L}*) (?:otra vez|de nuevo)(?![\\p{L}])",
  "(?:恢复|可以|又能).{0,12}(?:正常|详细|长).{0,8}|(?:普通|通常|元|詳し|長).{0,12}(?:戻し|いいです|大丈夫|構いません)",
);
const shortens = anyOf(
  "(?<![\\p{L}])(?:short|brief|concise|terse|kurz\\p{L}*|knapp\\p{L}*|court\\p{L}*|bref|brève\\p{L}*|concis\\p{L}*|cort[oa]\\p{L}*|breves?)(?![\\p{L}])",
  "简短|简洁|精简|短|手短|簡潔",
);

/** How a sentence speaks of orders given before; `null` where it ends none. */
export interface Revocation {
  /** Which orders it can end: bans, demands, or both. */
  readonly ends: "bans" | "demands" | "both";
  /** `newest`, `all`: by those words; `named`: those it shares its subject with. */
  readonly which: "named" | "newest" | "all";
  /** It speaks of an order as such: one word says which. */
  readonly isOfOrders?: true;
  /** Orders of no other kind. */
  readonly only?: RegExp;
}

/**
 * Says that an order or a request stays: who is told not to forget it, or never again to do what it bans, is not freed of
 * it.
 */
export const upholds = anyOf(
  "(?<![\\p{L}])(?:don't|do not|dont|never|must not|mustn't|not to) (?:ever |just |you dare )?(?:forget|drop|ignore|lift|revoke|withdraw|cancel|scrap|overlook)(?![\\p{L}])",
  "(?<![\\p{L}])(?:may|can|could|should|shall|must|will|are) (?:never|not(?! only))(?! have to| need)(?![\\p{L}])|(?<![\\p{L}])(?:vergiss|vergesst|vergessen sie) (?:[\\p{L}-]+ ){0,3}(?:nicht|nie)(?![\\p{L}])|(?<![\\p{L}])(?:darfst|dürfen|darf) (?:\\p{L}+ ){0,2}(?:nie|niemals)(?![\\p{L}])",
  "n['’](?:oublie|ignore|annule)\\p{L}* (?:pas|jamais)|(?<![\\p{L}])no (?:te |se )?(?:olvid|ignor|cancel|anul)\\p{L}*",
  "(?:别|不要|勿|不能|切莫)(?:忘|忽略|取消|撤销)|忘れ(?:ないで|ず|ては)",
);

/** Tells of leave that somebody else gave, that is not given yet, or that would be wrong: in doubt an order stays. */
const isUncertain = anyOf(
  "^(?:(?:but|and|so) )?(?:when|once|if|after|as soon as|until|unless|wenn|sobald|falls|erst wenn|quand|dès que|si|une fois|cuando|en cuanto|una vez que) (?!you (?:like|want|wish|prefer|need))[^.]{0,160}(?<![\\p{L}])(?:may|can|allowed|darfst|kannst|peux|pouvez|puedes)(?![\\p{L}])",
  "(?<![\\p{L}])(?:if and only if|only if|only when|only once|only after|provided|as long as i|once i|when i|after i|until i|unless i|nur wenn|erst wenn|sobald ich|wenn ich|seulement si|quand je|solo si|cuando yo)(?![\\p{L}])",
  "(?<![\\p{L}])(?:colleague|boss|lead|manager|he|she|they|somebody|someone|docs?|readme|error|log|page) (?:says?|said|thinks?|thought|told|claims?|wrote)(?![\\p{L}])|(?:wrong|a mistake|mistaken) to (?:think|assume|believe)",
  "^(?:why|did|do|does|have|has|who|when did|warum|wieso|hast|hat|pourquoi|as-tu|est-ce|por qué|has|¿)(?![\\p{L}])[^.]*[?？]\\W*$|^(?:为什么|为何|なぜ|どうして)",
);

/** `isOrder`: the sentence binds from now on itself. */
export function readRevocation(words: string, isOrder: boolean): Revocation | null {
  if (onlyOnce.test(words) || upholds.test(words) || isUncertain.test(words)) return null;
  const isLift = lifts.some((pattern) => pattern.test(words));
  if (isLift && allOrders.test(words)) return { ends: "both", which: "all" };
  if (isLift && thatOrder.test(words)) return { ends: "both", which: "newest" };
  const allowing = allows.some((pattern) => pattern.test(words));
  const relieving = relieves.some((pattern) => pattern.test(words));
  if (isLift) return { ends: "both", which: "named", isOfOrders: true };
  if (lengthens.test(words)) return { ends: "both", which: "named", isOfOrders: true, only: shortens };
  if (relieving && asking.test(words)) return { ends: "both", which: "named", isOfOrders: true };
  if (relieving && needs.test(words)) return { ends: "demands", which: "named", isOfOrders: true };
  if (allowing && relieving) return { ends: "both", which: "named" };
  if (isOrder && replaces.test(words)) return { ends: allowing ? "both" : "demands", which: "named" };
  if (allowing) return { ends: "bans", which: "named" };
  return relieving ? { ends: "demands", which: "named" } : null;
}

const bans = anyOf(
  "(?<![\\p{L}])(?:never|don't|do not|dont|no|not|without|avoid|off[- ]limits|hands off|stay away|forbid\\p{L}*|mustn't|stop|leave|nie|niemals|nicht|kein\\p{L}*|ohne|finger weg|tabu|vermeid\\p{L}*|pas|jamais|aucune?|sans|évit\\p{L}*|interdi\\p{L}*|ne|nunca|jamás|sin|evit\\p{L}*|prohib\\p{L}*|ningún)(?![\\p{L}])|n['’]|不|别|勿|禁|ない|な(?:[。！]|$)|避け|控え|決して",
);
const demands = anyOf(
  "(?<![\\p{L}])(?:always|every|each|whenever|must|should|use|keep|prefer|answer|reply|run|write|only|make sure|immer|stets|jede[mnrs]?|nur|grundsätzlich|bevorzug\\p{L}*|toujours|chaque|systématiquement|préf\\p{L}*|siempre|cada|prefier\\p{L}*|solo|in|auf|en)(?![\\p{L}])|总|每|都|必须|务必|始终|一律|用|只|常に|必ず|毎回|いつも|で|優先",
);

/** Whether an order can be ended by a sentence of this kind. */
export function isEndedBy(order: string, { ends, only }: Revocation): boolean {
  if (only && !only.test(order)) return false;
  return ends === "both" || (ends === "bans" ? bans.test(order) : demands.test(order) || !bans.test(order));
}

const stopWords = new Set(
  "which what how welche welchem welchen welcher welches was wie quel quelle quels quelles comment cual cuál cómo the and you your for with this that these those from now always never please every each any all not are can may again will would should must have has had was were been our out but let say said use using used when what which who about into before after more just only make sure want need time don't dont rule order longer anymore stop forget back there here they them their than then also too der die das den dem des und ich du wir sie ist nicht auch auf mit von bei für immer nie jetzt bitte wieder mehr ein eine einen einer eines kein keine nur noch mal doch ohne vor nach les des une est pas plus que qui dans pour avec sur toujours jamais maintenant nouveau tu peux vous los las del que con por para una uno siempre nunca ahora puedes más nuevo vez ya".split(
    " ",
  ),
);
const languages = Object.entries(languageNames).map(
  ([name, names]) => [`in ${name}`, anyOf(`(?<![\\p{sc=Latin}])(?:${names})`)] as const,
);
const ideographs = /[\p{sc=Han}\p{sc=Katakana}ー]+/gu;
const commonPairs =
  /^(?:以后|今后|从现|现在|在开|开始|可以|不要|不用|不再|每次|总是|始终|必须|请勿|所有|今後|必要|毎回|絶対|常に|必ず|取消|规则|要求|之前|回答|使用)$/;

/** What a sentence is about: its words by their beginnings, paths and names whole, languages, pairs of ideographs. */
export function subjectsOf(sentence: string): ReadonlySet<string> {
  const text = sentence.toLowerCase();
  const named = languages.flatMap(([name, names]) => (names.test(text) ? [name] : []));
  const isLanguage = (word: string) => languages.some(([, names]) => names.test(word));
  const words = wordsOf(text)
    .filter((word) => word.length > 2 && !stopWords.has(word) && !isLanguage(word))
    .map(stemOf);
  const pairs = (text.match(ideographs) ?? []).flatMap((run) =>
    Array.from({ length: Math.max(0, run.length - 1) }, (_none, at) => run.slice(at, at + 2)),
  );
  return new Set([
    ...named,
    ...words,
    ...pairs.filter((pair) => !commonPairs.test(pair) && !isLanguage(pair)),
  ]);
}

const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** Those of its subjects that few other sentences have: paths, identifiers, languages, words of another script. */
export function tellingSubjects(sentence: string): ReadonlySet<string> {
  const named = [...subjectsOf(sentence)].filter((subject) => subject.startsWith("in "));
  const isForeign = (word: string) => word.length > 2 && unspaced.test(sentence);
  const telling = wordsOf(sentence.toLowerCase()).filter((word) => isName(word) || isForeign(word));
  return new Set([...named, ...telling.map(stemOf)]);
}

function wordsOf(text: string): readonly string[] {
  const found = text.match(/[\p{sc=Latin}\p{sc=Cyrillic}\d_][\p{sc=Latin}\p{sc=Cyrillic}\d_./@'-]*/gu) ?? [];
  return found.map((word) => word.replace(/[.'-]+$/, ""));
}

/** Words are compared by how they begin, names as a whole, with or without the slash of a folder. */
function stemOf(word: string): string {
  const name = word.replace(/\/+$/, "");
  return isName(name) ? name : name.replace(/(?<=\p{L}{3})(?:ing|ed|es|s)$/u, "").slice(0, 5);
}

function isName(word: string): boolean {
  return /[/_@\d]|\.\p{L}/u.test(word);
}
