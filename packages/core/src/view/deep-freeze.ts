/** Freezes a JSON value through and through; what is frozen already is left alone. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const name of Object.keys(value)) {
      const inner = (value as Record<string, unknown>)[name];
      if (typeof inner === "object") deepFreeze(inner);
    }
  }
  return value;
}
