import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { type Event, EventSchema } from '../../talos/api/gen/machine/machine_pb.js'

const kept = 100

/** Which events a watcher wants: none of the past where all are absent. */
export interface EventFilter {
  /** How many of the past; -1 for all that are kept. */
  readonly tail: number
  /** Only those after this one. */
  readonly afterId: string
  readonly actorId: string
}

/** An event with the moment at which it happened, in milliseconds. */
export interface LoggedEvent {
  readonly event: Event
  readonly at: number
}

/** The events of one node since its boot: the newest hundred, and whoever listens. */
export class EventLog {
  readonly #now: () => number
  readonly #events: Event[] = []
  readonly #logged: LoggedEvent[] = []
  readonly #watchers = new Set<(event: Event) => void>()
  #count = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** Everything since the boot, oldest first. */
  get logged(): readonly LoggedEvent[] {
    return this.#logged
  }

  /** `actorId` ties it to the call that caused it; empty for what happens by itself. */
  publish<D extends DescMessage>(schema: D, payload: MessageInitShape<D>, actorId = ''): void {
    const event = create(EventSchema, {
      id: this.#nextId(),
      actorId,
      data: {
        typeUrl: `talos/runtime/${schema.typeName}`,
        value: toBinary(schema, create(schema, payload)),
      },
    })
    this.#events.push(event)
    this.#logged.push({ event, at: this.#now() })
    if (this.#events.length > kept) this.#events.shift()
    for (const notify of this.#watchers) notify(event)
  }

  /** The past events that fit, oldest first. */
  past({ tail, afterId, actorId }: EventFilter): Event[] {
    const known = this.#events.findIndex(({ id }) => id === afterId)
    const after = afterId === '' ? [] : this.#events.slice(known + 1)
    const tailed = tail === 0 ? after : this.#events.slice(tail < 0 ? 0 : -tail)
    return tailed.filter((event) => actorId === '' || event.actorId === actorId)
  }

  /** Tells every event from now on; the answer ends it. */
  watch(notify: (event: Event) => void): () => void {
    this.#watchers.add(notify)
    return () => this.#watchers.delete(notify)
  }

  /** Twenty digits of base 32, ascending, as Talos's own ids are. */
  #nextId(): string {
    this.#count++
    return this.#count.toString(32).padStart(20, '0')
  }
}
