import { isIP } from 'node:net'
import { createServer, type Server } from 'node:tls'
import type { Machine } from '../../src/sandbox/machine.ts'
import { type CertifiedKey, issueKey } from '../../src/sandbox/pki.ts'
import type { NodeIdentity } from './node-identity.ts'

/**
 * The server's side of mutual TLS as a configured node has it: a certificate of its own CA for all its
 * names and addresses, and clients of that CA, or of those that it accepts besides, alone.
 */
export function createNodeTls(
  { name, publicIp, privateIps }: Machine,
  { machineCa, acceptedCas, certSans }: NodeIdentity,
  issuer: CertifiedKey,
): Server {
  const sans = new Set([...certSans, ...privateIps, name, '127.0.0.1'])
  if (publicIp !== undefined) sans.add(publicIp)
  const { crt, key } = issueKey('ed25519', {
    subject: { commonName: name },
    issuer,
    usages: ['serverAuth'],
    dnsNames: [...sans].filter((san) => isIP(san) === 0),
    ipAddresses: [...sans].filter((san) => isIP(san) !== 0),
  })
  return createServer({
    cert: crt,
    key,
    ca: [machineCa.crt, ...acceptedCas],
    requestCert: true,
    rejectUnauthorized: true,
    ALPNProtocols: ['h2'],
  })
}
