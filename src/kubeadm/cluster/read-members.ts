import { z } from 'zod'
import type { EtcdMember } from './etcd-member.ts'

const listed = z.looseObject({
  header: z.looseObject({ cluster_id: z.union([z.string(), z.number()]).optional() }).optional(),
  members: z.array(
    z.looseObject({
      ID: z.union([z.string(), z.number()]),
      name: z.string().default(''),
      peerURLs: z.array(z.string()).default([]),
      clientURLs: z.array(z.string()).default([]),
      isLearner: z.boolean().default(false),
    }),
  ),
})

const health = z.array(z.looseObject({ endpoint: z.string(), health: z.boolean() }))

/** Members of etcd out of what `etcdctl` prints of them, as JSON. Throws where it is none. */
export function readMembers(list: string, endpointHealth: string | undefined): EtcdMember[] {
  const { members } = listed.parse(JSON.parse(list))
  const answers = new Map(
    (endpointHealth === undefined ? [] : readHealth(endpointHealth)).map((one) => [
      one.endpoint,
      one.health,
    ]),
  )
  return members.map(({ ID, name, peerURLs, clientURLs, isLearner }) => ({
    id: typeof ID === 'number' ? ID.toString(16) : ID,
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
