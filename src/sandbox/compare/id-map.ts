import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import { pairItems } from './pair-items.ts'

/** A request is about something of before the recording, for which there is nothing here. */
export class UnknownId extends Error {
  constructor(kind: string) {
    super(`the ${kind} is of before the recording`)
  }
}

/** Fields that hold the id of something whose kind is not in their name. */
const kindOfField: Readonly<Record<string, string>> = {
  ipv4: 'primary_ip',
  ipv6: 'primary_ip',
  bound_to: 'server',
  created_from: 'server',
  assignee_id: 'server',
  next_actions: 'action',
}

/** The id of no thing. */
const nothing = '4294967295'

/** Kinds whose ids stand in requests as numbers. */
const kinds = [
  'action',
  'certificate',
  'comment',
  'firewall',
  'floating_ip',
  'image',
  'load_balancer',
  'network',
  'placement_group',
  'primary_ip',
  'pull',
  'run',
  'server',
  'ssh_key',
  'volume',
]

const objectName = /^[0-9a-f]{40}$/
const noObject = /^0{40}$/

/**
 * What the ids of a recording are called here, as answers to the same request say: numbers by their kind, objects of
 * git and nodes of GraphQL by themselves.
 */
export class IdMap {
  readonly #numbers = new Map<string, number>()
  readonly #texts = new Map<string, string>()

  /** The id here of the thing that the recording knows by `id`. */
  numberHere(kind: string, id: number): number | undefined {
    return this.#numbers.get(`${kind} ${id}`)
  }

  /** Takes two answers to the same request side by side. `path` says of what, where the answer does not. */
  learn(recorded: Json | undefined, here: Json | undefined, path: string): void {
    this.#learn(recorded, here, kindOfPath(path))
  }

  #learn(recorded: Json | undefined, here: Json | undefined, kind: string): void {
    if (Array.isArray(recorded) && Array.isArray(here)) {
      for (const [one, other] of pairItems(recorded, here, this, kind).all) {
        this.#learn(one, other, kind)
      }
    }
    if (!isJsonObject(recorded) || !isJsonObject(here)) return
    const own = kind === 'resource' ? String(recorded['type']) : kind
    for (const [key, value] of Object.entries(recorded)) {
      const other = here[key]
      if (key === 'id' || key === 'sha' || key === 'node_id') this.#learnId(own, value, other)
      else this.#learn(value, other, kindOf(key))
    }
  }

  #learnId(kind: string, recorded: Json, here: Json | undefined): void {
    if (typeof recorded === 'number' && typeof here === 'number') {
      this.#numbers.set(`${kind} ${recorded}`, here)
    }
    if (typeof recorded === 'string' && typeof here === 'string') this.#texts.set(recorded, here)
  }

  /**
   * A path with its query as it is here. Throws UnknownId, or where the recording was answered that there is no such
   * thing, names one that is not here either.
   */
  path(recorded: string, isThere = true): string {
    const [place = '', query] = recorded.split('?', 2)
    const parts = place.split('/')
    const here = parts.map((part, index) => this.#part(parts[index - 1] ?? '', part, isThere))
    if (query === undefined) return here.join('/')
    const ofId = kindOfPath(place)
    const pairs = [...new URLSearchParams(query)].map(([key, value]): [string, string] => [
      key,
      key === 'id' ? this.#part(ofId, value, isThere) : this.#text(value),
    ])
    return `${here.join('/')}?${new URLSearchParams(pairs)}`
  }

  #part(before: string, part: string, isThere: boolean): string {
    const kind = kindOf(before)
    const isKnown = this.numberHere(kind, Number(part)) !== undefined
    if (!isThere && !isKnown && /^\d+$/.test(part)) return nothing
    if (/^\d+$/.test(part) && kinds.includes(kind)) return String(this.#number(kind, Number(part)))
    return this.#text(part)
  }

  /** The body of a request as it is here. Throws UnknownId. */
  body(recorded: Json, kind = ''): Json {
    if (typeof recorded === 'number') {
      return kinds.includes(kind) ? this.#number(kind, recorded) : recorded
    }
    if (typeof recorded === 'string') return this.#text(recorded)
    if (Array.isArray(recorded)) return recorded.map((item) => this.body(item, kind))
    if (!isJsonObject(recorded)) return recorded
    const fields = Object.entries(recorded).map(([key, value]): [string, Json] => [
      key,
      this.body(value, key === 'id' ? kind : kindOf(key)),
    ])
    return Object.fromEntries(fields) satisfies JsonObject
  }

  #number(kind: string, id: number): number {
    const here = this.numberHere(kind, id)
    if (here === undefined) throw new UnknownId(kind.replaceAll('_', ' '))
    return here
  }

  #text(text: string): string {
    const here = this.#texts.get(text)
    if (here !== undefined) return here
    if (objectName.test(text) && !noObject.test(text)) throw new UnknownId('git object')
    return text
  }
}

/** What a path is about: `server` of `/servers/42`, `action` of `/servers/42/actions`. */
function kindOfPath(path: string): string {
  const [place = ''] = path.split('?', 1)
  const names = place.split('/').filter((part) => part !== '' && !/^\d+$/.test(part))
  return kindOf(names.at(-1) ?? '')
}

/** The kind that a field or a part of a path is named after: `server` of `servers`. */
function kindOf(name: string): string {
  return kindOfField[name] ?? name.replace(/s$/, '')
}
