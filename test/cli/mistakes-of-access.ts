import { clusterText } from './cluster-text.ts'
import { canary, type Mistake } from './mistake.ts'

const wrongToken = canary.slice(0, 64)
const closedPort = 'http://127.0.0.1:9/v1'

const ofTokens: readonly Mistake[] = [
  {
    name: 'no token',
    args: ['plan'],
    env: { HCLOUD_TOKEN: undefined },
    code: 'token-missing',
    mentions: ['HCLOUD_TOKEN'],
  },
  {
    name: 'a wrong token',
    args: ['apply', '--yes'],
    env: { HCLOUD_TOKEN: wrongToken },
    code: 'token-invalid',
    mentions: ['HCLOUD_TOKEN'],
  },
  {
    name: 'a token with a line break in it',
    args: ['plan'],
    env: { HCLOUD_TOKEN: `${wrongToken}\n${wrongToken}` },
    code: 'token-invalid',
    mentions: ['line breaks'],
  },
  ...[
    ['apply', '--yes'],
    ['build-image', '--yes'],
  ].map(
    (args): Mistake => ({
      name: `a read-only token for ${args[0]}`,
      args,
      env: ({ sandbox }) => ({ HCLOUD_TOKEN: sandbox.endpoints.hcloud.readOnlyToken }),
      code: 'token-read-only',
      mentions: ['read and write permission'],
    }),
  ),
]

const ofHetzner: readonly Mistake[] = [
  {
    name: 'a port on which nobody listens',
    args: ['plan'],
    env: { HCLOUD_ENDPOINT: closedPort },
    code: 'hetzner-unreachable',
    mentions: ['127.0.0.1:9', 'cannot be reached'],
  },
  {
    name: 'an address that answers with HTML',
    args: ['apply', '--yes'],
    env: (_bench, answersHtml) => ({ HCLOUD_ENDPOINT: answersHtml }),
    code: 'hetzner-answer',
    mentions: ['HCLOUD_ENDPOINT'],
  },
]

const ofClusters: readonly Mistake[] = [
  ['kubeconfig'],
  ['talosconfig'],
  ['destroy', '--confirm', 'demo'],
  ['upgrade', '--yes'],
].map((args) => ({
  name: `${args[0]} of a cluster that was never applied`,
  args,
  code: 'cluster-unknown',
  mentions: ['has no cluster', 'apply the cluster file first'],
}))

const ofIdentities: readonly Mistake[] = [
  {
    name: 'no identity for an apply',
    args: ['apply', '--yes'],
    env: { HCLOUD_TALOS_AGE_IDENTITY: undefined },
    code: 'identity-missing',
    mentions: ['HCLOUD_TALOS_AGE_IDENTITY'],
  },
  {
    name: 'garbage for an identity',
    args: ['apply', '--yes'],
    env: { HCLOUD_TALOS_AGE_IDENTITY: canary },
    code: 'identity-invalid',
    mentions: ['line 1'],
  },
  {
    name: 'garbage in the file of the identity',
    args: ['kubeconfig'],
    env: { HCLOUD_TALOS_AGE_IDENTITY: undefined, HCLOUD_TALOS_AGE_IDENTITY_FILE: 'age.txt' },
    code: 'identity-invalid',
    mentions: ['line 1'],
  },
  {
    name: 'no such file of an identity',
    args: ['apply', '--yes'],
    env: { HCLOUD_TALOS_AGE_IDENTITY: undefined, HCLOUD_TALOS_AGE_IDENTITY_FILE: 'nowhere.txt' },
    code: 'identity-missing',
    mentions: ['nowhere.txt'],
  },
]

const ofTheState: readonly Mistake[] = [
  {
    name: 'a branch that is not ours',
    args: ['apply', '--yes'],
    file: (name) => clusterText({ name, branch: 'pages' }),
    code: 'state-foreign',
    mentions: ['pages'],
  },
  {
    name: 'no git on the PATH',
    args: ['plan'],
    env: { PATH: '/nowhere' },
    code: 'git-missing',
    mentions: ['Install git'],
  },
  {
    name: 'no git for the sandbox',
    args: ['sandbox'],
    env: { PATH: '/nowhere' },
    code: 'git-missing',
    mentions: ['Install git'],
  },
  {
    name: 'a remote that does not exist',
    args: ['plan'],
    env: { HCLOUD_TALOS_REMOTE: '/nowhere/clusters.git' },
    code: 'state-unreachable',
    mentions: ['/nowhere/clusters.git', 'Check the address of the remote'],
  },
  {
    name: 'a folder that is no repository',
    args: ['apply', '--yes'],
    env: { HCLOUD_TALOS_REMOTE: undefined },
    code: 'state-unreachable',
    mentions: ['no git remote named origin'],
  },
]

const ofTheDisk: readonly Mistake[] = [
  {
    name: 'no room for the plan',
    args: ['plan', '--out', '/dev/full'],
    code: 'disk-full',
    mentions: ['no room', '/dev/full'],
  },
  {
    name: 'no folder for the plan',
    args: ['plan', '--out', 'age.txt/plan.json'],
    code: 'file-unwritable',
    mentions: ['age.txt/plan.json'],
  },
  {
    name: 'a folder where the plan should go',
    args: ['plan', '--out', 'a-folder'],
    code: 'file-unwritable',
    mentions: ['it is a folder'],
  },
  {
    name: 'a folder where the recording should go',
    args: ['plan', '--record', 'a-folder'],
    code: 'file-unwritable',
    mentions: ['it is a folder'],
  },
  {
    name: 'a recording into a file that is none',
    args: ['apply', '--yes', '--record', 'age.txt'],
    code: 'usage',
    mentions: ['holds no recording', 'age.txt', 'Name a new file'],
  },
  {
    name: 'a recording that a variable names, in a place that is none',
    args: ['plan'],
    env: { HCLOUD_TALOS_RECORD: '/dev/null/recording' },
    code: 'file-unwritable',
    mentions: ['/dev/null/recording'],
  },
  {
    name: 'no temporary folder',
    args: ['plan'],
    env: { TMPDIR: '/nowhere' },
    code: 'file-unwritable',
    mentions: ['temporary folder', 'TMPDIR'],
  },
]

export const mistakesOfAccess: readonly Mistake[] = [
  ...ofTokens,
  ...ofHetzner,
  ...ofClusters,
  ...ofIdentities,
  ...ofTheState,
  ...ofTheDisk,
]
