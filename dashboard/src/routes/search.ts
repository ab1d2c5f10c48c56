/** A search parameter of the address if it is text that says something. */
export function optionalText<K extends string>(
  name: K,
  search: Record<string, unknown>,
): { [P in K]?: string } {
  const value = search[name];
  // Digits in an address are read as a number.
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? ({ [name]: text } as { [P in K]: string }) : {};
}

/** The page of a list, from 1; left out of the address when it is the first. */
export function pageNumber(search: Record<string, unknown>): { page?: number } {
  const page = Number(search.page);
  return Number.isInteger(page) && page > 1 ? { page } : {};
}
