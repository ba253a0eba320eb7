/** One seed for everything that chooses at random; `PALIMPSEST_SEED` sets another. */
export const seed = Number(process.env.PALIMPSEST_SEED ?? 20_261_115);
