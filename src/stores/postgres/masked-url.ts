/** The address of a database for people to read: without a password and without options. */
export function maskedUrl(url: string): string {
  try {
    const { protocol, username, host, pathname } = new URL(url);
    return `${protocol}//${username ? `${username}@` : ""}${host}${pathname}`;
  } catch {
    return "postgres://(not an address)";
  }
}
