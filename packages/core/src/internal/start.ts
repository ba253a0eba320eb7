/** What a program needs before it knows what it is asked to do: it loads next to nothing. */
export { dataRoot } from "../stores/files/project-slug.ts";
export { version } from "../version.ts";
