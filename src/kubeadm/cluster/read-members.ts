import { z } from 'zod'
import type { EtcdMember } from './etcd-member.ts'
import { exactNumbers } from './exact-numbers.ts'

/** What a member has not is left out, or is null where it never started. */
const texts = z
  .array(z.string())
  .nullish()
  .transform((list) => list ?? [])

const listed = z.looseObject({
  members: z.array(
    z.looseObject({
      /** In decimal. */
      ID: z.string().regex(/^\d+$/),
      name: z.string().default(''),
      peerURLs: texts,
      clientURLs: texts,
      isLearner: z.boolean().default(false),
    }),
  ),
})

const health = z.array(z.looseObject({ endpoint: z.string(), health: z.boolean() }))

/**
 * Members of etcd out of what `etcdctl` prints of them, as JSON with numbers for their ids: up to 3.6 it does not say in
 * its form with ids in hex which members learn. Throws where it is none.
 */
export function readMembers(list: string, endpointHealth: string | undefined): EtcdMember[] {
  const { members } = listed.parse(JSON.parse(exactNumbers(list, ['ID'])))
  const answers = new Map(
    (endpointHealth === undefined ? [] : readHealth(endpointHealth)).map((one) => [
      one.endpoint,
      one.health,
    ]),
  )
  return members.map(({ ID, name, peerURLs, clientURLs, isLearner }) => ({
    id: BigInt(ID).toString(16),
    name,
    peerUrls: peerURLs,
    isLearner,
    isHealthy: clientURLs.map((url) => answers.get(url)).find((answer) => answer !== undefined),
  }))
}

/** etcdctl prints an error beside it where a member does not answer. */
function readHealth(text: string): z.infer<typeof health> {
  const [json] = /\[.*\]/s.exec(text) ?? []
  return json === undefined ? [] : health.parse(JSON.parse(json))
}
