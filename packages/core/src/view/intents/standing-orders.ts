import type { OrderRecord } from "../../spec/index.ts";
import { copyText } from "../copy-text.ts";
import { sharedList } from "../ledgers/ledger-parts.ts";
import { binding, englishBan, exceptLast, languageOrder, orderWords } from "./order-words.ts";
import {
  announcesOnly,
  bindsAnew,
  isPureOrder,
  ordersAmong,
  type ReadSentence,
  readSentences,
} from "./read-orders.ts";
import {
  isEndedBy,
  narrowsOrder,
  onlyAllows,
  type Revocation,
  readRevocation,
  reconsiders,
  subjectsOf,
  tellingSubjects,
} from "./revoking-words.ts";

/** Everything the ledger of orders knows at some entry. Plain data that never changes. */
export interface OrderSnapshot {
  readonly records: readonly OrderRecord[];
}

export const noOrders: OrderSnapshot = { records: [] };

/** The user's standing orders, kept up to date message by message. Only words about an order itself end it. */
export interface OrderWriter {
  /** The user said something. `isStanding`: that was orders, and nothing else; `asked`: the text without them. */
  say(entry: string, seq: number, text: string): { readonly isStanding: boolean; readonly asked: string };
  readonly records: readonly OrderRecord[];
  snapshot(): OrderSnapshot;
}

export function createOrders(start: OrderSnapshot = noOrders): OrderWriter {
  const records = sharedList(start.records);

  /** `next`: the sentence behind it. */
  function revoke(sentence: ReadSentence, entry: string, next = ""): boolean {
    const ended = revokedOrders(sentence, records.value, next);
    for (const at of ended) {
      const { revokedBy: _none, ...order } = records.value[at] as OrderRecord;
      records.own()[at] = { ...order, revokedBy: entry };
    }
    return ended.length > 0;
  }

  return {
    say(entry, seq, text) {
      const sentences = readSentences(text);
      const orders = new Set(ordersAmong(sentences, text.length));
      let narrowed: string | null = null;
      for (const [at, sentence] of sentences.entries()) {
        const next = sentences[at + 1]?.words ?? "";
        const hasRevoked = records.value.length > 0 && revoke(sentence, entry, next);
        const isEnd = hasRevoked && (!bindsAnew(sentence.words) || onlyAllows.test(sentence.words));
        const isOrder = isEnd ? exceptLast.test(sentence.words) : orders.has(sentence);
        if (narrowed !== null)
          records.own().push({ entry, seq, text: copyText(spanned(text, narrowed, sentence.text)) });
        else if (isOrder) records.own().push({ entry, seq, text: copyText(sentence.text) });
        narrowed = hasRevoked && narrowsOrder(sentence.words, next) ? sentence.text : null;
      }
      const isStanding = (one: ReadSentence) =>
        one.isCourtesy || announcesOnly(one.words) || (orders.has(one) && isPureOrder(one));
      let asked = text;
      for (const order of orders) asked = asked.replace(order.text, "");
      return { isStanding: orders.size > 0 && sentences.every(isStanding), asked };
    },
    get records() {
      return records.value;
    },
    snapshot: () => ({ records: records.share() }),
  };
}

/** From one sentence of a text to the end of the next. */
function spanned(text: string, from: string, to: string): string {
  const begin = text.indexOf(from);
  return text.slice(begin, text.indexOf(to, begin + from.length) + to.length);
}

/** Positions of the orders that a sentence ends: those in force that it speaks of most. */
function revokedOrders(
  sentence: ReadSentence,
  orders: readonly OrderRecord[],
  next: string,
): readonly number[] {
  const { words, order } = sentence;
  if (reconsiders.test(words) || reconsiders.test(next)) return [];
  const revocation = narrowsOrder(words, next)
    ? ({ ends: "both", which: "named", isOfOrders: true } as const)
    : (readRevocation(words, order === "strong") ?? languageChange(words, order === "strong"));
  if (!revocation) return [];
  const inForce = orders.flatMap((one, at) => (one.revokedBy === undefined ? [at] : []));
  if (revocation.which === "all") return inForce;
  if (revocation.which === "newest") return inForce.slice(-1);
  const subjects = subjectsOf(sentence.text);
  const shared = inForce.map((at) => ({
    at,
    score: sharedScore(orders[at]?.text ?? "", subjects, revocation, words),
  }));
  const most = Math.max(0, ...shared.map(({ score }) => score));
  return most === 0 ? [] : shared.filter(({ score }) => score === most).map(({ at }) => at);
}

