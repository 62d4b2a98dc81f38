/** A .gitignore that also ignores these files of its folder; the same text where it does already. */
export function withIgnored(text: string, files: readonly string[]): string {
  const lines = text.split('\n').map((line) => line.trim())
  const missing = files.filter((file) => !lines.includes(file) && !lines.includes(`/${file}`))
  if (missing.length === 0) return text
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return `${before}${missing.map((file) => `/${file}\n`).join('')}`
}
