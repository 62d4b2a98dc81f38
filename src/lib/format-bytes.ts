/** A number of bytes for people: `4.2 MB`, in powers of a thousand. */
export function formatBytes(bytes: bigint | number): string {
  let value = Number(bytes)
  for (const unit of ['B', 'kB', 'MB', 'GB', 'TB']) {
    if (Math.abs(value) < 1_000) return `${Number(value.toFixed(1))} ${unit}`
    value /= 1_000
  }
  return `${Number(value.toFixed(1))} PB`
}
