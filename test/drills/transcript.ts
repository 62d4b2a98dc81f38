/** What of a block is typed, and which lines are printed then: digits are of that day. */
export function transcript(
  text: string,
  language: string,
): { commands: string; printed: RegExp[] } {
  if (language !== 'console') return { commands: text, printed: [] }
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const typed = lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2))
  const printed = lines
    .filter((line) => !line.startsWith('$ '))
    .map((line) => line.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\d{4,}/g, '\\d+'))
  return { commands: `${typed.join('\n')}\n`, printed: printed.map((line) => new RegExp(line)) }
}
