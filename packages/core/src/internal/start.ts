/** Names for the start of a program, before it knows its command: they load next to nothing. */
export { dataRoot } from "../stores/files/data-root.ts";
export { version } from "../version.ts";
