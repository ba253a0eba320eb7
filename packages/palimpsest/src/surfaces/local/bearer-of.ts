/** The token of a header such as `authorization`; `undefined` where it holds no bearer. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(header ?? "")?.[1];
}
