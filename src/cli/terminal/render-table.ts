/** A table for people: columns as wide as what is in them, two blanks between, nothing behind the last. */
export function renderTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const all = [columns, ...rows].map((row) => row.map(oneLine))
  const widths = columns.map((_, index) => Math.max(...all.map((row) => width(row[index] ?? ''))))
  return all
    .map((row) => row.map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - width(cell))))
    .map((cells) => `${cells.join('  ').trimEnd()}\n`)
    .join('')
}

/** A node's words may hold anything; a row is one line, and a terminal is told nothing by them. */
function oneLine(cell: string): string {
  return cell.replace(/\p{Cc}+/gu, ' ')
}

function width(text: string): number {
  return [...text].length
}
