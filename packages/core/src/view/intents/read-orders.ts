import { sentenceSpans } from "../sentences.ts";
import { namedStops } from "./meaning-words.ts";
import {
  announcesRules,
  anyOf,
  binding,
  calledRule,
  englishBan,
  extendsOnward,
  languageOrder,
  leavesRest,
  orderWords,
} from "./order-words.ts";
import { maskForeign } from "./own-words.ts";
import { maskPasted } from "./pasted-text.ts";
import { putsOff } from "./reaction-words.ts";
import { readRequestWords } from "./request-words.ts";
import { onlyOnce } from "./revoking-words.ts";
import {
  happens,
  narrated,
  picks,
  ruledSo,
  shapesThing,
  statesThing,
  tellsChange,
} from "./statement-words.ts";

/** A longer sentence is no order but a description. */
const maxOrderChars = 500;
/** Of a longer message only both ends are the user's for sure: what is pasted stands between them. */
const maxVoiceChars = 6_000;
const endChars = 2_000;
/** In a longer message only what says that it binds from now on counts. */
const maxTalkChars = 1_500;
const maxOrdersPerMessage = 24;

/** One sentence of the user's, word for word, and what it means for orders. */
export interface ReadSentence {
  readonly text: string;
  /** In lower case, without code and quotes. */
  readonly words: string;
  /** `strong`: it binds from now on by its own words; `usual`: a ban, a rule or a preference. */
  readonly order: "strong" | "usual" | null;
  /** Asks for nothing: a greeting, thanks, a yes. */
  readonly isCourtesy: boolean;
}

/** The standing orders in a message, word for word. */
export function readOrders(text: string): readonly string[] {
  return ordersAmong(readSentences(text), text.length).map((sentence) => sentence.text);
}

export function ordersAmong(sentences: readonly ReadSentence[], chars: number): readonly ReadSentence[] {
  const isMeant = ({ order }: ReadSentence) =>
    order === "strong" || (order === "usual" && chars <= maxTalkChars);
  return sentences.filter(isMeant).slice(0, maxOrdersPerMessage);
}

export function readSentences(text: string): readonly ReadSentence[] {
  const masked = maskPasted(maskForeign(text));
  const sentences = sentencesIn(text, masked);
  return sentences.map((one, at) => {
    const isExtended = extendsOnward.test(sentences[at + 1]?.words ?? "");
    const isRest = leavesRest.test(one.words) && (sentences[at - 1]?.order ?? null) !== null;
    if (!isExtended && !isRest) return one;
    return asksSomething(one.words) || one.isCourtesy ? one : { ...one, order: "strong" };
  });
}

function sentencesIn(text: string, masked: string): readonly ReadSentence[] {
  const parts =
    text.length <= maxVoiceChars
      ? [[0, text.length] as const]
      : [[0, endChars] as const, [text.length - endChars, text.length] as const];
  return parts.flatMap(([from, to]) => {
    let announced = 0;
    let end = 0;
    return sentenceSpans(masked.slice(from, to)).map((span): ReadSentence => {
      const words = wordsIn(masked.slice(from + span[0], from + span[1]));
      const isParted = /\n\s*\n/.test(masked.slice(from + end, from + span[0]));
      if (isParted && end > 0 && !announcesOnly(words)) announced = Math.min(announced, 0);
      end = span[1];
      const isRule = announced > 0 && !asksSomething(words);
      const order = announcesOnly(words) ? null : isRule ? "strong" : readOrder(words);
      if (isRule) announced -= 1;
      const count = announcedRules(words);
      if (count > 0) announced = count - (order === null ? 0 : 1);
      return {
        text: text.slice(from + span[0], from + span[1]),
        words,
        order,
        isCourtesy: courtesy.test(words),
      };
    });
  });
}

const wordsIn = (masked: string) => masked.toLowerCase().replaceAll("’", "'");
const asksSomething = (words: string) => /[?？]\W*$/u.test(words) || asks.test(words);

/** So many rules follow at most where nobody says how many. */
const maxAnnounced = 8;
const counts: readonly (readonly [RegExp, number])[] = [
  [/(?<![\p{L}])(?:two|zwei|deux|dos|both|2)(?![\p{L}])|两|二|2/u, 2],
  [/(?<![\p{L}])(?:three|drei|trois|tres|3)(?![\p{L}])|三|3/u, 3],
  [/(?<![\p{L}])(?:four|vier|quatre|cuatro|4)(?![\p{L}])|四|4/u, 4],
];

