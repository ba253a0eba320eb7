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