const domains =
  /comments?|commit\p{L}*|docs?|documentation|readme|kommentar\p{L}*|dokumentation|commentaires?|comentarios?|documentación|注释|提交|文档|コメント|コミット|ドキュメント/gu;
const back =
  /(?<![\p{L}])(?:again|back|from now on|now|anymore|wieder|zurück|ab jetzt|ab sofort|jetzt|de nouveau|à nouveau|désormais|dorénavant|maintenant|repasse\p{L}*|de nuevo|otra vez|a partir de ahora|ahora|vuelve|vuelva)(?![\p{L}])|改|换|现在|以后|恢复|戻|これから|今後|今から|今日から|変更|やっぱり/u;

/** Another language from now on ends the order for the one before. */
function languageChange(words: string, isStrong: boolean): Revocation | null {
  return (isStrong || /^let's /.test(words)) && languageOrder.test(words) && isLasting(words)
    ? { ends: "demands", which: "named" }
    : null;
}

/** The same kind of text cannot be written in two languages from now on. */
function isLasting(words: string): boolean {
  return back.test(words) || (domainOf(words) !== "" && !atHand.test(words));
}

const atHand =
  /(?<![\p{L}])(?:this|that|it|das|dies\p{L}*|ça|ceci|cette?|cela|est[aeo]|eso)(?![\p{L}])|这|那|この|その|これ/u;

/** How much a sentence speaks of an order; 0 where it cannot end it. */
function sharedScore(
  order: string,
  subjects: ReadonlySet<string>,
  revocation: Revocation,
  words: string,
): number {
  const text = order.toLowerCase().replaceAll("’", "'");
  const about = subjectsOf(text);
  const isOtherLanguage =
    languageOf(about) !== undefined &&
    languageOf(subjects) !== undefined &&
    isLasting(words) &&
    languageOf(about) !== languageOf(subjects) &&
    domainOf(text) === domainOf(words);
  if (isCompound(text)) return 0;
  if (isOtherLanguage) return 100;
  if (!isEndedBy(text, revocation)) return 0;
  if (revocation.only) return 1;
  const telling = tellingSubjects(text);
  const shared = [...about].filter((subject) => subjects.has(subject));
  const least = revocation.isOfOrders ? 1 : Math.min(2, about.size);
  const isEnough = shared.length >= least || shared.some((subject) => telling.has(subject));
  return isEnough ? shared.length : 0;
}

const languageOf = (subjects: ReadonlySet<string>) => [...subjects].find((one) => one.startsWith("in "));
const domainOf = (text: string) => (text.match(domains) ?? []).map((word) => word.slice(0, 4)).join(" ");

/** Two orders in one sentence: who ends one of them has not ended the other. */
function isCompound(text: string): boolean {
  const clauses = text.split(/[,;，；、]|(?<![\p{L}])(?:and|und|et|y)(?![\p{L}])/u);
  const isOrder = (clause: string) =>
    !adverbial.test(clause.trim()) &&
    clause.replace(binding, "").trim().length > maxAdverbChars &&
    (orderWords.some(({ strong, usual }) => strong.test(clause) || usual.test(clause)) ||
      languageOrder.test(clause) ||
      englishBan.test(clause.trim()));
  return clauses.filter(isOrder).length > 1;
}

/** So little besides the words that bind from now on is no order of its own. */
const maxAdverbChars = 3;

/** Says when or for how long, and orders nothing by itself. */
const adverbial =
  /^(?:until|unless|as long as|while|when|whenever|if|not even|neither|nor|bis|solange|wenn|auch nicht|weder|noch|jusqu|tant que|tant qu|quand|si|ni|hasta|mientras(?! [^,]*(?:nunca|no)(?![\p{L}]))|cuando|直到|除非|ない限り)/u;
