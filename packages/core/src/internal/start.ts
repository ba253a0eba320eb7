/** What a program needs before it knows what it is asked to do: it loads next to nothing. */
export { dataRoot } from "../stores/files/data-root.ts";
export { version } from "../version.ts";
