export { readTrackedFiles, type TrackedFilesOptions } from "./tracked-files.ts";
