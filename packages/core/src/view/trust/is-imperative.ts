import { foldText } from "./fold-text.ts";

/** Words that keep people and machines from harm, and words that negate them. */
const guards =
  "2fa|mfa|approvals?|audits?|branch protection|certificates?|checks?|confirmations?|firewalls?|guards?|guardrails?|hooks?|linters?|permissions?|prompts?|protections?|reviews?|rules|safety|sandbox(?:es|ing)?|scans?|signatures?|ssl|tests?|tls|validation|verification|warnings?";
const absences =
  "skip(?:s|ped|ping)?|omit(?:s|ted|ting)?|bypass(?:es|ed|ing)?|circumvent\\w*|ignor(?:es|ed|ing)|disabled?|disables|disabling|deactivat\\w+|suppress\\w+|silenc\\w+|waiv\\w+|turned off|switched off|is off|are off|left out|not (?:needed|required|necessary|enforced|checked)|unnecessary|needless|optional|unverified|unchecked|unsigned|unreviewed|without|no longer (?:needed|required|apply|applies)|exempt\\w*";

/** Words for secrets, and for what is done with them. */
const secrets =
  "api keys?|keys?|tokens?|secrets?|passwords?|passphrases?|credentials?|cookies?|private keys?|\\.env|\\.ssh|id_rsa|\\.npmrc|\\.netrc|certificates?|session (?:data|logs?)|env(?:ironment)? (?:variables|files?)";
const handings =
  "sent|send|copied|copy|upload\\w*|post(?:ed|s)|pasted?|shared?|sharing|forward\\w*|mailed|emailed|attach\\w*|print(?:ed|s)|logged|publish\\w*|mirror\\w*|backed up|sync\\w*|exfiltrat\\w*|commit(?:ted|s)|exported|echoed|submitted|(?:go|goes|belong|belongs) (?:in|into|to)";

const people =
  "users?|owners?|maintainers?|admins?|administrators?|developers?|team|teams|lead|boss|management|security|legal|support|staff|everyone|everybody|we|they";
const consents =
  "approv(?:e|es|ed)|agree[sd]?|authori[sz](?:e|es|ed)|confirm(?:s|ed)|consent(?:s|ed)?|permit(?:s|ted)?|allow(?:s|ed)?|grant(?:s|ed)?|trusts?|prefers?|wants?|likes?|expects?|accepts?|insists?|is fine with|are fine with|is ok(?:ay)? with|are ok(?:ay)? with|has no objection|have no objection";

/** So far apart two words still belong together. */
const near = String.raw`[^.!?\n]{0,60}`;
const together = (one: string, other: string) =>
  String.raw`\b(?:${one})\b${near}\b(?:${other})\b|\b(?:${other})\b${near}\b(?:${one})\b`;

const norms = new RegExp(
  [
    String.raw`\b(?:by|the|our|a|is|as) (?:convention|custom|policy|practice|standard procedure|house rule|protocol|guideline)s?\b`,
    String.raw`\bbest practi[cs]es?\b`,
    String.raw`\b(?:the|our) (?:right|correct|proper|usual|standard|preferred|official|recommended|approved|agreed|only) (?:way|step|steps|procedure|process|approach|method|command|tool|source|order)\b`,
    String.raw`\b(?:pre-?approved|pre-?authori[sz]ed|allow-?listed|whitelisted)\b`,
    together(guards, absences),
    together(secrets, handings),
    String.raw`\b(?:${people})(?: (?:has|have|had|already|all|always|usually|also|explicitly|team))* (?:${consents})\b`,
    // A frame of the conversation, or a setting of the agent, that is none.
    String.raw`<\/?(?:system|assistant|user|instructions?|important|admin|developer|prompt)\b`,
    String.raw`\b(?:ignore|skip|disable|bypass|allow|override|auto|force)(?:_[a-z]+)+\s*[=:]`,
  ].join("|"),
);

/** The words of all that, for what is spelled to look like them. */
const normWords = [guards, absences, secrets, handings, people, consents].join(" ");

/** Whether a folded text tells as the way things are what would be an order: safety left away, secrets given away, consent. */
function setsNorm(text: string): boolean {
  return norms.test(text);
}

