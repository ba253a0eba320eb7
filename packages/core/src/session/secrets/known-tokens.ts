/** Tokens that tell by their beginning whose they are; where the detector has a rule of its own, this one is wider. */
export const knownTokens: readonly (readonly [kind: string, pattern: RegExp])[] = [
  [
    "aws-access-key",
    /(?<![A-Za-z0-9])(?:AKIA|ASIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  ],
  ["anthropic", /(?<![A-Za-z0-9])sk-ant-[A-Za-z0-9_-]{20,}/g],
  ["openai", /(?<![A-Za-z0-9])sk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}/g],
  ["github", /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,})/g],
  ["gitlab", /(?<![A-Za-z0-9])(?:glpat|gldt|glrt|glcbt|glptt|glsoat)-[A-Za-z0-9_.-]{16,}/g],
  [
    "google",
    /(?<![A-Za-z0-9])(?:AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|1\/\/0[A-Za-z0-9_-]{30,})/g,
  ],
  [
    "stripe",
    /(?<![A-Za-z0-9])(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}|(?<![A-Za-z0-9])whsec_[A-Za-z0-9+/=]{16,}/g,
  ],
  [
    "slack",
    /(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,}|(?<![A-Za-z0-9])xapp-\d-[A-Za-z0-9-]{10,}|hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]{20,}/g,
  ],
  ["npm", /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{30,}/g],
  ["pypi", /(?<![A-Za-z0-9])pypi-[A-Za-z0-9_-]{40,}/g],
  ["hugging-face", /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,}/g],
  ["jwt", /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g],
  ["sendgrid", /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g],
  ["shopify", /(?<![A-Za-z0-9])shp(?:at|ca|pa|ss)_[A-Za-z0-9]{24,}/g],
  ["digital-ocean", /(?<![A-Za-z0-9])do[opr]_v1_[a-f0-9]{40,}/g],
  ["docker", /(?<![A-Za-z0-9])dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}/g],
  ["databricks", /(?<![A-Za-z0-9])dapi[a-f0-9]{32}/g],
  ["linear", /(?<![A-Za-z0-9])lin_(?:api|oauth)_[A-Za-z0-9]{30,}/g],
  ["1password", /(?<![A-Za-z0-9])ops_ey[A-Za-z0-9+/=_-]{60,}/g],
  ["groq", /(?<![A-Za-z0-9])gsk_[A-Za-z0-9]{30,}/g],
  ["xai", /(?<![A-Za-z0-9])xai-[A-Za-z0-9]{40,}/g],
  ["telegram", /(?<![A-Za-z0-9])\d{8,10}:AA[A-Za-z0-9_-]{32,}/g],
  ["age", /AGE-SECRET-KEY-1[A-Z0-9]{40,}/g],
  ["vault", /(?<![A-Za-z0-9])hv[sbr]\.[A-Za-z0-9_-]{20,}/g],
  ["new-relic", /(?<![A-Za-z0-9])NRAK-[A-Z0-9]{20,}/g],
  ["postman", /(?<![A-Za-z0-9])PMAK-[a-f0-9]{20,}-[a-f0-9]{30,}/g],
  ["grafana", /(?<![A-Za-z0-9])gl(?:c|sa)_[A-Za-z0-9+/=_]{30,}/g],
  ["azure", /AccountKey=([A-Za-z0-9+/]{40,}={0,2})/g],
];

/** Kinds that the secret itself shows, whatever stands around it: only these are named in a mask. */
export const tokenKinds: ReadonlySet<string> = new Set([...knownTokens.map(([kind]) => kind), "private-key"]);

const words =
  /^(?:[<[{(].*|.*[>\]})]|\$.*|%[A-Za-z_]\w*%|\*+|x+|\.+|-+|_+|#+|(.)\1*|.*\.\.\.|.*…|.*[*•]{3,}.*|\d{1,5}|(?:your|my|the|some|any|change|replace|insert|enter|redacted|masked|hidden|example|sample|placeholder|dummy|fake|todo|tbd)[\w -]*|process\.env.*|secret:.*)$/i;
const plain: ReadonlySet<string> = new Set(
  `any array boolean buffer bytes char const date default disabled enabled env environment false float function int integer
  key missing never nil no none null number object off on optional password passwd promise public private readonly record
  required secret secrets self set string stringified symbol text this token true tuple type uint8array undefined unknown
  unset url user value varchar void yes username pass user credentials`.split(/\s+/),
);

/** Whether a value only shows where a secret would stand. */
export function isPlaceholder(value: string): boolean {
  return plain.has(value.toLowerCase()) || words.test(value);
}

/** Bits per character, from how often each occurs. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** A name such as `private-key`. */
const isName = /^[a-z]+(?:[-_./ ][a-z]+)*$/;
const minChars = 6;
const minBits = 2.2;

/** Whether a value could have been made up by a machine or by someone who follows the rules for passwords. */
export function looksRandom(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  return !isName.test(value) && value.length >= minChars && kinds >= 2 && entropyOf(value) >= minBits;
}

/** Something that must not be written down. */
export interface SecretFinding {
  readonly kind: string;
  readonly value: string;
}
