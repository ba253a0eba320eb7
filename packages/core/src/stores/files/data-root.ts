/** Where everything is kept: `PALIMPSEST_HOME`, else `$XDG_DATA_HOME/palimpsest`, else `~/.palimpsest`. */
export function dataRoot(
  environment: Readonly<Record<string, string | undefined>>,
  homeFolder: string,
): string {
  const { PALIMPSEST_HOME, XDG_DATA_HOME } = environment;
  if (PALIMPSEST_HOME) return PALIMPSEST_HOME;
  return XDG_DATA_HOME?.startsWith("/") ? `${XDG_DATA_HOME}/palimpsest` : `${homeFolder}/.palimpsest`;
}
