/** Something that must not be written down. */
export interface SecretFinding {
  readonly kind: string;
  readonly value: string;
}
