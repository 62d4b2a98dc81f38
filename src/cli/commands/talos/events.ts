import { visibleLine } from '../../../lib/visible-text.ts'
import { text } from '../../setting.ts'
import { defineVerb, forever } from './define-verb.ts'
import { durationSetting, wholeNumber } from './verb-settings.ts'

export const events = defineVerb({
  name: 'events',
  description: 'what happens on the nodes, as it happens',
  prints: 'stream',
  role: 'os:reader',
  takes: {
    tail: wholeNumber('--tail <events>', 'begin with so many of the past; -1 for all'),
    duration: durationSetting(),
    actorId: text('--actor-id <id>', 'only what the call with this id caused'),
  },
  async run(parts, { tail: tailEvents = 0, duration, actorId: withActorId = '', output }) {
    const { eventFacts } = await import('../../../commands/talos/event-facts.ts')
    const { followEach } = await import('../../../commands/talos/follow-each.ts')
    const { showItems } = await import('./show-items.ts')
    const stop = duration === undefined ? undefined : AbortSignal.timeout(duration * 1_000)
    const show = showItems(parts, output)
    await followEach(
      parts.cluster.nodes,
      ({ machine }) => machine.events({ tailEvents, withActorId }, { ...forever, signal: stop }),
      (node, event) => {
        const facts = eventFacts(event)
        if (!facts) return
        const { id, actor, type, data } = facts
        const line = [id, type, actor, JSON.stringify(data)].filter(Boolean).join('  ')
        show(node, visibleLine(line), { id, actor, type, data })
      },
      stop,
    )
  },
})
