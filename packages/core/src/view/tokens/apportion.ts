/**
 * Whole numbers in proportion to the amounts, which together are exactly `total`; what is 0 stays 0. None is off by one
 * or more. Where all amounts are 0 there is nothing to go by: all stay 0.
 */
export function apportion(amounts: readonly number[], total: number): readonly number[] {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0);
  if (whole === 0) return amounts;
  let passed = 0;
  let given = 0;
  return amounts.map((amount) => {
    passed += amount;
    const upTo = Math.round((passed / whole) * total);
    const part = upTo - given;
    given = upTo;
    return part;
  });
}
