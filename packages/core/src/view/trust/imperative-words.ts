/** What makes a sentence an order wherever it stands. */
export const orderWords =
  /\b(?:always|never|must(?:n'?t)?|shall|should(?:n'?t)?|ought|(?:need|needs|have|has|had|want|wants|required|mandatory|expected|supposed|instructed|told|asked|remember|sure|free|allowed|permitted|safe|ok|okay|careful) to|to (?:run|execute|install|delete|remove|download|send|visit|upload|disable|ignore|bypass|follow|call|invoke|post|forward|email|curl|wget|paste)|do not|don'?t|dont|make sure|be sure|ensure|from now on|going forward|in (?:the )?future|henceforth|whenever|every time|each time|as soon as|ignore|disregard|override|bypass|forget (?:all|any|every|previous|prior|earlier|what|that|your)|instead of|rather than|under no circumstances|at all times|without (?:asking|telling|confirm\w*|permission)|you (?:are|will|can|may|have|need|could|would)|your (?:task|job|role|goal|instructions?|next)|please|kindly|let'?s|instructions?|jailbreak|system prompt|act as|pretend|policy (?:is|says|requires)|rule(?:s)?:|rule is|it is (?:vital|essential|imperative|crucial|important|necessary|critical|recommended|advised|best)|(?:agents?|assistants?|models?|ai|developers?|everyone|users?|claude|gpt)(?: \w+){0,2} (?:must|should|will|shall|is to|are to|has to|have to|needs? to))\b/;

/** Verbs that make an order of a sentence they begin. */
export const orderVerbs: ReadonlySet<string> = new Set(
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
export const foreignOrders =
  /\b(?:immer|niemals|nie|musst|muss|mussen|sollst|sollte|sollten|bitte|fuhre|nutze|verwende|benutze|ignoriere|losche|stets|toujours|jamais|doit|doivent|devez|faut|veuillez|executez|utilisez|ignorez|lancez|siempre|nunca|debe|deben|debes|ejecuta|ejecute|usa|ignora|sempre|deve|devem|devi|esegui|usare|altijd|nooit|moet|moeten|gebruik|voer|negeer|zawsze|nigdy|musisz|nalezy|alltid|aldrig|maste|anvand|her zaman|asla|mutlaka)\b/;

/** Words without which hardly an English sentence stands; also what notes are made of. */
export const englishWords =
  /\b(?:the|a|an|is|are|was|were|has|have|had|of|in|on|at|to|and|or|for|with|by|from|it|its|this|that|not|uses?|runs?|there|which|as|be|been|can|per|via)\b/;
