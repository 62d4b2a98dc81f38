import { z } from 'zod'
import { filled, formatted } from './field-format.ts'
import { plainVersion } from './plain-version.ts'
import { customAddonsSchema } from './schema-custom-addons.ts'

const extraArgs = (of: string) =>
  z
    .record(
      formatted(
        /^[a-z0-9][a-z0-9-]*$/,
        'must be the name of an argument without its leading hyphens',
        (written) => (written.startsWith('-') ? `Write ${written.replace(/^-+/, '')}.` : undefined),
      ),
      z.string(),
    )
    .default({})
    .describe(`Further arguments of ${of}, by name without leading hyphens.`)

const values = (of: string) =>
  z
    .record(z.string(), z.unknown())
    .default({})
    .describe(
      `Values for ${of}, laid over the ones that it comes with. \${secret:name} stands for a secret.`,
    )

export const kubernetesSchema = z.strictObject({
  version: formatted(
    /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/,
    'must be a version such as 1.32.0',
    (written) => {
      if (/^v\d+\.\d+\.\d+$/.test(written)) return `Write ${plainVersion(written)}, without the v.`
      if (/^\d+\.\d+\.\d+$/.test(written)) return `Write ${plainVersion(written)}.`
      return /^v?\d+\.\d+$/.test(written)
        ? `Name the patch too: ${plainVersion(written)}.0.`
        : undefined
    },
  ).describe(
    'Version of Kubernetes, without v and with its patch: 1.32.0. The Talos version must support it.',
  ),
  apiServerExtraArgs: extraArgs('kube-apiserver'),
  controllerManagerExtraArgs: extraArgs('kube-controller-manager'),
  schedulerExtraArgs: extraArgs('kube-scheduler'),
  kubeletExtraArgs: extraArgs('the kubelet'),
  certSans: z
    .array(filled())
    .default([])
    .describe(
      'Further names and addresses that the certificate of the Kubernetes API is valid for.',
    ),
  oidc: z
    .strictObject({
      issuerUrl: formatted(
        /^https:\/\/\S+$/,
        'must be an address that begins with https://',
      ).describe('Address of the OpenID Connect issuer.'),
      clientId: filled().describe('The client id that tokens must be made for.'),
      usernameClaim: filled()
        .optional()
        .describe('The claim that names the user. Kubernetes takes sub by default.'),
      groupsClaim: filled().optional().describe('The claim that lists the groups.'),
    })
    .optional()
    .describe('Log in to Kubernetes with OpenID Connect.'),
})

export const cniSchema = z.strictObject({
  type: z
    .enum(['cilium', 'none'])
    .default('cilium')
    .describe(
      'The network addon. With none, nodes become Ready only when you install one yourself.',
    ),
  values: values('Cilium’s chart'),
})

export const addonSchema = (name: string, byDefault = true) =>
  z.strictObject({
    enabled: z.boolean().default(byDefault).describe(`Whether ${name} is installed.`),
    values: values('its chart'),
  })

export const addonsSchema = z.strictObject({
  hcloudCcm: addonSchema('the Hetzner cloud controller manager')
    .prefault({})
    .describe(
      'Hetzner’s cloud controller manager: node addresses, routes between pods, load balancers.',
    ),
  csrApprover: addonSchema('the kubelet CSR approver')
    .prefault({})
    .describe('Approves the serving certificates of kubelets, which logs and metrics need.'),
  hcloudCsi: addonSchema('the Hetzner CSI driver')
    .prefault({})
    .describe('Hetzner’s volumes as persistent volumes.'),
  custom: customAddonsSchema,
})
