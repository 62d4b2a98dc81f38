import { clusterText } from './cluster-text.ts'
import type { Mistake } from './mistake.ts'

const withoutToken = { HCLOUD_TOKEN: undefined, HCLOUD_TALOS_AGE_IDENTITY_FILE: 'nowhere.txt' }

export const mistakesInFiles: readonly Mistake[] = [
  {
    name: 'it is empty',
    args: ['plan'],
    file: '',
    code: 'spec-empty',
    mentions: ['is empty', ':1:1'],
  },
  {
    name: 'it holds comments only',
    args: ['apply', '--yes'],
    file: '# later\n',
    code: 'spec-empty',
    mentions: ['is empty'],
  },
  {
    name: 'it is a folder',
    args: ['plan', '--config', 'a-folder'],
    code: 'spec-not-a-file',
    mentions: ['it is a folder', 'a-folder'],
  },
  {
    name: 'it is missing',
    args: ['plan', '--config', 'nowhere.yaml'],
    code: 'spec-not-found',
    mentions: ['no such file', 'nowhere.yaml', 'hcloud-talos init'],
  },
  {
    name: 'a part of its path is a file',
    args: ['plan', '--config', 'age.txt/cluster.yaml'],
    code: 'spec-not-found',
    mentions: ['no such file'],
  },
  {
    name: 'it is a binary',
    args: ['plan'],
    file: Uint8Array.from({ length: 2_000 }, (_, index) => (index * 73) % 256),
    code: 'spec-binary',
    mentions: ['not a text in UTF-8'],
  },
  {
    name: 'it is far too large',
    args: ['plan'],
    file: `# ${'x'.repeat(5_000_000)}\n`,
    code: 'spec-too-large',
    mentions: ['larger than'],
  },
  {
    name: 'it has several mistakes, which are told at once with line and column',
    args: ['plan'],
    file: clusterText({ name: 'Demo_', controlPlane: '{ count: 2, type: cx23, colour: red }' }),
    code: 'spec-invalid',
    mentions: [
      /\.yaml:1:14: error: clusterName must be/,
      /\.yaml:5:26: error: .*count must be odd/,
      /\.yaml:5:\d+: error: .*`?colour/,
      '3 mistakes; nothing was changed',
    ],
  },
  {
    name: 'it is wrong, and the token is missing too: the file comes first',
    args: ['apply', '--yes'],
    file: '',
    env: withoutToken,
    code: 'spec-empty',
    mentions: ['is empty'],
  },
  {
    name: 'it is missing, and so is everything else',
    args: ['destroy', '--config', 'nowhere.yaml', '--confirm', 'demo'],
    env: { ...withoutToken, PATH: '/nowhere', TMPDIR: '/nowhere' },
    code: 'spec-not-found',
    mentions: ['no such file'],
  },
]
