import { setTimeout as sleep } from 'node:timers/promises'
import type { RealCluster } from './real-cluster.ts'

export interface Writing {
  /** Ends it, and tells how many writes were tried and why some failed. */
  stop(): Promise<{ readonly tried: number; readonly failed: readonly string[] }>
}

const pauseMs = 1_000
const attempts = 3

/**
 * Writes to etcd through Kubernetes about once a second. A write counts as failed where no API server takes
 * it: each is tried at every control plane's own address, since one of them may be down at any moment.
 */
export function startWriting(cluster: RealCluster): Writing {
  const failed: string[] = []
  let tried = 0
  let going = true
  const run = async () => {
    while (going) {
      tried++
      const problem = await write(cluster, tried)
      if (problem !== undefined) failed.push(problem)
      await sleep(pauseMs)
    }
  }
  const running = run()
  return {
    stop: async () => {
      going = false
      await running
      return { tried, failed }
    },
  }
}

async function write(cluster: RealCluster, count: number): Promise<string | undefined> {
  let readByTalosctl = 'there is no control plane'
  for (let attempt = 0; attempt < attempts; attempt++) {
    for (const { publicIp } of cluster.world.machines.values()) {
      const { code, stderr } = await cluster.kubectl(
        `--server=https://${publicIp}:6443`,
        '--request-timeout=5s',
        'annotate',
        'namespace/default',
        `written=${count}`,
        '--overwrite',
      )
      if (code === 0) return undefined
      readByTalosctl = stderr
    }
  }
  return readByTalosctl
}
