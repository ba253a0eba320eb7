import {
  complaints,
  imperatives,
  namedStops,
  otherCorrections,
  otherResumes,
  otherStops,
  replies,
  thanks,
  weakCorrections,
} from "./meaning-words.ts";
import { anyOf } from "./order-words.ts";
import { plainWords } from "./own-words.ts";
import { upholds } from "./revoking-words.ts";

/**
 * What a message does to the requests before it. `stop`: calls them off. `correction`: stands in for the one before.
 * `undo`: takes back what was done. `command`: of a harness's, or of the shell's, and nothing else.
 * `resume`: takes back a stop. `complaint`: what was done does not do. `thanks`: it does.
 */
type RequestMeaning =
  | "stop"
  | "correction"
  | "undo"
  | "resume"
  | "complaint"
  | "thanks"
  | "command"
  | "request";

interface RequestWords {
  readonly meaning: RequestMeaning;
  /** Nothing is asked besides: `stop` alone, not `stop, and do this instead`. */
  readonly isBare: boolean;
  /** A correction only where it is about the request before: a new request may have the same words. */
  readonly isWeak?: boolean;
}

const lead = String.raw`(?:(?:please|ok|okay|oh|hey|hm+|wait|sorry|well|no|alright|and|so|but|just)[\s,.!]+)*`;
const it = `(?:that|this|it|everything|all of (?:that|this|it)|(?:the|that|this|my) (?:(?:last|previous) )?(?:task|request|job|work|plan)|what you(?:'re| are) doing|working(?: on (?:that|this|it))?|doing (?:that|this|it))`;
const tail = String.raw`(?:\s+(?:now|here|please|for now|right now|right there|immediately|at once|altogether|already))*`;

/** A clause that is one of these and nothing more calls off what is being done. */
const stops = [
  String.raw`stop(?:\s+${it})?`,
  String.raw`(?:cancel|abort|drop|leave|scrap)\s+${it}`,
  "cancel|abort|halt",
  "never\\s?mind(?:\\s+(?:that|this|it|then))?",
  String.raw`(?:forget|scratch|skip|ignore)\s+(?:about\s+)?${it}`,
  String.raw`(?:don't|do not|dont)\s+(?:bother|do (?:that|this|it)|continue|go on|proceed)`,
  "(?:let's|lets|let us)\\s+not(?:\\s+do (?:that|this|it))?",
  "i(?:'ve| have)? changed my mind",
  "(?:don't|do not)(?: do it)?",
  "(?:then )?you (?:don't|do not|needn't) (?:need|have) to(?: do (?:that|this|it))?",
  "(?:then )?(?:we|i) (?:don't|do not|won't) need (?:one|it|that|this|any|them) (?:at all|any ?more|after all)",
];
const stopClause = new RegExp(`^(?:${lead}(?:${stops.join("|")})${tail}|${otherStops.join("|")})$`, "u");

