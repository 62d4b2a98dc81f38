import type { Mistake } from './mistake.ts'

const hours = ['x', '0', '9000', ''].map(
  (text): Mistake => ({
    name: `kubeconfig for ${text === '' ? 'no' : text} hours`,
    args: ['kubeconfig', `--hours=${text}`],
    code: 'usage',
    mentions: ['--hours', 'at most 8760'],
  }),
)

/** A variable, a value that cannot be right, and what is said about it. */
const variables = [
  ['HCLOUD_TALOS_SSH_PORT', 'twenty-two', 'is no port'],
  ['HCLOUD_TALOS_SSH_PORT', '70000', 'is no port'],
  ['HCLOUD_TALOS_FACTORY', 'factory.talos.dev', 'is no address'],
  ['HCLOUD_TALOS_CHARTS', 'ftp://charts.example.com', 'is no address'],
  ['HCLOUD_TALOS_IP_LOOKUP', 'nobody', 'is no address'],
  ['HCLOUD_TALOS_CHART_DIGESTS', 'cilium', 'not a chart digest'],
  ['HCLOUD_TALOS_HELM', '/no/helm', 'no program'],
  ['HCLOUD_ENDPOINT', 'nonsense', 'endpoint'],
].map(
  ([variable = '', value = '', mentions = '']): Mistake => ({
    name: `${variable} is ${value}`,
    args: ['plan'],
    env: { [variable]: value },
    code: 'usage',
    mentions: [mentions],
  }),
)

export const mistakesOfUsage: readonly Mistake[] = [
  {
    name: 'an unknown command',
    args: ['aply'],
    code: 'usage',
    mentions: ['aply', 'Did you mean apply?'],
  },
  {
    name: 'secrets of a config on the terminal',
    args: ['config', 'demo-workers-1', '--with-secrets'],
    code: 'usage',
    mentions: ['--out'],
  },
  {
    // Before anything is asked, or the firewall opened: where nothing was applied, that would be the failure.
    name: 'a patch that is not there',
    args: ['talos', 'patch', 'nowhere.yaml', '-n', 'demo-workers-1', '--yes'],
    code: 'usage',
    mentions: ['nowhere.yaml', 'the patch cannot be read'],
  },
  {
    name: 'an unknown option',
    args: ['apply', '--dryrun'],
    code: 'usage',
    mentions: ['--dryrun', 'Did you mean --dry-run?'],
  },
  {
    name: 'an argument too many',
    args: ['plan', 'cluster.yaml'],
    code: 'usage',
    mentions: ['too many arguments'],
  },
  {
    name: 'an option without its value',
    args: ['plan', '--out'],
    code: 'usage',
    mentions: ['--out'],
  },
  {
    name: 'an unknown stage',
    args: ['apply', '--stage', 'all'],
    code: 'usage',
    mentions: ['infra, talos, addons'],
  },
  {
    name: 'an unknown role',
    args: ['talosconfig', '--role', 'root'],
    code: 'usage',
    mentions: ['os:reader'],
  },
  {
    name: 'an unknown shell',
    args: ['completion', 'tcsh'],
    code: 'usage',
    mentions: ['bash, zsh, fish'],
  },
  {
    name: 'two forms of output at once',
    args: ['plan', '--json', '--markdown'],
    code: 'usage',
    mentions: ['cannot be used with'],
  },
  {
    name: 'an approved plan that is a cluster file',
    args: [
      'apply',
      '--yes',
      '--plan',
      'an approved plan that is a cluster file.yaml'.replaceAll(' ', '-'),
    ],
    code: 'usage',
    mentions: ['this is not a plan', 'plan --out'],
  },
  {
    name: 'an approved plan that is not there',
    args: ['upgrade', '--yes', '--plan', 'nowhere.json'],
    code: 'usage',
    mentions: ['cannot be read', 'nowhere.json'],
  },
  ...hours,
  ...variables,
]
