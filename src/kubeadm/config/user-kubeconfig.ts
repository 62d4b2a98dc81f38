import { parse } from 'yaml'
import { z } from 'zod'
import { readCertificates } from './certificate.ts'

const base64 = z.string().transform((text) => atob(text))

const kubeconfig = z.looseObject({
  users: z.tuple([
    z.looseObject({
      user: z.looseObject({ 'client-certificate-data': base64, 'client-key-data': base64 }),
    }),
  ]),
})

/** Who a kubeconfig lets in, as kubeadm prints it. */
export interface UserKubeconfig {
  /** The private key, as PEM. */
  readonly key: string
  /** When its certificate ends, in milliseconds since the epoch. */
  readonly notAfter: number
}

/** Undefined where the text is no kubeconfig with a certificate and its key. */
export function readUserKubeconfig(text: string): UserKubeconfig | undefined {
  const { data } = kubeconfig.safeParse(parsed(text))
  const [{ user } = {}] = data?.users ?? []
  const key = user?.['client-key-data']
  const [certificate] = readCertificates(user?.['client-certificate-data'] ?? '')
  return key === undefined || certificate === undefined
    ? undefined
    : { key, notAfter: certificate.notAfter }
}

function parsed(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}
