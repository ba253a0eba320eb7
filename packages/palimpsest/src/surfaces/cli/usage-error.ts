/** The command was called wrongly; one line says what was wrong and gives the right form. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
