import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  editorSchema,
  hostsFileJsonSchema,
  serversFileJsonSchema,
} from '../../../scripts/file-schemas.ts'
import { referencePages, specReferencePage } from '../../../scripts/spec-reference-page.ts'
import { isJsonObject, type Json } from '../../../src/lib/json.ts'
import { clusterFileForm } from '../../../src/spec/schema/cluster-file-form.ts'

const { shape } = clusterFileForm

function read(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
}

/** Every field of every mapping, by its path. */
function fields(value: Json | undefined, path: string[] = []): { path: string; field: Json }[] {
  if (Array.isArray(value)) return value.flatMap((entry) => fields(entry, path))
  if (!isJsonObject(value)) return []
  const own = isJsonObject(value['properties']) ? Object.entries(value['properties']) : []
  return [
    ...own.flatMap(([name, field]) => [
      { path: [...path, name].join('.'), field },
      ...fields(field, [...path, name]),
    ]),
    ...['anyOf', 'oneOf', 'items'].flatMap((key) => fields(value[key], path)),
  ]
}

const forms = {
  'servers at Hetzner': serversFileJsonSchema,
  'hosts that exist': hostsFileJsonSchema,
}

describe.each(Object.entries(forms))('The schema of the cluster file of %s', (_mode, schema) => {
  const all = fields(schema)

  it('describes every field', () => {
    expect(all.length).toBeGreaterThan(80)
    const silent = all.filter(({ field }) => {
      const description = isJsonObject(field) ? field['description'] : undefined
      return typeof description !== 'string' || !/^[A-Za-z].*\.$/s.test(description)
    })
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  it('takes no field that it does not know, in any mapping of its own', () => {
    const open = all.filter(
      ({ field }) =>
        isJsonObject(field) &&
        field['properties'] !== undefined &&
        field['additionalProperties'] !== false,
    )
    expect(open.map(({ path }) => path)).toEqual([])
    expect(schema['additionalProperties']).toBe(false)
  })

  it('is the one that its reference page shows, field by field', () => {
    const page = referencePages.find((one) => one.schema === schema)
    if (!page) throw new Error('there is no page of it')
    const text = read(`docs/reference/${page.file}`)
    expect(text).toBe(specReferencePage(page))
    const shown = all.map(({ path }) => path.split('.').at(-1))
    for (const name of shown) expect(text).toContain(name)
  })
})

describe('The schema that editors get', () => {
  it('is the committed one', () => {
    const text = read('schema/cluster.schema.json')
    expect(text).toBe(`${JSON.stringify(editorSchema(), null, 2)}\n`)
    expect(editorSchema()['$schema']).toBe('http://json-schema.org/draft-07/schema#')
  })

  it('judges a file with a key of hosts as such a file, and any other one as that of servers', () => {
    const { if: condition, then: hosts, else: servers } = editorSchema()
    expect(condition).toEqual({
      anyOf: [{ required: ['hosts'] }, { required: ['kubeadm'] }, { required: ['ssh'] }],
    })
    expect(hosts).toMatchObject({ properties: { hosts: {}, kubeadm: {}, ssh: {} } })
    expect(servers).toMatchObject({ properties: { hetzner: {}, talos: {}, nodes: {} } })
  })
})

describe('The shape of the cluster file', () => {
  it('tells the fields of a place, whichever form it has there', () => {
    expect(shape.fieldsAt(['nodes'])).toEqual(['controlPlane', 'workers'])
    expect(shape.fieldsAt(['nodes', 'workers', 0])).toContain('autoscaling')
    expect(shape.fieldsAt(['nodes', 'workers'])).toContain('autoscaling')
    expect(shape.fieldsAt(['endpoint'])).toEqual(['type', 'name', 'address'])
  })

  it('knows no fields where any key goes, or where nothing is', () => {
    expect(shape.fieldsAt(['cni', 'values'])).toEqual([])
    expect(shape.fieldsAt(['nothing', 'here'])).toEqual([])
  })

  it('finds the places of a name, the shallowest first', () => {
    expect(shape.pathsOfField('networkZone')).toEqual([['hetzner', 'networkZone']])
    expect(shape.pathsOfField('version').map((path) => path.join('.'))).toEqual([
      'talos.version',
      'kubernetes.version',
    ])
    expect(shape.pathsOfField('constructor')).toEqual([])
  })
})
