import type { ClusterSpec, CustomChart, CustomManifests } from '../../src/spec/cluster-spec.ts'
import { sampleSpec } from './sample-spec.ts'

/** A chart that the sandbox serves, as a file brings it. */
export function customChart(change: Partial<CustomChart> = {}): CustomChart {
  return {
    type: 'helm',
    name: 'shop',
    namespace: 'shop',
    needs: [],
    timeoutMinutes: 10,
    conditions: [],
    repository: 'https://charts.example.com',
    chart: 'example-app',
    version: '1.0.0',
    values: {},
    ...change,
  }
}

export function customManifests(change: Partial<CustomManifests> = {}): CustomManifests {
  return {
    type: 'manifest',
    name: 'settings',
    namespace: 'shop',
    needs: [],
    timeoutMinutes: 10,
    conditions: [],
    urls: [],
    inline: [
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  open: "yes"\n',
    ],
    ...change,
  }
}

/** A spec with addons of the user's own. */
export function withCustom(
  custom: ClusterSpec['addons']['custom'],
  spec: ClusterSpec = sampleSpec(),
): ClusterSpec {
  return { ...spec, addons: { ...spec.addons, custom } }
}

/** A kind that the sandbox's example chart makes an object of, where the cluster has it. */
export const greetingCrd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: greetings.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    kind: Greeting
    listKind: GreetingList
    plural: greetings
    singular: greeting
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                message:
                  type: string
            status:
              type: object
              x-kubernetes-preserve-unknown-fields: true
`
