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
export function namesAddress(text: string): boolean {
  return address.test(text.replaceAll(/[\u3002\u2027]/g, "."));
}
