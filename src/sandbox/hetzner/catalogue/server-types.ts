import { locationNamed } from './locations.ts'
import { monthlyPrice } from './prices.ts'

/** When something stopped being sold. */
export interface Retirement {
  readonly announced: string
  readonly unavailableAfter: string
}

export interface ServerType {
  readonly id: number
  readonly name: string
  readonly cores: number
  readonly memory: number
  readonly disk: number
  readonly cpu: 'shared' | 'dedicated'
  readonly architecture: 'x86' | 'arm'
  readonly category: string
  /** Net price of a month in cents, by location; not sold where absent. */
  readonly cents: ReadonlyMap<string, number>
  /** Where it is not sold any more, though it once was. */
  readonly retired: ReadonlyMap<string, Retirement>
}

const europe = ['fsn1', 'nbg1', 'hel1']
const america = ['ash', 'hil']
const abroad = [...america, 'sin']

/** cx22 to cx52, and cpx11 to cpx51 in Europe: announced on 2025-10-16, not orderable since 2026. */
const oldGeneration: Retirement = {
  announced: '2025-10-16T06:00:00Z',
  unavailableAfter: '2025-12-31T23:59:59Z',
}

const categories: Readonly<Record<string, string>> = {
  cx: 'Cost-Optimized',
  cax: 'Cost-Optimized',
  cpx: 'Regular Performance',
  ccx: 'General Purpose',
}

/**
 * What Hetzner sells, as of September 2026 (facts: Hetzner's catalogue). Prices are a snapshot for
 * tests and estimates in the sandbox, not for billing; where the source names none (larger cax, the
 * old types abroad) they are of the right size and no more.
 */
export const serverTypes: readonly ServerType[] = [
  type(114, 'cx23', 2, 4, 40, 549, europe),
  type(115, 'cx33', 4, 8, 80, 849, europe),
  type(116, 'cx43', 8, 16, 160, 1599, europe),
  type(117, 'cx53', 16, 32, 320, 2949, europe),
  type(108, 'cpx12', 1, 2, 40, 1149, europe),
  type(109, 'cpx22', 2, 4, 80, 1949, [...europe, 'sin']),
  type(110, 'cpx32', 4, 8, 160, 3549, [...europe, 'sin']),
  type(111, 'cpx42', 8, 16, 320, 6949, [...europe, 'sin']),
  type(112, 'cpx52', 12, 24, 480, 10049, [...europe, 'sin']),
  type(113, 'cpx62', 16, 32, 640, 12999, [...europe, 'sin']),
  type(96, 'ccx13', 2, 8, 80, 4299, [...europe, ...abroad]),
  type(97, 'ccx23', 4, 16, 160, 8599, [...europe, ...abroad]),
  type(98, 'ccx33', 8, 32, 240, 13849, [...europe, ...abroad]),
  type(99, 'ccx43', 16, 64, 360, 27599, [...europe, ...abroad]),
  type(100, 'ccx53', 32, 128, 600, 55199, [...europe, ...abroad]),
  type(101, 'ccx63', 48, 192, 960, 82799, [...europe, ...abroad]),
  type(45, 'cax11', 2, 4, 40, 599, europe),
  type(93, 'cax21', 4, 8, 80, 1049, europe),
  type(94, 'cax31', 8, 16, 160, 2099, europe),
  type(95, 'cax41', 16, 32, 320, 4149, europe),
  retiredInEurope(type(22, 'cpx11', 2, 2, 40, 549, abroad), 549),
  retiredInEurope(type(23, 'cpx21', 3, 4, 80, 1049, abroad), 849),
  retiredInEurope(type(24, 'cpx31', 4, 8, 160, 1849, abroad), 1549),
  retiredInEurope(type(25, 'cpx41', 8, 16, 240, 3449, abroad), 2899),
  retiredInEurope(type(26, 'cpx51', 16, 32, 360, 7149, abroad), 6299),
  retiredInEurope(type(104, 'cx22', 2, 4, 40, 449, []), 449),
  retiredInEurope(type(105, 'cx32', 4, 8, 80, 749, []), 749),
  retiredInEurope(type(106, 'cx42', 8, 16, 160, 1899, []), 1899),
  retiredInEurope(type(107, 'cx52', 16, 32, 320, 3699, []), 3699),
]

/** By name or id. */
export function findServerType(nameOrId: string | number): ServerType | undefined {
  return serverTypes.find(({ name, id }) => name === nameOrId || String(id) === String(nameOrId))
}

/** A type that a record names; records name only known ones. */
export function serverTypeNamed(name: string): ServerType {
  const found = findServerType(name)
  if (found === undefined) throw new Error(`no server type ${name}`)
  return found
}

/** Whether it can be ordered in this location today. */
export function isSoldIn(type: ServerType, location: string): boolean {
  return type.cents.has(location) && !type.retired.has(location)
}

/** `isSoldOut` says whether a location has no host left; `available` is no more than that hint. */
export function renderServerType(
  type: ServerType,
  isSoldOut: (location: string) => boolean = () => false,
): Record<string, unknown> {
  return {
    id: type.id,
    name: type.name,
    description: type.name.toUpperCase(),
    category: type.category,
    cores: type.cores,
    memory: type.memory,
    disk: type.disk,
    storage_type: 'local',
    cpu_type: type.cpu,
    architecture: type.architecture,
    prices: renderPrices(type),
    deprecated: false,
    deprecation: null,
    locations: [...type.cents.keys()].map((name) => ({
      id: locationNamed(name).id,
      name,
      available: isSoldIn(type, name) && !isSoldOut(name),
      recommended: isSoldIn(type, name) && type.cpu === 'shared' && name !== 'sin',
      deprecation: renderRetirement(type.retired.get(name)),
    })),
  }
}

export function renderPrices(type: ServerType): unknown[] {
  return [...type.cents].map(([location, cents]) =>
    monthlyPrice(location, cents, abroad.includes(location) ? 1 : 20),
  )
}

function renderRetirement(retirement: Retirement | undefined) {
  if (retirement === undefined) return null
  return { announced: retirement.announced, unavailable_after: retirement.unavailableAfter }
}

function type(
  id: number,
  name: string,
  cores: number,
  memory: number,
  disk: number,
  cents: number,
  soldIn: readonly string[],
): ServerType {
  const family = name.replace(/\d+$/, '')
  return {
    id,
    name,
    cores,
    memory,
    disk,
    cpu: family === 'ccx' ? 'dedicated' : 'shared',
    architecture: family === 'cax' ? 'arm' : 'x86',
    category: categories[family] ?? 'Shared vCPU',
    cents: new Map(soldIn.map((location) => [location, cents])),
    retired: new Map(),
  }
}

function retiredInEurope(type: ServerType, cents: number): ServerType {
  return {
    ...type,
    cents: new Map([...europe.map((name) => [name, cents] as const), ...type.cents]),
    retired: new Map(europe.map((name) => [name, oldGeneration])),
  }
}
