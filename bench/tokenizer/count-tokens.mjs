import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

/** Tokens of a text by a tokenizer that is in use, whatever stands in it. */
export const tokensIn = (text) => countTokens(text, { disallowedSpecial: new Set() });
