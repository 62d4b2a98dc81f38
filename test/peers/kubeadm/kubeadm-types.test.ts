import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { initFile } from '../../../src/kubeadm/config/init-configuration.ts'
import {
  controlPlaneJoinFile,
  workerJoinFile,
} from '../../../src/kubeadm/config/join-configuration.ts'
import { resetFile } from '../../../src/kubeadm/config/reset-configuration.ts'
import { upgradeFile } from '../../../src/kubeadm/config/upgrade-configuration.ts'
import { hostNamed, material, rackSpec } from '../../kubeadm/config/rack.ts'
import { hostsFile, hostsFileAnd, hostsFileWith } from '../../spec/hosts/hosts-file.ts'
import { buildGo } from '../build-go.ts'

/** The files of each that differ in what the configs say. */
const files: readonly (readonly [what: string, text: string])[] = [
  ['as little as can be', hostsFile],
  ['of the minor before', hostsFileWith('1.35.4', '1.34.4')],
  [
    'with an endpoint that somebody keeps, and kube-proxy',
    hostsFileWith('virtualIp:\n      address: 192.0.2.10', 'host: api.example.com:443').concat(
      'cni: {type: none}\n',
    ),
  ],
  [
    'with arguments, names, patches, taints and times',
    hostsFileWith(
      'version: 1.35.4',
      `version: 1.35.4
  oidc: {issuerUrl: "https://id.example.com", clientId: kubernetes, groupsClaim: groups}
  certSans: [api.example.com, 203.0.113.7]
  apiServerExtraArgs: {audit-log-maxage: "30", feature-gates: "ImageVolume=true"}
  controllerManagerExtraArgs: {node-monitor-grace-period: 40s}
  schedulerExtraArgs: {v: "2"}
  kubeletExtraArgs: {max-pods: "200"}`,
    )
      .replace(
        'kubeadm:\n',
        `kubeadm:
  podsOnControlPlanes: true
  timeoutMinutes: {init: 30, join: 20, upgrade: 40}
  patches: [{target: etcd, patch: {metadata: {annotations: {a: "on"}}}}]
`,
      )
      .replace(
        'role: worker',
        `role: gpu-worker
    taints: [{key: example.com/dedicated, value: "1", effect: NoExecute}]`,
      ),
  ],
  ['without an approver of certificates', hostsFileAnd('addons: {csrApprover: {enabled: false}}')],
]

describe('The types of the real kubeadm', () => {
  let reader = ''
  const folder = mkdtempSync(join(tmpdir(), 'kubeadm-'))

  beforeAll(async () => {
    reader = await buildGo(import.meta.dirname)
  }, 1_800_000)
  afterAll(() => rmSync(folder, { recursive: true }))

  /** The kinds of the documents that were read. */
  async function read(text: string): Promise<string[]> {
    const path = join(folder, 'config.yaml')
    writeFileSync(path, text, { mode: 0o600 })
    const { stdout } = await promisify(execFile)(reader, [path])
    return stdout.trim().split('\n')
  }

  it.each(files)('hold every field of a cluster %s', async (_what, text) => {
    const spec = rackSpec(text)
    const discovery = { ...material, caCertHashes: [`sha256:${'ab'.repeat(32)}`] }
    const init = await read(initFile(spec, hostNamed(spec, 'cp-1'), material))
    expect(init).toEqual(['InitConfiguration', 'ClusterConfiguration'])
    const joins = [
      controlPlaneJoinFile(spec, hostNamed(spec, 'cp-2'), discovery),
      workerJoinFile(spec, hostNamed(spec, 'worker-1'), discovery),
    ]
    for (const join of joins) expect(await read(join)).toEqual(['JoinConfiguration'])
    expect(await read(upgradeFile(spec))).toEqual(['UpgradeConfiguration'])
  })

  it('hold every field of a reset', async () => {
    expect(await read(resetFile())).toEqual(['ResetConfiguration'])
  })

  it('would not hold a field of another name', async () => {
    const spec = rackSpec()
    const text = initFile(spec, hostNamed(spec, 'cp-1'), material)
    await expect(read(text.replace('clusterName:', 'clusterNames:'))).rejects.toThrow(
      'clusterNames',
    )
    await expect(read(upgradeFile(spec).replace('etcdUpgrade:', 'etcdUp:'))).rejects.toThrow(
      'etcdUp',
    )
  })
})
