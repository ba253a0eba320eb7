export {
  type LoadedSettings,
  type LoadSettingsOptions,
  loadSettings,
  type UntrustedFile,
} from "./load-settings.ts";
export type { SettingsWarning } from "./settings-warning.ts";
export { type FileContent, isTrusted, type TrustPlace, trust } from "./trust.ts";