/** Words that make a sentence an order wherever they stand. */
const orderWords =
  /\b(?:always|never|must(?:n'?t)?|shall|should(?:n'?t)?|ought|(?:need|needs|have|has|had|want|wants|required|mandatory|expected|supposed|instructed|told|asked|remember|sure|free|allowed|permitted|safe|ok|okay|careful) to|to (?:run|execute|install|delete|remove|download|send|visit|upload|disable|ignore|bypass|follow|call|invoke|post|forward|email|curl|wget|paste)|do not|don'?t|dont|make sure|be sure|ensure|from now on|going forward|in (?:the )?future|henceforth|whenever|every time|each time|as soon as|ignore|disregard|override|bypass|forget (?:all|any|every|previous|prior|earlier|what|that|your)|instead of|rather than|under no circumstances|at all times|without (?:asking|telling|confirm\w*|permission)|you (?:are|will|can|may|have|need|could|would)|your (?:task|job|role|goal|instructions?|next)|please|kindly|let'?s|instructions?|jailbreak|system prompt|act as|pretend|policy (?:is|says|requires)|rule(?:s)?:|rule is|it is (?:vital|essential|imperative|crucial|important|necessary|critical|recommended|advised|best)|(?:agents?|assistants?|models?|ai|developers?|everyone|users?|claude|gpt)(?: \w+){0,2} (?:must|should|will|shall|is to|are to|has to|have to|needs? to))\b/;

/** Verbs that make an order of a sentence they begin. */
const orderVerbs: ReadonlySet<string> = new Set(
  `accept access activate add adopt allow answer append apply approve ask assume attach avoid begin build call cancel change
  check choose clean clear click clone close commit compile confirm connect consider continue contact convert copy create
  curl cut debug decline decrypt delegate delete deliver deny deploy describe disable discard do download drop edit email
  empty enable encode encrypt enter erase execute expose export fetch fill find finish fix follow force forget forward
  generate get give go grant grep handle hide hold import include inform initialize insert inspect install invoke join keep
  kill launch leave let list listen load log login look mail make mark memorize merge modify mount move never notify obey
  omit open order output overwrite pass paste pay perform pick ping pipe place point post prefer prepare prepend press print
  proceed prompt provide publish pull push put quote read rebase reboot record redirect refer refuse register reject
  release reload remember remove rename repeat replace reply report request require reset resolve respond restart restore
  return reveal revert review rewrite run save say search see select send serve set share show shut sign skip slack source
  ssh start stop store submit subscribe substitute sudo suggest suppress switch sync tell terminate test think touch track
  transfer treat trust try turn type uninstall unset unzip update upgrade upload use utilize utilise verify view visit wait
  warn watch wget whitelist wipe withdraw work wrap write`.split(/\s+/),
);

/** The same in other languages, without accents: German, French, Spanish, Portuguese, Italian, Dutch, Polish, Swedish, Turkish. */
const foreignOrders =
  /\b(?:immer|niemals|nie|musst|muss|mussen|sollst|sollte|sollten|bitte|fuhre|nutze|verwende|benutze|ignoriere|losche|stets|toujours|jamais|doit|doivent|devez|faut|veuillez|executez|utilisez|ignorez|lancez|siempre|nunca|debe|deben|debes|ejecuta|ejecute|usa|ignora|sempre|deve|devem|devi|esegui|usare|altijd|nooit|moet|moeten|gebruik|voer|negeer|zawsze|nigdy|musisz|nalezy|alltid|aldrig|maste|anvand|her zaman|asla|mutlaka)\b/;

/** Words without which hardly an English sentence stands; also what notes are made of. */
const englishWords =
  /\b(?:the|a|an|is|are|was|were|has|have|had|of|in|on|at|to|and|or|for|with|by|from|it|its|this|that|not|uses?|runs?|there|which|as|be|been|can|per|via)\b/;

const programs =
  "apt|apt-get|awk|bash|brew|cargo|cat|chmod|chown|cmd|cp|crontab|curl|dd|deno|docker|eval|exec|find|gh|git|go|gpg|helm|iex|java|kubectl|ln|make|mkfs|mv|nc|ncat|node|npm|npx|openssl|perl|php|pip|pip3|pnpm|powershell|pwsh|python|python3|rm|rsync|ruby|scp|sed|sh|source|ssh|su|sudo|systemctl|tar|tee|uv|uvx|wget|xargs|yarn|zsh|bun|bunx";
const command = new RegExp(
  [
    String.raw`(?:^|\n)\s*(?:[-*>]\s+|\d+[.)]\s+)?(?:\$|%|>)\s+\S`,
    String.raw`(?:^|\n)\s*#\s+(?:[.~]{0,2}/\S|[\w.-]+\s+(?:-{1,2}\w|[.~]{0,2}/\S))`,
    String.raw`(?:^|[\n;|&(:"'])\s*(?:[-*]\s+)?(?:sudo\s+)?(?:\.{0,2}/[\w./-]*)?(?:${programs})\s+(?:-{1,2}\w|[\w./~$-])`,
    String.raw`\b(?:run|running|runs|execut\w+|typ(?:e|ing)|invok\w+|using|via|with|call\w*)\s+(?:the\s+)?(?:command\s+)?["']?(?:${programs})\s+\S`,
    String.raw`\|\s*(?:ba|z|da)?sh\b`,
    String.raw`\b(?:rm|mv|cp|chmod)\s+-\w`,
    String.raw`&&|\|\||\$\(|>\s*/|/dev/tcp|base64\s+-d|--?no-verify|--force\b|<script\b`,
  ].join("|"),
);
/** Scripts that are not read here, and Latin letters that no language writes and no lookalike is known of. */
const foreignScript =
  /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]|[\u1d00-\u1dbf\ua720-\ua7ff]/u;

