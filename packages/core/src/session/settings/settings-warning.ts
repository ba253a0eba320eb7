import type { SettingWarning } from "../../view/setting-values.ts";

/** Something in a settings file, or in the options, that has no effect. */
export interface SettingsWarning extends SettingWarning {
  /** The file as a person knows it, or `options`. */
  readonly file: string;
}
