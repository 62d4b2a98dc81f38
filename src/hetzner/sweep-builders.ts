import type { RecordKind } from '../plan/record.ts'
import type { Architecture } from '../spec/cluster-spec.ts'
import type { HetznerClient } from './api/hetzner-client.ts'
import { builderName } from './builder-name.ts'
import { deleteServer } from './kinds/server/apply-server.ts'
import { applySshKey } from './kinds/ssh-key/apply-ssh-key.ts'
import { type ClusterIdentity, isOurs, type Labels } from './ownership.ts'

/**
 * Deletes the builder of one architecture, its key included, whatever of them exists. To be called in
 * any case; after an abort, with `client.withSignal(undefined)`.
 */
export async function deleteBuilder(
  client: HetznerClient,
  identity: ClusterIdentity,
  arch: Architecture,
): Promise<void> {
  const name = builderName(identity, arch)
  await sweep(client, identity, (one) => one.name === name)
}

/** Deletes what builds that died have left of this cluster's; returns what it was. */
export function sweepBuilders(client: HetznerClient, identity: ClusterIdentity): Promise<string[]> {
  // A label can be edited: what has another name than a builder's never was one.
  const names = [builderName(identity, 'amd64'), builderName(identity, 'arm64')]
  return sweep(client, identity, ({ name }) => names.includes(name))
}

interface Labelled {
  readonly id: number
  readonly name: string
  readonly labels: Labels
}

async function sweep(
  client: HetznerClient,
  identity: ClusterIdentity,
  isMeant: (one: Labelled) => boolean,
): Promise<string[]> {
  const label_selector = `uid=${identity.uid},component=image-builder`
  const [servers, sshKeys] = await Promise.all([
    client.servers.list({ label_selector }),
    client.sshKeys.list({ label_selector }),
  ])
  const context = { client, identity, ids: new Map() }
  const toDelete = (list: readonly Labelled[], kind: RecordKind) =>
    list
      .filter((one) => isOurs(one.labels, identity.uid) && isMeant(one))
      .map(({ id, name }) => ({ kind, name, spec: {}, needs: [], facts: { id } }))
  const serversToDelete = toDelete(servers, 'server')
  const keysToDelete = toDelete(sshKeys, 'ssh-key')
  await Promise.all([
    ...serversToDelete.map((record) => deleteServer(record, context)),
    ...keysToDelete.map((record) => applySshKey.delete(record, context, () => {})),
  ])
  return [...serversToDelete, ...keysToDelete].map(({ kind, name }) => `${kind} ${name}`)
}
