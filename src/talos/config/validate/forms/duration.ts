const seconds: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
}

/** Seconds of `1h30m`, `-5s`, `0`; undefined for what Go takes for no duration. */
export function parseDuration(text: string): number | undefined {
  const [, sign, rest = ''] = /^([-+]?)(.*)$/s.exec(text) ?? []
  if (rest === '0') return 0
  if (!/^((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$/.test(rest)) return undefined
  const parts = rest.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)
  const sum = [...parts].reduce((total, [, count, unit = '']) => {
    return total + Number(count) * (seconds[unit] ?? 0)
  }, 0)
  return sign === '-' ? -sum : sum
}
