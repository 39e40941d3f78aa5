/** Writes JSON with the spaces that LiveChess writes it with (livechess.md 1.1): `[ {`, `"serialnr" : "…",`, `} ]`. */
export function prettyJson(value: unknown, indent = ''): string {
  if (Array.isArray(value))
    return value.length === 0 ? '[ ]' : `[ ${value.map((item) => prettyJson(item, indent)).join(', ')} ]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value);
  if (fields.length === 0) return '{ }';
  const lines = fields.map(
    ([key, field]) => `${indent}  ${JSON.stringify(key)} : ${prettyJson(field, `${indent}  `)}`,
  );
  return `{\n${lines.join(',\n')}\n${indent}}`;
}