/** How many rules a sentence announces, its own included; 0 where it announces none. */
function announcedRules(words: string): number {
  if (!announcesRules.test(words) || asksSomething(words) || narrated.test(words)) return 0;
  return counts.find(([said]) => said.test(words))?.[1] ?? maxAnnounced;
}

/** Rules come behind it, and none is in it. */
export function announcesOnly(words: string): boolean {
  return announcedRules(words) > 0 && !/[:：]\s*\S/u.test(words) && !binding.test(words);
}

const courtesyWord =
  "hi|hello|hey|thanks?(?: you)?(?: (?:so|very) much| a lot)?|ok(?:ay)?|got it|great|perfect|good|nice|cool|yes|no|please|there|all|well|job|work|hallo|danke\\p{L}*|dir|schön|vielen dank|gut|super|prima|alles klar|ja|nein|bitte|bonjour|salut|merci|beaucoup|oui|non|parfait|bien|d'accord|hola|gracias|muchas|sí|vale|perfecto|bueno|你好|您好|谢谢(?:你|您|了)?|好的?|嗯|对|こんにちは|ありがとう\\p{L}*|はい|了解\\p{L}*|お願いします|よろしく\\p{L}*";
/** A greeting, thanks, a yes, and nothing else; a name may stand behind it. */
const courtesy = new RegExp(
  `^(?:(?:${courtesyWord})(?![\\p{sc=Latin}])[\\s,!.。！、]*)+$|^(?:hi|hello|hey|hallo|bonjour|salut|hola)[\\s,]+\\p{L}{1,12}[\\s,!.]*$`,
  "u",
);
const listMark = /^(?:[-*•+]|\d{1,3}[.)])\s+/;
const leads =
  /^(?:please|pls|and|also|but|oh|ok|okay|by the way|btw|one more thing|(?:just )?to be (?:sure|clear|safe)|fyi|for the record|(?:keep|bear) in mind(?: that)?|note that|alternatively|right now|like(?=,| right now)|important|wichtig|note|bitte|und|auch|aber|ach|übrigens|s'il te plaît|et|aussi|mais|au fait|por favor|y|también|pero|por cierto|请|另外|还有|ちなみに|それと|あと|なお)(?![\p{sc=Latin}])[\s,:!–-]*/u;
const polite =
  /^(?:please )?(?:can|could|would|will) you|^(?:kannst|könntest|würdest) du|^(?:peux|pourrais)-tu|^(?:puedes|podrías)|^(?:能不能|可以|请)|(?:くれますか|もらえますか|いただけますか)/u;
const negative =
  /(?<![\p{L}])(?:never|don't|do not|dont|no|not|without|avoid|nie|niemals|nicht|kein\p{L}*|ohne|pas|jamais|aucune?|sans|ne|nunca|jamás|no|sin)(?![\p{L}])|n'|不|别|勿|禁|ない|な[。！]?$/u;
const preference =
  /(?<![\p{L}])(?:i(?:'d| would)? (?:\p{L}+ )?(?:prefer|like|hate)|prefer|bevorzug\p{L}*|lieber|préf\p{L}*|prefier\p{L}*)(?![\p{L}])|偏好|喜欢|習慣|好み|好き/u;

/** Says what comes next, and orders nothing itself. */
const introduces = /[:：]\s*$/u;
const asks =
  /^(?:can|could|would|should|shall|do|does|did|is|are|was|were|what|why|how|where|which|who|when(?! you)) (?:we|you|i|it|the|this|that|there)(?![\p{L}])/u;
/** A longer point of a list is a step of what is to be done. */
const maxStepChars = 60;

function readOrder(sentence: string): ReadSentence["order"] {
  let words = sentence.trim().replace(listMark, "");
  for (let lead = leads.exec(words); lead; lead = leads.exec(words)) words = words.slice(lead[0].length);
  if (words.length > maxOrderChars || words.length < 4) return null;
  if (introduces.test(words)) return null;
  const isQuestion = /[?？]\W*$/u.test(words) || asks.test(words);
  if (isQuestion && !polite.test(words)) return null;
  const isStrong =
    orderWords.some(({ strong }) => strong.test(words)) ||
    (calledRule.test(words) && !statesThing(words.replace(/^[^:：]*[:：]\s*/u, ""))) ||
    languageOrder.test(words) ||
    languageOrder.test(sentence);
  const isBinding = binding.test(words);
  if (narrated.test(words) || (onlyOnce.test(words) && !isBinding)) return null;
  if (!isBinding && (shapesThing.test(words) || putsOff(words))) return null;
  const isDescribed =
    (statesThing(words) && !ruledSo.test(words)) ||
    happens.test(words) ||
    orderWords.some(({ descriptive }) => descriptive.test(words));
  if (tellsChange(words) || (isDescribed && !isBinding && !beginsAsOrder(words))) return null;
  if (isStrong || isBinding) return "strong";
  if (isQuestion || namedStops.some((pattern) => pattern.test(words)) || isReaction(words)) return null;
  const isStep = listMark.test(sentence.trim()) && words.length > maxStepChars;
  if (isStep && !beginsAsOrder(words)) return null;
  if ((aboutThis.test(words) || ofThisWork.test(words) || picks.test(words)) && !isBinding) return null;
  return englishBan.test(words) || orderWords.some(({ usual }) => usual.test(sentence)) ? "usual" : null;
}

/** A ban of something that only the request at hand tells of. */
const aboutThis =
  /(?<![\p{L}])(?:don't|do not|dont) \p{L}+ (?:it|them|this|that|anything|any ?more)(?=\W*$|[,.;!]| (?:a|an|the|yet|any ?more|but|just|for now|right now|now)(?![\p{L}]))|(?<![\p{L}])(?:don't|do not|dont) \p{L}+ (?:\p{L}+ )?(?:the|this|that|those|these|it|them|me|us|to)(?![\p{L}])[^.,;]{0,80} any ?more(?![\p{L}])/u;

/** How far the work at hand goes. */
const ofThisWork = anyOf(
  "(?<![\\p{L}])(?:don't|do not|dont|without|no) (?:chang\\p{L}*|alter\\p{L}*) (?:the |any |its )?(?:behaviou?r|logic|semantics|output|functionality)(?![\\p{L}])",
  "(?<![\\p{L}])(?:verhalten|logik) (?:\\p{L}+ )?nicht (?:ändern|verändern)|(?:sans|ne) (?:pas )?chang\\p{L}* (?:rien )?(?:le comportement|la logique)|(?:sin|no) cambi\\p{L}* (?:el comportamiento|la lógica)",
  "(?:行为|逻辑|功能)(?:不要|别)(?:变|改)|(?:吧|一下|一个|下)[,，]\\s*(?:先)?(?:别|不要)|(?:挙動|動作|ロジック)は(?:変え|変更し)ない",
);

/** It is about the request before. */
function isReaction(words: string): boolean {
  const { meaning, isWeak } = readRequestWords(words);
  return meaning !== "request" && isWeak !== true;
}

/** The first words order already: whatever is described behind them is the reason. */
function beginsAsOrder(words: string): boolean {
  return (
    orderWords.some(({ strong }) => (strong.exec(words)?.index ?? 99) < 3) ||
    englishBan.test(words.slice(0, 40))
  );
}

const clauseEnd = /[,;:，；、]|(?<![\p{L}])(?:and|but|und|aber|et|mais|y|pero)(?![\p{L}])/u;

/** What is asked for besides an order stands in front of it. */
function beginsWithOrder(words: string): boolean {
  const clauses = words
    .replace(listMark, "")
    .split(clauseEnd)
    .filter((clause) => clause.trim() !== "");
  const [first = ""] = clauses.filter((clause) => !courtesy.test(clause.trim()));
  return (
    readOrder(first) !== null ||
    (readOrder(`${first} ${clauses[1] ?? ""}`) === "strong" &&
      /^\s*(?:in|on|for|when|if|bei|wenn|für|pour|quand|si|en|cuando|para)(?![\p{L}])/u.test(first))
  );
}

/** A sentence that ends an order and gives another in its place. */
export function bindsAnew(words: string): boolean {
  return (
    languageOrder.test(words) ||
    binding.test(words) ||
    /(?<![\p{L}])(?:always|never|use|immer|nie|nutze|verwende|toujours|utilise\p{L}*|siempre|usa)(?![\p{L}])|用|使って|使用/u.test(
      words,
    )
  );
}

/** A sentence that is an order from its beginning on. */
export function isPureOrder({ order, words }: ReadSentence): boolean {
  return (
    beginsWithOrder(words) &&
    (order === "strong" || (order === "usual" && (negative.test(words) || preference.test(words))))
  );
}
