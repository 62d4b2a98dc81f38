import { gzipSync } from 'node:zlib'
import { stringify } from 'yaml'
import { issueKey } from '../pki.ts'
import type { TalosNode } from './talos-node.ts'

/**
 * The admin's kubeconfig as control plane nodes hand it out: a gzipped tar of one file. As in
 * Talos's own answer, the archive just ends after the file's last byte: no padding, no end mark.
 */
export function createKubeconfig({ config }: TalosNode): Uint8Array {
  const ca = config?.kubernetesCa
  if (config === undefined || ca?.key === undefined) throw new Error('a kubeconfig without a CA')
  const admin = issueKey('p256', {
    subject: { organizations: ['system:masters'], commonName: 'admin' },
    issuer: { crt: ca.crt, key: ca.key },
    usages: ['clientAuth'],
    lifetimeMs: config.adminCertLifetimeMs,
  })
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const user = `admin@${config.clusterName}`
  const text = stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: config.clusterName,
          cluster: { server: config.endpoint, 'certificate-authority-data': base64(ca.crt) },
        },
      ],
      users: [
        {
          name: user,
          user: {
            'client-certificate-data': base64(admin.crt),
            'client-key-data': base64(admin.key),
          },
        },
      ],
      contexts: [
        { name: user, context: { cluster: config.clusterName, namespace: 'default', user } },
      ],
      'current-context': user,
    },
    { lineWidth: 0 },
  )
  const content = Buffer.from(text)
  return gzipSync(Buffer.concat([tarHeader('kubeconfig', content.length), content]))
}

/** A ustar header of a plain file, 512 bytes. */
function tarHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(512)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  header.write(name, 0)
  header.write(octal(0o600, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(size, 11), 124)
  header.write(octal(0, 11), 136)
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)} `, 148)
  return header
}
