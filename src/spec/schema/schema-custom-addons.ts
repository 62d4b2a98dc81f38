import { z } from 'zod'
import { referenceTo } from '../secret-reference.ts'
import { dnsLabel, filled, formatted } from './field-format.ts'
import { conditionSchema } from './schema-upgrade.ts'

const sha256 = () =>
  formatted(/^[0-9a-f]{64}$/, 'must be a SHA-256 as 64 lower-case hex digits', (written) => {
    const digits = written.toLowerCase().replace(/^sha256:/, '')
    return /^[0-9a-f]{64}$/.test(digits) ? `Write ${digits}.` : undefined
  })

const common = {
  name: dnsLabel().describe(
    'Its name, by which the plan lists it, other addons need it, and its objects are labelled. Another name is another addon.',
  ),
  namespace: dnsLabel().describe(
    'Where its objects go that name no namespace. It is created, and stays when the addon is removed.',
  ),
  podSecurity: z
    .enum(['privileged', 'baseline', 'restricted'])
    .optional()
    .describe(
      'What pods may do in the namespace (Pod Security admission). Left out, it is as the cluster has it: baseline on Talos.',
    ),
  needs: z
    .array(dnsLabel())
    .default([])
    .describe('Names of addons that are installed and healthy before this one is started.'),
  wait: z
    .boolean()
    .optional()
    .describe(
      'Whether an apply waits until it is healthy. Left out, it does where the cluster has a network addon of ours.',
    ),
  timeoutMinutes: z
    .int()
    .min(1)
    .max(120)
    .default(10)
    .describe('How many minutes an apply waits for it before it stops.'),
  conditions: z
    .array(conditionSchema)
    .default([])
    .describe(
      'Objects with a condition that must be True besides: its workloads must be rolled out, its CRDs established and its API services available in any case.',
    ),
}

const chart = z.strictObject({
  ...common,
  type: z.literal('helm').describe('A Helm chart.'),
  repository: formatted(
    /^(https|oci):\/\/[^\s@?#]+[^\s@?#/]$/,
    'must be the address of a chart repository that begins with https:// or oci://, without a login and without a slash at its end',
    (written) => {
      if (/^http:\/\//.test(written)) return `Write ${written.replace(/^http/, 'https')}.`
      return /^(https|oci):\/\/\S+\/$/.test(written)
        ? `Write ${written.replace(/\/+$/, '')}.`
        : undefined
    },
  ).describe(
    'The repository: https://traefik.github.io/charts, or a folder of an OCI registry, oci://ghcr.io/prometheus-community/charts.',
  ),
  chart: formatted(
    /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/,
    'must be the name of a chart, without its repository',
  ).describe('Name of the chart.'),
  version: formatted(
    /^v?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/,
    'must be one version of the chart, such as 41.3.0',
    'Name one version: what a plan shows must be what is installed.',
  ).describe('Version of the chart.'),
  sha256: sha256()
    .optional()
    .describe(
      'SHA-256 of its tgz. Left out, the state keeps that of the first time, and the same version with another content is rejected.',
    ),
  values: z
    .record(z.string(), z.unknown())
    .default({})
    .describe(`Values for the chart. ${referenceTo('name')} stands for a secret.`),
})

const manifest = z.strictObject({
  ...common,
  type: z.literal('manifest').describe('Objects as YAML.'),
  urls: z
    .array(
      z.strictObject({
        url: formatted(
          /^https:\/\/[^\s@?#]+$/,
          'must be an address that begins with https://, without a login and without a query',
        ).describe('Address of a file with objects, as YAML or JSON.'),
        sha256: sha256().describe('SHA-256 of the file.'),
      }),
    )
    .default([])
    .describe('Files to download.'),
  inline: z
    .array(filled())
    .default([])
    .describe(
      `Texts of one or more YAML documents, each of them an object. ${referenceTo('name')} stands for a secret.`,
    ),
})

export const customAddonsSchema = z
  .array(z.discriminatedUnion('type', [chart, manifest]))
  .default([])
  .describe('Charts and manifests of your own.')
