/** Texts that run `touch pwned` wherever somebody hands them to a shell, a template or a program's options. */
export const hostileTexts: readonly string[] = [
  "$(touch pwned)",
  "`touch pwned`",
  "; touch pwned;",
  "x && touch pwned",
  "x | touch pwned",
  "'; touch pwned; '",
  '"; touch pwned; "',
  "x\ntouch pwned\n",
  "{{touch pwned}} $ARGUMENTS $1 %s",
  "--help -exec touch pwned",
  "\u001b]0;touch pwned\u0007\u001b[2J",
  '{"block": "touch pwned"}',
  "$" + "{IFS}touch$" + "{IFS}pwned",
];
