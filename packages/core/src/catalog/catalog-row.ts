/** What is known about the models whose normalised name matches; the first row that matches counts. */
export interface CatalogRow<Value extends object> {
  readonly id: string;
  /** Tested on `normalizeModelName`. Matches the row's own id too. */
  readonly pattern: RegExp;
  /** The month in which the row was last checked. */
  readonly asOf: string;
  readonly value: Value;
  /** Fields that no source gave: chosen with care, not looked up. */
  readonly assumed: readonly (keyof Value & string)[];
  /** Where sources differ, and what the row leaves out. */
  readonly note?: string;
}
