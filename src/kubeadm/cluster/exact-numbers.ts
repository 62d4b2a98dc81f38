/**
 * JSON as etcdctl prints it with the numbers under these names as texts: ids and indices have 64 bits, of which a number of
 * JSON would lose some.
 */
export function exactNumbers(json: string, names: readonly string[]): string {
  const pattern = new RegExp(`"(${names.join('|')})":\\s*(\\d+)`, 'g')
  return json.replaceAll(pattern, '"$1":"$2"')
}
