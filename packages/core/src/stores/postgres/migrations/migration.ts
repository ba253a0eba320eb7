/** One step of the schema. A step that was released is never changed: what is wrong is put right by the next one. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  /** Statements without values; `schema` is quoted. */
  readonly sql: (schema: string) => string;
}
