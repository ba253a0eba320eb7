export { scribe } from "./scribe.ts";
