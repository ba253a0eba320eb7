export { type AnswerMeaning, readAnswerWords } from "./answer-words.ts";
export { type IntentSnapshot, noIntents } from "./intent-snapshot.ts";
export { type AnswerPart, createIntents, type IntentWriter } from "./intents.ts";
export { type RequestMeaning, type RequestWords, readRequestWords } from "./request-words.ts";
