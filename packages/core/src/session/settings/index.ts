export type { RestrictedParts } from "./load-file.ts";
export {
  type LoadedSettings,
  type LoadSettingsOptions,
  loadSettings,
  type UntrustedFile,
} from "./load-settings.ts";
export { checkSettings } from "./read-settings.ts";
export type { SettingsWarning } from "./settings-warning.ts";
export { type SettingsSurvey, type SurveyedFile, surveySettings } from "./survey-settings.ts";
export {
  type FileContent,
  isTrusted,
  revokeTrust,
  type TrustLocation,
  toFileContent,
  trust,
} from "./trust.ts";
