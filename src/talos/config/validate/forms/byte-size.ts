const units = ['', 'k', 'm', 'g', 't', 'p', 'e']

/** Bytes of `10GB`, `1.5 GiB`, `100`; undefined for what is no size. Read as Talos reads it. */
export function parseByteSize(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^([\d.,]*)(.*)$/s.exec(text) ?? []
  const number = digits.replaceAll(',', '')
  if (!/^(\d+\.?\d*|\.\d+)$/.test(number)) return undefined
  const [, letter = '', binary] = /^([kmgtpe]?)(i?)b?$/.exec(unit.trim().toLowerCase()) ?? []
  const isUnit = /^([kmgtpe]i?)?b?$/.test(unit.trim().toLowerCase())
  if (!isUnit) return undefined
  const bytes = Number(number) * (binary === 'i' ? 1024 : 1000) ** units.indexOf(letter)
  return bytes < 2 ** 64 ? bytes : undefined
}

/** A size; since 1.13 it may be negative: what is to be left free. */
export function isByteSize(text: string, minor: number): boolean {
  const size = minor >= 13 ? text.replace(/^-/, '') : text
  return text === '' || parseByteSize(size) !== undefined
}

/** A size in bytes or as a part of the disk, `80%`. */
export function isSize(text: string, minor: number): boolean {
  if (!text.includes('%')) return isByteSize(text, minor)
  const [, percent] = /^-?(\d+\.?\d*|\.\d+)%$/.exec(text) ?? []
  return percent !== undefined && Number(percent) <= 100
}

/** A size with how a disk's own compares to it, `>= 1TB`. */
export function isSizeCondition(text: string): boolean {
  return (
    parseByteSize(
      text
        .trim()
        .replace(/^(>=|<=|>|<|==)/, '')
        .trim(),
    ) !== undefined
  )
}
