import { assignedSecrets } from "./assigned-secrets.ts";
import { isPlaceholder } from "./is-placeholder.ts";
import { knownTokens } from "./known-tokens.ts";
import { looksRandom } from "./looks-random.ts";
import type { SecretFinding } from "./secret-finding.ts";

/** However its lines are ended or escaped; where its end is missing, as far as it looks like a key. */
const privateKeys =
  /-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----BEGIN)[\s\S]){0,20000}?-----END[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----|-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\\+[nrt"']|%0[AaDd]|&#1[03];|[A-Za-z0-9+/=\s:,.-]){0,20000}/g;
const puttyKey = /PuTTY-User-Key-File-\d:[\s\S]{0,20000}?Private-MAC:\s*[0-9a-f]+/g;

/** `scheme://user:password@host`; the password may hold almost anything. */
const connection =
  /\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:/@"'<>\x60\\]{0,100}:([^\s/"'<>\x60\\]{1,300})@(?=[A-Za-z0-9[%_-])/gi;
/** A token in the place of the user. */
const userToken = /\bhttps?:\/\/([A-Za-z0-9_.~-]{16,300})(?::x-oauth-basic)?@(?=[A-Za-z0-9])/gi;
const bearer = /\b(?:bearer|token|apikey)\s+((?:[A-Za-z0-9\-._~+/]|%[0-9A-Fa-f]{2}){8,}={0,2})/gi;
const basic = /\bbasic\s+([A-Za-z0-9+/]{8,}={0,2})(?![A-Za-z0-9])/gi;
const npmToken = /_(?:authToken|auth|password)\s*=\s*["']?([^\s"'$]{6,})/g;
const queryToken =
  /[?&](?:access_token|api_key|apikey|auth|key|password|secret|sig|signature|token|x-amz-signature|x-amz-security-token)=([^\s&"'<>\x60\\#]{8,})/gi;

/** Rules of our own: what the detector does not look for, or only in files of certain names. */
export function ownFindings(text: string): readonly SecretFinding[] {
  return [
    ...whole("private-key", text, privateKeys),
    ...whole("private-key", text, puttyKey),
    ...knownTokens.flatMap(([kind, pattern]) => group(kind, text, pattern)),
    ...group("connection-string", text, connection).filter(isReal),
    ...group("token", text, userToken).filter(({ value }) => looksRandom(value)),
    ...group("bearer", text, bearer).filter(({ value }) => looksRandom(value) && isReal({ value })),
    ...group("basic-auth", text, basic).filter(({ value }) => isCredential(value)),
    ...group("token", text, npmToken).filter(isReal),
    ...group("token", text, queryToken).filter(({ value }) => looksRandom(value) && isReal({ value })),
    ...assignedSecrets(text),
  ];
}

const isReal = ({ value }: { readonly value: string }) => !isPlaceholder(value);

function isCredential(base64: string): boolean {
  return /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(base64, "base64").toString("latin1"));
}

function whole(kind: string, text: string, pattern: RegExp): readonly SecretFinding[] {
  return [...text.matchAll(pattern)].map(([value]) => ({ kind, value }));
}

/** The first group where the rule has one, else all of it. */
function group(kind: string, text: string, pattern: RegExp): readonly SecretFinding[] {
  return [...text.matchAll(pattern)].map(([all, inner]) => ({ kind, value: inner ?? all }));
}
