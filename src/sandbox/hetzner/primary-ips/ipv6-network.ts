/** A /64 of its own for each id, from the range for documentation; nothing listens on it. */
export function ipv6Network(id: number): string {
  return `2001:db8:${Math.floor(id / 65_536).toString(16)}:${(id % 65_536).toString(16)}::/64`
}
