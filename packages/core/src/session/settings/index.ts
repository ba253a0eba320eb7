export type { RestrictedParts } from "./load-file.ts";
export {
  environmentParts,
  type LoadedSettings,
  type LoadSettingsOptions,
  loadSettings,
  type SettingsSurvey,
  type SurveyedFile,
  surveySettings,
  type UntrustedFile,
} from "./load-settings.ts";
export type { SettingsWarning } from "./read-settings.ts";
export { checkSettings } from "./read-settings.ts";
export {
  type FileContent,
  isTrusted,
  revokeTrust,
  type TrustLocation,
  toFileContent,
  trust,
} from "./trust.ts";