/** So many words without a single English one: nobody here can tell what they say. */
const minJudgedWords = 5;

/**
 * Whether a text asks for something: an order, an address or a command to follow, or words in a language that is not
 * understood here. For untrusted text, where a fact that is held back costs a confirmation and an order that is not costs
 * more: it errs on that side.
 */
export function isImperative(text: string): boolean {
  const folded = foldText(text);
  const plain = folded.replaceAll(/[*_~#]+/g, "");
  if (isForeign(plain)) return true;
  const spoken = [plain, joinLetters(plain)];
  const read = [...spoken, ...spoken.map(unmaskWords)];
  if ([folded, unmaskWords(folded), ...read].some(isHit)) return true;
  if (read.flatMap(sentencesOf).some(beginsWithOrder)) return true;
  const words = plain.match(/\p{L}{2,}/gu) ?? [];
  return words.length >= minJudgedWords && !englishWords.test(plain);
}

/** So many words of a name can be an order; fewer are a topic. */
const minOrderedWords = 4;

/**
 * Whether the name of a file asks for something: indexes list it, so that it is read as a sentence is. A few words name a
 * topic, such as `run-tests`, unless one of them makes an order wherever it stands.
 */
export function isImperativePath(path: string): boolean {
  const folded = foldText(path);
  return pathAsks(folded) || pathAsks(unmaskWords(folded));
}

function pathAsks(folded: string): boolean {
  const parts = folded
    .replace(/\.md$/, "")
    .split("/")
    .map((part) => part.replaceAll(/[-_\s]+/g, " ").trim());
  const spoken = parts.join(" ");
  if (orderWords.test(spoken) || namesAddress(spoken) || isForeign(spoken)) return true;
  if (spoken.split(/[^\p{L}\p{N}]+/u).length < minOrderedWords) return false;
  return isHit(spoken) || parts.flatMap(sentencesOf).some(beginsWithOrder);
}

function isForeign(text: string): boolean {
  return foreignScript.test(text.replaceAll(/[^\p{L}]/gu, ""));
}

function isHit(text: string): boolean {
  return (
    setsNorm(text) ||
    orderWords.test(text) ||
    foreignOrders.test(text) ||
    namesAddress(text) ||
    command.test(text)
  );
}

/** Letters set apart ("r u n", "a.l.w.a.y.s") are read as the word they make. */
function joinLetters(text: string): string {
  return text.replaceAll(/\b(?:\p{L}[ .\-_]){2,}\p{L}\b/gu, (letters) => letters.replaceAll(/[ .\-_]/g, ""));
}

function sentencesOf(text: string): readonly string[] {
  return text.split(
    /[.!?;:,\n\u2014\u2013()"'`]+|\s-\s|\b(?:and|then|or|but|so|also|just|simply|first|next|finally)\b/,
  );
}

const politeness =
  /^(?:\s|[-*>•\d]|(?:also|just|simply|first|next|finally|now|note|important|todo|action|step)\b)*/;

function beginsWithOrder(sentence: string): boolean {
  const [, verb = "", next = ""] = /^(\p{L}+)(?:\s+(\S+))?/u.exec(sentence.replace(politeness, "")) ?? [];
  return orderVerbs.has(verb) && !/^(?:is|are|was|were|has|had|of|in|for|on|at|by)$/.test(next);
}

/** Endings of names that lead somewhere; others end names of files and of parts of programs. */
const endings =
  "com|net|org|io|dev|sh|xyz|top|ru|cn|info|app|ai|co|me|biz|site|online|zip|mov|eu|uk|de|fr|es|it|nl|pl|se|ch|at|us|ca|au|jp|kr|in|br|tv|cc|ly|gg|to|tk|ml|ga|cf|gq|pw|su|club|shop|store|live|link|click|cloud|tech|page|pages|run|host|hosting|network|systems|tools|services|software|email|chat|download|agency|world|space|website|fun|icu|vip|work|pro|name|mobi|asia|onion|i2p|local|localhost|localdomain|internal|intranet|lan|corp|home|arpa|example|invalid";

const patterns: readonly string[] = [
  // A scheme, or what stands for one.
  String.raw`\b[a-z][a-z0-9+.-]{1,20}:\/\/`,
  String.raw`\bwww\.`,
  String.raw`\b(?:mailto|javascript|data):`,
  String.raw`\bhxxps?`,
  // A name with an ending, also with the dot spelled out or in brackets, and names that hide their letters.
  String.raw`(?<![\w@/.-])(?:[a-z0-9_-]+\.)+(?:${endings})(?![\w-]|\.\w|\()`,
  String.raw`[a-z0-9-]\s*(?:\[\.\]|\(\.\)|\{\.\}|\[dot\]|\(dot\)|\{dot\}|\sdot\s)\s*[a-z]{2,}`,
  String.raw`\bxn--`,
  // A machine's name with a port; not a line of a file.
  String.raw`(?<![\w./-])[a-z][a-z0-9-]*:\d{2,5}\b`,
  // Somebody at a machine; not a version of a package.
  String.raw`\w@[a-z0-9-]+(?:[:~]|\.[a-z])`,
  // Numbers: four of them, eight groups of hexadecimal ones, or all in one.
  String.raw`(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?!\.?\w)`,
  String.raw`(?<![\w:])(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}(?![\w:])`,
  String.raw`(?<![\w:])(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})(?![\w:])`,
  String.raw`\b0x[0-9a-f]{8}\b`,
  String.raw`(?<![\w.])(?:0x[0-9a-f]{1,2}|0[0-7]{3})(?:\.(?:0x[0-9a-f]{1,6}|\d{1,8})){1,3}(?![\w.])`,
  // One number, where a machine is spoken of or something stands behind it; elsewhere it may be a time or an amount.
  String.raw`\b(?:hosts?|hostname|servers?|address(?:es)?|ips?|machines?|mirrors?|prox(?:y|ies)|registry|endpoints?|gateways?|urls?|collectors?|dns|resolvers?)\b[^.\n]{0,40}(?<![\w.-])\d{8,10}(?![\w-])`,
  String.raw`(?<![\w./:-])\d{8,10}(?::\d{2,5}\b|/[a-z])`,
  // A share of another machine.
  String.raw`(?<![\w\\])\\\\[a-z0-9][\w.-]*\\`,
];
const address = new RegExp(patterns.join("|"));

/** Whether a folded text names somewhere to go: an address, a machine by name or number, a mailbox. */
function namesAddress(text: string): boolean {
  return address.test(text.replaceAll(/[\u3002\u2027]/g, "."));
}

/** Signs and digits that are written for letters. */
const signs: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  "2": "z",
  "3": "e",
  "4": "a",
  "5": "s",
  "6": "g",
  "7": "t",
  "8": "b",
  "9": "g",
  "@": "a",
  $: "s",
  "|": "l",
  "!": "l",
  "¡": "l",
  "£": "l",
  "+": "t",
  "€": "e",
  "¢": "c",
  "¥": "y",
};

const token = /[\p{L}\p{N}@$|!¡£+€¢¥]+/gu;

/** So many letters of a word that begins another one tell what it is: `confirm` of `conf1rmation`. */
const minStemChars = 5;

/** The shape that words have in common which look alike: `I`, `l` and `1` are one stroke, `rn` is an `m`. */
function shapeOf(word: string): string {
  return [...word]
    .map((sign) => signs[sign] ?? sign)
    .join("")
    .replaceAll("i", "l")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
}

/** The words that orders are told by, by their shapes. */
const known: ReadonlyMap<string, string> = new Map(
  [orderWords.source, foreignOrders.source, normWords, ...orderVerbs]
    .map((source) => source.replaceAll(/\\[a-z]/g, " ").replaceAll(/([a-z]+)([a-z])\?/g, "$1$2 $1"))
    .flatMap((text) => text.match(/[a-z]{2,}/g) ?? [])
    .map((word) => [shapeOf(word), word]),
);

const maxStemChars = Math.max(...[...known.values()].map((word) => word.length));

/**
 * A folded text in which words that only look like those of an order are spelled as they: `aiways`, `lgnore`, `n3ver`,
 * `alw@ys`. To be judged besides the text itself, for such a word may be just what it says.
 */
export function unmaskWords(text: string): string {
  return text.replaceAll(token, (word) => {
    const letters = word.match(/\p{L}/gu)?.length ?? 0;
    const others = [...word].length - letters;
    if (letters === 0 || others > letters) return word;
    const whole = known.get(shapeOf(word));
    if (whole !== undefined) return whole;
    for (let end = Math.min(word.length - 1, maxStemChars); end >= minStemChars; end -= 1) {
      const stem = known.get(shapeOf(word.slice(0, end)));
      if (stem !== undefined) return stem + word.slice(end);
    }
    return word;
  });
}