/** A message that begins like this puts something else in the place of what was asked, or done, before. */
const corrections = [
  /^(?:no|nope|nah)\s*(?:[,;:.!–—-]|$)/,
  /^(?:no|nope|nah)\s+(?:no\b|wait\b|not\b|don't\b|do not\b|that's\b|that is\b|i (?:meant|mean|said|want|wanted)\b|you\b|use\b)/,
  /^(?:that's|that is|this is|it's|it is)\s+(?:wrong|not right|incorrect|not what i (?:meant|asked|wanted|said))/,
  /^(?:wrong|not like that|not that|not this)\s*(?:[,;:.!–—-]|$)/,
  /^(?:i meant|what i meant|i said)\b/,
  /^on second thoughts?\b/,
  /^instead\s*[,:]/,
  /^actually,?\s+(?:no\b|let's\b|don't\b|do not\b|use\b|make\b|i want\b|i meant\b|i'd rather\b|i would rather\b|keep\b|instead\b)/,
  /^(?:(?:hold on|wait|stop|hm+|hang on)[\s,.!]+)+no\b/,
];
/** `use pnpm instead`, but not `instead of npm`. */
const insteadAtEnd = /\binstead(?:\s+please)?\s*(?:$|[,;:–—])/;
/** So many sentences are looked at for it. */
const maxInsteadSentences = 2;

const resumes =
  /^(?:please\s+)?(?:continue|go on|carry on|resume|keep going|go ahead|proceed)(?:\s+(?:please|then|now|with (?:that|this|it)|where you left off))*\s*[.!]*$/;
const command = /^\s*(?:\/[\w:.-]+|! [^\n]*)\s*$/;

/** Where one clause ends and the next begins. */
const clauseEnd = /[.,;:!?\n–—。，、！？；：…]+|\s-+\s/;
const maxFirstSentenceChars = 160;

/**
 * Reads a message by small tables of words, in six languages. What they do not know is a request like any other: better
 * to keep a request open than to call one off that nobody called off.
 */
export function readRequestWords(text: string, asked = text): RequestWords {
  if (command.test(text)) return { meaning: "command", isBare: true };
  const words = plainWords(text);
  const stop = readStop(words);
  if (stop) return stop;
  if (isResume(words)) return { meaning: "resume", isBare: true };
  if (words !== "" && words.length <= maxThanksChars && thanks.test(words))
    return { meaning: "thanks", isBare: true };
  const [first = ""] = words.split("\n");
  if (complaints.some((pattern) => pattern.test(first.slice(0, maxFirstSentenceChars))))
    return { meaning: "complaint", isBare: false };
  if (isUndoing(words)) return { meaning: "undo", isBare: false };
  const own = asked === text ? words : plainWords(asked);
  if (isCorrection(own)) return { meaning: "correction", isBare: false };
  if (weakCorrections.some((pattern) => pattern.test(own)))
    return { meaning: "correction", isBare: false, isWeak: true };
  return { meaning: "request", isBare: false };
}

const undoes = anyOf(
  "^(?:please |ok |okay |hm+ |wait |no |sorry |[,.!] ?)*(?:undo|revert|roll back|take back|back out)(?: of)? (?:that|this|it|the last|the change|your|what you|everything|all)|(?:i )?take (?:that|this|it|all|everything)(?: all)? back",
  "^(?:perdona |no |vale |[,.!] ?)*(?:lo )?retiro (?:lo|eso)|^(?:je|finalement,? je) retire (?:ce|ma)|^ich (?:nehme|zieh)\\p{L}* (?:das|es|die) [^.]*zurück",
  "^(?:bitte |ok |nein |doch |[,.!] ?)*(?:mach|nimm|dreh) (?:das|es|die änderung|alles) (?:bitte |doch |alles )?(?:wieder )?(?:rückgängig|zurück)",
  "^(?:non |finalement |ok |[,.!] ?)*(?:annule|défais|reviens sur) (?:ça|cela|ce que|cette|le|la|tes)",
  "^(?:no |mejor |ok |[,.!] ?)*(?:deshaz|revierte|deshazlo|reviértelo)",
  "^(?:不|还是|请|算了|[，。] ?)*(?:撤销|撤回|还原|回滚|恢复原)",
  "(?:元に戻して|元に戻し|巻き戻して|取り消して)",
);

/** So many sentences of a short message are looked at. */
const maxUndoSentences = 4;

export function takesAllBack(text: string): boolean {
  return isUndoing(plainWords(text));
}

function isUndoing(words: string): boolean {
  const sentences = words.split(/[.!?\n。！？]+\s*|,\s+so /u).slice(0, maxUndoSentences);
  return words.length <= 2 * maxFirstSentenceChars && sentences.some((one) => undoes.test(one));
}

/** Takes out again what was put in, by its name. */
const takeBacks = anyOf(
  "(?<![\\p{L}])(?:remove|delete|drop|take|rip|throw|pull)(?![\\p{L}]) [^.]{1,60} (?:again|out again|back out|away again|after all)(?![\\p{L}])",
  "(?<![\\p{L}])(?:nimm|bau|lösch|entfern|wirf)\\p{L}* [^.]{1,60} (?:wieder|doch wieder) ?(?:raus|heraus|weg|aus|ab)?",
  "(?<![\\p{L}])(?:enlève|retire|supprime|ôte)\\p{L}* [^.]{1,60}(?:finalement|de nouveau|à nouveau)|(?:finalement|en fin de compte),? (?:enlève|retire|supprime)",
  "(?<![\\p{L}])(?:quita|elimina|borra|saca)\\p{L}* [^.]{1,60}(?:otra vez|de nuevo|al final)|al final,? (?:quita|elimina|borra)",
  "(?:还是|再|又)(?:把)?.{0,20}(?:去掉|删掉|删了|移除|拿掉)",
  "やっぱり.{0,30}(?:消して|外して|削除して|やめて|戻して)",
);

const politeWords = anyOf(
  "(?<![\\p{L}])(?:can|could|would|will) (?:you|we|u)(?![\\p{L}])|(?<![\\p{L}])(?:kannst|könntest|würdest) du|(?<![\\p{L}])(?:peux|pourrais)-tu|(?<![\\p{L}])(?:puedes|podrías)(?![\\p{L}])|(?<![\\p{L}])(?:(?:vous savez|tu sais|tu saurais) (?:le |la )?faire|sabes hacer|podés|podéis|kriegst du|schaffst du|bekommst du)(?![\\p{L}])|(?:できない|できる|できます)(?:か|かな)?[?？]|能不能|可以.{0,12}吗|帮|(?:くれますか|もらえますか|いただけますか)",
);

const tellMe =
  /(?:can|could|would) you (?:please )?(?:explain|tell|describe|summari[sz]e|show me|remind)|^(?:please )?(?:explain|tell me|describe|summari[sz]e)(?![\p{L}])/u;
/** Begins as somebody who states what is, and wants nothing done. */
const states =
  /^(?:(?:but|so|and|well|yeah|yep|yes|ok|okay|hm+|also|really)[\s,]+)*(?:i think|i guess|i see|we|he|she|they|it|that|this|there|he's|she's|it's|that's|\p{L}+ (?:had|has|was))(?![\p{L}])/u;
const wants =
  /(?<![\p{L}])(?:should|must|needs?|want|please|let's|can|could|would|have to|has to|fail\p{L}*|broken|wrong|errors?|bugs?|missing|doesn't|isn't|does not|is not)(?![\p{L}])/u;

/** Whether a message asks to know something, or states something, and asks for no work. */
export function asksToKnow(text: string): boolean {
  const words = plainWords(text);
  if (tellMe.test(words)) return true;
  if (/[?？][\s)]*$/.test(words)) return !politeWords.test(words) && !asks.test(words);
  return (
    words.length <= maxFirstSentenceChars && states.test(words) && !wants.test(words) && !asks.test(words)
  );
}

/** Has removed what was begun. */
const cleansUp = anyOf(
  "^(?:(?:please|and|just|then) )*(?:delete|remove|undo|revert|discard|throw away|clean up|drop)(?![\\p{L}])[^.]{0,30}$",
  "^(?:(?:bitte|und|dann) )*(?:lösch|entfern|wirf|verwirf)\\p{L}* [^.]{0,30}$|^(?:et )?(?:supprime|efface|enlève|jette)[^.]{0,30}$|^(?:y )?(?:borra|elimina|quita|descarta)[^.]{0,30}$",
  "^(?:把)?.{0,10}(?:删了?|删掉|去掉|还原)(?:吧)?$|^.{0,10}(?:消して|削除して|破棄して)(?:おいて)?(?:ください)?$",
);

/** Whether a message that calls something off asks for something in its place. */
export function wantsMore(text: string): boolean {
  const clauses = plainWords(text)
    .split(clauseEnd)
    .map((clause) => clause.trim());
  return clauses.some(
    (clause) =>
      clause !== "" &&
      !callsOff(clause) &&
      !stopClause.test(clause) &&
      !cleansUp.test(clause) &&
      asks.test(clause),
  );
}

const holds = anyOf(
  "^(?:(?:hm+|oh|ah|uh|ok|well|sorry|actually|en fait|bon|ach|ay|あ|え|诶|哎)[\\s,.!、，]*)*(?:no|nope|wait|hold on|hang on|nein|nee|warte|halt|moment|non|attends|attendez|espera|para|不|等|いや|待って|ちょっと待って)(?![\\p{sc=Latin}])",
);

/** Whether a message begins by holding up what is being done. */
export function holdsUp(text: string): boolean {
  return holds.test(plainWords(text));
}

const deferrals = anyOf(
  "^(?:(?:hm+|no|nah|nein|nee|non|mejor|ok)[\\s,.!]+)*(?:not (?:now|today|yet|this week)|(?:jetzt|heute|noch) nicht(?= ?[,.!]|$)|nicht (?:jetzt|heute)|pas (?:maintenant|aujourd'hui|tout de suite|encore)|(?:ahora|hoy|todavía) no(?= ?[,.!]|$)|let me sleep on it|plus tard|später|más tarde)(?![\\p{L}])",
  "^(?:现在|今天|暂时)?(?:先不(?:急|弄|做|用)?|还不急|以后再说|晚点再说)|^(?:今は|今日は)?(?:まだいい|後で|あとで|今度)(?:です|に|で)?",
  "(?<![\\p{L}])(?:one (?:sec|second|moment|minute)|hold on|i(?:'ll| will| have to| need to|'m going to|'ll have to) (?:ask|check|find out|clarify|look it up|get back)|let me (?:check|ask)|(?:will|takes?) [^.]{0,20}until|(?:let's|we'll|i'll) [^.]{0,30}(?:tomorrow|later|next week)|(?:machen|schauen|sehen|reden) wir [^.]{0,30}(?:morgen|später|nächste woche)|on (?:voit|verra|reprend|continue|en reparle) [^.]{0,20}(?:demain|plus tard|lundi|la semaine prochaine)|(?:lo )?(?:vemos|miramos|seguimos|hablamos) [^.]{0,20}(?:mañana|luego|más tarde|el lunes|la semana que viene)|(?:kläre|frage|prüfe|erkundige) ich|(?:ich|da) (?:kläre|frage|prüfe|muss [^.]*(?:fragen|klären))|je (?:vais )?(?:demander?|vérifie|me renseigne)|(?:lo|voy a) (?:consult|pregunt|mir)\\p{L}*|tengo que (?:preguntar|consultar))(?![\\p{L}])",
  "我(?:去|先|得)?(?:问|确认|查)|(?:明天|改天|回头|下周)(?:再|我们再)(?:说|看|弄|聊)|(?:明日|来週|また|後日|後で)(?:に|また)?(?:しましょう|見ましょう|やります|考えます|続き)|(?:確認|相談)して(?:おき|み|から)|聞いて(?:おき|み)ます",
);

/** Whether a message puts off the answer to a question. */
export function defers(text: string): boolean {
  return deferrals.test(plainWords(text).slice(0, maxFirstSentenceChars));
}

/** Whether a short message takes out what was put in before: which that is, its subject says. */
export function takesBack(text: string): boolean {
  const words = plainWords(text);
  return words.length <= maxFirstSentenceChars && takeBacks.test(words);
}

const asideWords =
  /(?:instead of|rather than|statt|anstatt|au lieu d[e'’]|plutôt que|en vez de|en lugar de)\s([^,.;:!?\n]{2,60})/u;

/** The words behind “instead of”: what is no longer wanted, if it was. */
export function putAside(text: string): string {
  return asideWords.exec(plainWords(text))?.[1] ?? "";
}

const maxThanksChars = 80;

function isResume(words: string): boolean {
  return resumes.test(words) || otherResumes.test(words);
}

/** Whether a message calls off something that it names, and nothing else: which request that is, its subject says. */
export function callsOffByName(text: string): boolean {
  const words = plainWords(text);
  return (
    words.length <= maxFirstSentenceChars &&
    !upholds.test(words) &&
    namedStops.some((pattern) => pattern.test(words))
  );
}

const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** Whether a message begins as an answer to a question, or is as short as one. */
export function soundsLikeReply(text: string): boolean {
  const words = plainWords(text);
  const isShort = unspaced.test(words) ? words.length <= 10 : words.split(/\s+/).length <= 3;
  return isShort || replies.test(words);
}

/** Whether a message does no more than ask back. */
export function isQuestionBack(text: string): boolean {
  return /[?？]\s*$/.test(text) && text.length <= maxFirstSentenceChars;
}

function readStop(words: string): RequestWords | null {
  const said = words
    .split(clauseEnd)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "");
  let at = 0;
  while (
    at < said.length &&
    /^(?:(?:no|ok|okay|wait|hold on|hang on|hey|oh|please|sorry|hm+|also|actually|nein|ne|nee|ach|bitte|warte|moment|non|bon|attends|finalement|en fait|espera|bueno|mejor|不|诶|哎|等下|等等|等一下|好|いや|あ|待って|すみません) ?)+$/.test(
      said[at] ?? "",
    )
  )
    at += 1;
  if (!stopClause.test(said[at] ?? ""))
    return isStopAtEnd(words, said) ? { meaning: "stop", isBare: true } : null;
  const rest = said
    .slice(at + 1)
    .filter(
      (clause) =>
        !stopClause.test(clause) &&
        !/^(?:thanks|thank you|please|sorry|bitte|danke|merci|s'il te plaît|gracias|por favor|谢谢|ありがとう|すみません)$/.test(
          clause,
        ),
    );
  const hasMore =
    rest.some((clause) => !callsOff(clause) && !cleansUp.test(clause) && asks.test(clause)) ||
    words.includes("…");
  if (hasMore && isResume(rest.join(" "))) return null;
  return { meaning: "stop", isBare: !hasMore };
}

/** `The client has just cancelled. Drop it.` */
function isStopAtEnd(words: string, clauses: readonly string[]): boolean {
  const last = clauses.at(-1) ?? "";
  return (
    /[.!?\n。！]/.test(words.slice(0, words.lastIndexOf(last))) &&
    words.length <= maxFirstSentenceChars &&
    stopClause.test(last) &&
    clauses.slice(0, -1).every((clause) => !asks.test(clause))
  );
}

const callsOff = (clause: string) => namedStops.some((pattern) => pattern.test(clause));

/** A clause that wants something done, and does not only say why. */
const asks = anyOf(
  `^(?:(?:please|just|only|and|then|instead|rather|first|now|better|so|but|simply|can you|could you|would you|let's|we should|you should|i want you to|i'd like you to) )*(?:${imperatives})(?![\\p{L}])`,
  "(?<![\\p{L}])(?:bitte|stattdessen|lieber|mach|nimm|schreib|bau|füg|änder|verwend|benutz|nutz|zeig|gib|stell|prüf|lies|führ|lösch|such|erstell|leg|setz|fang|geh)\\p{L}{0,3}(?![\\p{L}])",
  "(?<![\\p{L}])(?:fais|faites|mets|utilise|écris|ajoute|prends|corrige|crée|montre|lance|supprime|change|passe|regarde|commence|plutôt|à la place)(?![\\p{L}])",
  "(?<![\\p{L}])(?:haz|pon|usa|escribe|añade|agrega|corrige|crea|muestra|cambia|pasa|borra|mira|empieza|mejor|en su lugar)(?![\\p{L}])",
  "改成|换成|改用|帮我|请|把|先|^(?:就|还是)?(?:用|写|做|改|看)|てください|て(?:くれ|ほしい)|お願い|にして|代わりに",
);

function isCorrection(words: string): boolean {
  if ([...corrections, ...otherCorrections].some((pattern) => pattern.test(words))) return true;
  const sentences = words.split(/[.!?\n]/).slice(0, maxInsteadSentences);
  return sentences.some((one) => one.length <= maxFirstSentenceChars && insteadAtEnd.test(one));
}
