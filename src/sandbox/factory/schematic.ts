import { createHash } from 'node:crypto'
import { z } from 'zod'

const schematicBody = z.strictObject({
  owner: z.string().optional(),
  overlay: z
    .strictObject({
      image: z.string().optional(),
      name: z.string().optional(),
      options: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
  customization: z
    .strictObject({
      embeddedMachineConfiguration: z.string().optional(),
      extraKernelArgs: z.array(z.string()).optional(),
      meta: z.array(z.strictObject({ key: z.int(), value: z.string() })).optional(),
      systemExtensions: z
        .strictObject({ officialExtensions: z.array(z.string()).optional() })
        .optional(),
      bootloader: z.string().optional(),
      secureboot: z
        .strictObject({
          enrollKeys: z.string().optional(),
          includeWellKnownCertificates: z.boolean().optional(),
        })
        .optional(),
      diskImage: z.strictObject({ sectorSize: z.int().optional() }).optional(),
    })
    .optional(),
})

export interface Schematic {
  /** SHA-256 of `yaml`. */
  readonly id: string
  /** The canonical text: fields in the factory's order, nothing empty, four spaces. */
  readonly yaml: string
}

/** Reads a schematic that was parsed from YAML or JSON; a text that says what is wrong where it is none. */
export function readSchematic(value: unknown): Schematic | string {
  const result = schematicBody.safeParse(value ?? {})
  if (!result.success) {
    return result.error.issues
      .map((issue) => `${issue.path.join('.')}: ${issue.message}`)
      .join('\n')
  }
  const yaml = canonicalYaml(result.data)
  return { id: createHash('sha256').update(yaml).digest('hex'), yaml }
}

/**
 * The text whose hash is the id (facts: Talos, "Image & hcloud"): the schema's own order of fields,
 * list order kept, empty values left out, but for `customization`, which is always there.
 */
function canonicalYaml(schematic: z.infer<typeof schematicBody>): string {
  const { owner, overlay, customization = {} } = schematic
  const { systemExtensions, secureboot, diskImage } = customization
  const lines = [
    ...scalar('owner', owner),
    ...block('overlay', [
      ...scalar('image', overlay?.image),
      ...scalar('name', overlay?.name),
      ...block(
        'options',
        Object.entries(overlay?.options ?? {}).flatMap(([key, value]) => scalar(key, value)),
      ),
    ]),
  ]
  const inner = [
    ...scalar('embeddedMachineConfiguration', customization.embeddedMachineConfiguration),
    ...list('extraKernelArgs', customization.extraKernelArgs),
    ...metaList(customization.meta),
    ...block('systemExtensions', list('officialExtensions', systemExtensions?.officialExtensions)),
    ...scalar('bootloader', customization.bootloader),
    ...block('secureboot', [
      ...scalar('enrollKeys', secureboot?.enrollKeys),
      ...scalar('includeWellKnownCertificates', secureboot?.includeWellKnownCertificates),
    ]),
    ...block('diskImage', scalar('sectorSize', diskImage?.sectorSize)),
  ]
  const outer = inner.length === 0 ? ['customization: {}'] : block('customization', inner)
  return `${[...lines, ...outer].join('\n')}\n`
}

function block(key: string, inner: readonly string[]): string[] {
  return inner.length === 0 ? [] : [`${key}:`, ...inner.map((line) => `    ${line}`)]
}

function scalar(key: string, value: unknown): string[] {
  if (value === undefined || value === '' || value === false || value === 0) return []
  return [`${key}: ${plain(value)}`]
}

function list(key: string, values: readonly string[] | undefined): string[] {
  return block(
    key,
    (values ?? []).map((value) => `- ${plain(value)}`),
  )
}

function metaList(meta: readonly { key: number; value: string }[] | undefined): string[] {
  return block(
    'meta',
    (meta ?? []).flatMap(({ key, value }) => [`- key: ${key}`, `  value: ${plain(value)}`]),
  )
}

/** Plain where YAML allows it, single quotes elsewhere. */
function plain(value: unknown): string {
  const text = String(value)
  if (typeof value !== 'string') return text
  const special = /^[\s&*!|>'"%@`{}[\],?#-]|: |:$| #|^$|\s$/.test(text)
  const other = /^(true|false|null|yes|no|on|off|~|[-+.\d][\d._eE+-]*)$/i.test(text)
  return special || other ? `'${text.replaceAll("'", "''")}'` : text
}
