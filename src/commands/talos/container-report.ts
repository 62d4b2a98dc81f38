import { formatBytes } from '../../lib/format-bytes.ts'
import type { ContainerSpace } from '../../talos/api/methods/service-methods.ts'
import type { TalosApi } from '../../talos/api/talos-api.ts'
import { type TalosReport, tableOf } from './report.ts'

/** The containers of a space, with what runs in them. */
export async function containersReport(
  { machine }: TalosApi,
  space: ContainerSpace,
): Promise<TalosReport> {
  const { containers } = await machine.containers(space)
  return tableOf(
    containers.map(({ namespace, id, image, pid, status }) => ({
      namespace,
      id,
      image,
      pid,
      status,
    })),
    [
      ['NAMESPACE', (each) => each.namespace],
      ['ID', (each) => each.id],
      ['IMAGE', (each) => each.image],
      ['PID', (each) => each.pid],
      ['STATUS', (each) => each.status],
    ],
    (each) => each,
  )
}

/** What the containers of a space take. */
export async function statsReport(
  { machine }: TalosApi,
  space: ContainerSpace,
): Promise<TalosReport> {
  const { stats } = await machine.stats(space)
  return tableOf(
    stats.map(({ namespace, id, memoryUsage, cpuUsage }) => ({
      namespace,
      id,
      memory: Number(memoryUsage),
      cpuSeconds: Number(cpuUsage) / 1e9,
    })),
    [
      ['NAMESPACE', (each) => each.namespace],
      ['ID', (each) => each.id],
      ['MEMORY', (each) => formatBytes(each.memory)],
      ['CPU', (each) => `${each.cpuSeconds.toFixed(2)} s`],
    ],
    (each) => each,
  )
}
