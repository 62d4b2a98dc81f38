import type { Route } from './route.ts'

export interface RouteMatch {
  /** Undefined where the path is known, but not with this method. */
  readonly route: Route | undefined
  readonly params: Record<string, string>
}

/** A table of routes, with fixed parts of a path going before `{parameters}`. */
export class RouteTable {
  readonly #routes: { readonly parts: string[]; readonly route: Route }[]

  constructor(routes: readonly Route[]) {
    this.#routes = routes.map((route) => ({ parts: route.path.split('/'), route }))
  }

  /** Undefined where no route has this path. */
  match(method: string, path: string): RouteMatch | undefined {
    const parts = path.split('/')
    const fitting = this.#routes.filter((entry) => fits(entry.parts, parts))
    const best = fitting.toSorted((a, b) => parameters(a.parts) - parameters(b.parts))
    const fewest = best[0] === undefined ? 0 : parameters(best[0].parts)
    const entry = best.find(
      ({ parts, route }) => parameters(parts) === fewest && route.method === method,
    )
    if (entry !== undefined) return { route: entry.route, params: read(entry.parts, parts) }
    return best.length > 0 ? { route: undefined, params: {} } : undefined
  }
}

function isParameter(part: string): boolean {
  return part.startsWith('{')
}

function parameters(parts: readonly string[]): number {
  return parts.filter(isParameter).length
}

function fits(pattern: readonly string[], parts: readonly string[]): boolean {
  return (
    pattern.length === parts.length &&
    pattern.every((part, index) => part === parts[index] || (isParameter(part) && parts[index]))
  )
}

function read(pattern: readonly string[], parts: readonly string[]): Record<string, string> {
  const named = pattern.flatMap((part, index) =>
    isParameter(part) ? [[part.slice(1, -1), parts[index] ?? '']] : [],
  )
  return Object.fromEntries(named)
}
