export function must(result) {
  if (result.ok) return result.value;
  throw result.error;
}
