type Plain = Record<string, unknown>

/** Words of enums that a later API may have: field, and what it says then. */
const futureWords: Readonly<Record<string, string>> = {
  cpu_type: 'elastic',
  storage_type: 'mirrored',
  os_flavor: 'an-os-of-the-future',
  category: 'a category of the future',
}

/** The same answer with a field in each object that no client of today has heard of. */
export function addFutureFields(body: Plain): Plain {
  const deeper = mapValues(body, addFutureFields)
  return { ...deeper, x_future_field: { since: 'tomorrow' } }
}

/** The same answer with words that no client of today has heard of. */
export function addFutureValues(body: Plain): Plain {
  const deeper = mapValues(body, addFutureValues)
  const words = Object.entries(futureWords).filter(([field]) => field in deeper)
  return { ...deeper, ...Object.fromEntries(words) }
}

function mapValues(body: Plain, change: (body: Plain) => Plain): Plain {
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, key === 'labels' ? value : mapValue(value)]),
  )

  function mapValue(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(mapValue)
    return isPlain(value) ? change(value) : value
  }
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
