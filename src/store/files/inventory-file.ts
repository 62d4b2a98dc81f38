import { z } from 'zod'
import type { Inventory } from '../../plan/inventory.ts'
import { components } from '../../spec/component.ts'
import { stateCorrupt } from '../trust/state-damage.ts'
import { parseJson } from './manifest.ts'

const chartArchive = z.looseObject({ source: z.string(), sha256: z.string() })

/** Fields that this version does not know stay in it: a newer one may have written them. */
const inventorySchema = z.looseObject({
  clusterName: z.string(),
  uid: z.string(),
  nodes: z.array(
    z.looseObject({
      name: z.string(),
      role: z.enum(['control-plane', 'worker']),
      pool: z.string(),
      slot: z.number().int().positive(),
      privateIp: z.string(),
      location: z.string().optional(),
      serverId: z.number().int().optional(),
      leavingServerId: z.number().int().optional(),
      publicIp: z.string().optional(),
      talosVersion: z.string().optional(),
      formerTalosVersion: z.string().optional(),
      installing: z.object({ from: z.string(), to: z.string() }).optional(),
      kubernetesVersion: z.string().optional(),
      components: z.partialRecord(z.enum(components).exclude(['kubelet']), z.string()).optional(),
      arriving: z.object({ component: z.enum(components), from: z.string() }).optional(),
      schematic: z.string().optional(),
      configDigest: z.string().optional(),
      contract: z.string().optional(),
      hiddenFields: z.record(z.string(), z.string()).optional(),
      secretVersions: z.record(z.string(), z.number().int().positive()).optional(),
      host: z
        .looseObject({
          login: z.record(z.string(), z.json()),
          address: z.string(),
          hostKey: z.string().optional(),
          machineId: z.string().optional(),
          onRemove: z.enum(['keep', 'reset', 'purge']),
          membership: z.enum(['joining', 'member', 'leaving']).optional(),
          given: z
            .looseObject({ labels: z.array(z.string()), taints: z.array(z.string()) })
            .optional(),
        })
        .optional(),
    }),
  ),
  recipients: z.array(z.string()).optional(),
  resources: z
    .record(
      z.string(),
      z.looseObject({
        id: z.number().int().nullable(),
        spec: z.record(z.string(), z.json()).optional(),
        isReplaced: z.boolean().optional(),
      }),
    )
    .optional(),
  lentNetwork: z.object({ id: z.number().int(), name: z.string() }).optional(),
  images: z
    .record(z.string(), z.looseObject({ id: z.number().int(), digest: z.string().optional() }))
    .optional(),
  secrets: z
    .record(
      z.string(),
      z.looseObject({
        version: z.number().int().positive(),
        setAt: z.string(),
        setBy: z.string(),
        origin: z.enum(['set', 'environment']),
        isRemoved: z.boolean().optional(),
      }),
    )
    .optional(),
  addons: z.record(
    z.string(),
    z.looseObject({
      version: z.string(),
      digest: z.string(),
      needs: z.array(z.string()).optional(),
      archive: chartArchive.optional(),
      begun: z.looseObject({ digest: z.string(), archive: chartArchive.optional() }).optional(),
    }),
  ),
  manifestsVersion: z.string().optional(),
  contract: z.string().optional(),
  authority: z.string().optional(),
  bootstrapped: z.boolean(),
})

/** Reads inventory.json. Throws `state-corrupt`. */
export function parseInventory(content: Uint8Array, target: string): Inventory {
  const parsed = inventorySchema.safeParse(parseJson(content, target))
  if (!parsed.success) throw stateCorrupt(target, 'its inventory cannot be read', parsed.error)
  return parsed.data
}
