import { describe, expect, it } from 'vitest'
import { findingsOf, type Mistake, sampleAnd } from './sample-file.ts'

/** The sample with these lines below `addons.custom`; they begin at line 21. */
function sampleWithAddons(lines: string): string {
  return sampleAnd(`addons:\n  custom:\n${lines}`)
}

const chart = (name: string, more = '') => `    - name: ${name}
      type: helm
      namespace: shop
      repository: https://charts.example.com
      chart: example-app
      version: 1.0.0${more === '' ? '' : `\n      ${more}`}`
const manifest = (text: string) => `    - name: settings
      type: manifest
      namespace: shop
      inline:
        - ${text}`

const mistakes: readonly Mistake[] = [
  [
    'a name that another addon has',
    sampleWithAddons(`${chart('shop')}\n${chart('shop')}`),
    [
      '27:13 error: two addons are called `shop` -> Give one another name: addons.custom[0] has it too.',
    ],
  ],
  [
    'the name of an addon of ours',
    sampleWithAddons(chart('cilium')),
    [
      '21:13 error: `cilium` is the name of an addon that comes with hcloud-talos -> Choose another name.',
    ],
  ],
  [
    'a name under which objects of ours are kept',
    sampleWithAddons(chart('namespace-shop')),
    [
      '21:13 error: `namespace-shop` is the name of objects of hcloud-talos -> Choose another name.',
    ],
  ],
  [
    'a type that there is not',
    sampleWithAddons(chart('shop').replace('type: helm', 'type: kustomize')),
    ['22:13 error: addons.custom[0].type must be helm or manifest, but is the text `kustomize`'],
  ],
  [
    'a range of versions',
    sampleWithAddons(chart('shop').replace('1.0.0', '^1.0.0')),
    [
      '26:16 error: addons.custom[0].version must be one version of the chart, such as 41.3.0 -> Name one version: what a plan shows must be what is installed.',
    ],
  ],
  [
    'a repository without TLS',
    sampleWithAddons(chart('shop').replace('https:', 'http:')),
    [
      '24:19 error: addons.custom[0].repository must be the address of a chart repository that begins with https:// or oci://, without a login and without a slash at its end -> Write https://charts.example.com.',
    ],
  ],
  [
    'a login in the address of a repository, which is not repeated',
    sampleWithAddons(chart('shop').replace('charts.example', 'me:canary@charts.example')),
    [
      '24:19 error: addons.custom[0].repository must be the address of a chart repository that begins with https:// or oci://, without a login and without a slash at its end',
    ],
  ],
  [
    'a name that helm does not take',
    sampleWithAddons(chart('a'.repeat(54))),
    [
      `21:13 error: \`${'a'.repeat(54)}\` is too long for the name of an addon -> Shorten it to 53 characters, which is the most that helm takes.`,
    ],
  ],
  [
    'a digest with its algorithm',
    sampleWithAddons(chart('shop', `sha256: sha256:${'A1'.repeat(32)}`)),
    [
      `27:15 error: addons.custom[0].sha256 must be a SHA-256 as 64 lower-case hex digits -> Write ${'a1'.repeat(32)}.`,
    ],
  ],
  [
    'a need that is misspelt',
    sampleWithAddons(chart('shop', 'needs: [hcloud-cssi]')),
    [
      '27:15 error: addons.custom[0].needs[0] is `hcloud-cssi`, and there is no such addon -> Did you mean hcloud-csi?',
    ],
  ],
  [
    'a need that is not enabled',
    sampleAnd(`cni:\n  type: none\naddons:\n  custom:\n${chart('shop', 'needs: [cilium]')}`),
    [
      '29:15 error: addons.custom[0].needs[0] is `cilium`, which is not enabled -> Enable it, or take it out of needs.',
    ],
  ],
  [
    'needs in a circle',
    sampleWithAddons(`${chart('shop', 'needs: [till]')}\n${chart('till', 'needs: [shop]')}`),
    [
      '27:15 error: addons need each other, so that none can be first: shop needs till needs shop -> Take one of them out of needs.',
      '34:15 error: addons need each other, so that none can be first: till needs shop needs till -> Take one of them out of needs.',
    ],
  ],
  [
    'an addon that needs itself',
    sampleWithAddons(chart('shop', 'needs: [shop]')),
    [
      '27:15 error: addons need each other, so that none can be first: shop needs shop -> Take one of them out of needs.',
    ],
  ],
  [
    'a namespace with two securities',
    sampleWithAddons(`${chart('shop', 'podSecurity: privileged')}\n${chart('till')}`),
    [
      '30:18 error: the namespace shop has another podSecurity in addons.custom[0] -> Write the same in both, or give each addon a namespace of its own.',
    ],
  ],
  [
    'a security for a namespace of Kubernetes',
    sampleWithAddons(
      chart('shop', 'podSecurity: privileged').replace('namespace: shop', 'namespace: kube-system'),
    ),
    [
      "27:20 error: addons.custom[0].podSecurity cannot be set for kube-system, which is Kubernetes's own -> Give the addon a namespace of its own, or remove podSecurity.",
    ],
  ],
  [
    'kured',
    sampleWithAddons(chart('kured').replace('example-app', 'kured')),
    [
      '25:14 error: kured does nothing on Talos: it reboots hosts whose package manager asks for it -> Remove it: upgrades of Talos reboot nodes by themselves, one after another.',
    ],
  ],
  [
    'a retired ingress controller',
    sampleWithAddons(chart('ingress').replace('example-app', 'ingress-nginx')),
    [
      '25:14 warning: ingress-nginx is retired: it has had no fixes since March 2026 -> Take a controller of the Gateway API, or Traefik.',
    ],
  ],
  [
    'no manifest',
    sampleWithAddons(manifest('x').replace(/\n {6}inline[\s\S]*/, '')),
    ['21:7 error: addons.custom[0] has no manifest -> Add urls or inline.'],
  ],
  [
    'a manifest without a name',
    sampleWithAddons(manifest('"{apiVersion: v1, kind: ConfigMap}"')),
    [
      '25:11 error: addons.custom[0].inline[0] has an object at its line 1 without metadata.name -> Write documents with apiVersion, kind and metadata.name, with --- between them.',
    ],
  ],
  [
    'the path of a file where a manifest is expected',
    sampleWithAddons(manifest('manifests/settings.yaml')),
    [
      '25:11 error: addons.custom[0].inline[0] has a document at its line 1 that is no object -> Write documents with apiVersion, kind and metadata.name, with --- between them.',
    ],
  ],
  [
    'a manifest that is no YAML',
    sampleWithAddons(manifest('"a: b: c"')),
    [
      '25:11 error: addons.custom[0].inline[0] cannot be read as YAML at its line 1 -> Write documents with apiVersion, kind and metadata.name, with --- between them.',
    ],
  ],
  [
    'a manifest of comments alone',
    sampleWithAddons(manifest('"# nothing"')),
    [
      '25:11 error: addons.custom[0].inline[0] holds no object -> Write documents with apiVersion, kind and metadata.name, with --- between them.',
    ],
  ],
  [
    'a secret in the name of a repository',
    sampleWithAddons(chart('shop').replace('charts.example.com', `\${secret:a}.example.com`)),
    [
      '24:19 error: addons.custom[0].repository refers to a secret, and is not filled -> Put secrets into Talos patches, into the values of addons or into inline manifests.',
    ],
  ],
]

describe('Mistakes in charts and manifests of the user', () => {
  it.each(mistakes)('%s is found', (_name, text, found) => {
    expect(findingsOf(text)).toEqual(found)
  })

  it('what is right has no finding', () => {
    const fine = [
      chart('shop', `values: {password: "\${secret:shop}"}`),
      manifest(
        `|\n          # \${secret:}\n          apiVersion: v1\n          kind: Secret\n          metadata: {name: a}\n          stringData: {a: "\${secret:a}"}`,
      ),
    ]
    expect(findingsOf(sampleWithAddons(fine.join('\n')))).toEqual([])
  })
})
