import { showName } from "./quote-foreign.ts";

const shortChars = 8;
/** Made by chance: the end of such an id tells it from all others of a session. */
const madeByChance = /(?=[A-Za-z]*\d)[A-Za-z0-9]{12,}$/;
/** No word looks like this: with a digit, or with capitals among small letters. */
const noWord = /\d|[a-z][A-Z]/;

/**
 * An id as texts name it: the end of a long one, which is enough to recall by, and a fraction of its tokens. What no
 * program would make an id of is quoted.
 */
export function shortId(id: string): string {
  const end = id.slice(-shortChars);
  return madeByChance.test(id) && noWord.test(end) ? end : id === "" ? id : showName(id);
}

/** Whether this may be the end of an id. */
export function isShortId(text: string): boolean {
  return text.length === shortChars && /^[A-Za-z0-9]+$/.test(text);
}
