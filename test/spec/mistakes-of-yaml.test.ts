import { describe, expect, it } from 'vitest'
import { findingsOf, type Mistake, sampleAnd, sampleWith } from './sample-file.ts'

const mistakes: readonly Mistake[] = [
  [
    'a tab as indentation',
    sampleWith('    count: 3', '\tcount: 3'),
    ['6:1 error: this line is indented with a tab, which YAML does not allow -> Use spaces.'],
  ],
  [
    'a key that appears twice',
    sampleWith('count: 3', 'count: 3\n    count: 5'),
    [
      '7:5 error: the key `count` appears twice in one mapping, first on line 6 -> Keep one of them.',
    ],
  ],
  [
    'a section that appears twice',
    sampleAnd('hetzner:\n  region: fsn1'),
    [
      '19:1 error: the key `hetzner` appears twice in one mapping, first on line 2 -> Keep one of them.',
    ],
  ],
  [
    'two documents',
    sampleAnd('---\nclusterName: two'),
    [
      '19:1 error: a second YAML document begins here; a cluster file is one document -> Keep one cluster in one file, and remove the line ---.',
    ],
  ],
  [
    'an alias without anchor',
    sampleWith('region: hel1', 'region: *where'),
    [
      '3:11 error: the alias `*where` has no anchor before it -> Write &where before the value that is meant.',
    ],
  ],
  [
    'an anchor that holds itself',
    sampleAnd('cni: &a\n  values: *a'),
    ['20:11 error: the alias `*a` stands within its own anchor -> Write the value out.'],
  ],
  [
    'a second colon',
    sampleWith('region: hel1', 'region: hel1: fsn1'),
    [
      '3:11 error: a second colon on one line, or a line that is indented further than its place allows -> Put a text that holds a colon in quotes; give keys of one mapping the same indentation.',
    ],
  ],
  [
    'a line that is indented too far',
    sampleWith('    type: cx23', '      type: cx23'),
    [
      '6:12 error: a second colon on one line, or a line that is indented further than its place allows -> Put a text that holds a colon in quotes; give keys of one mapping the same indentation.',
    ],
  ],
  [
    'a bracket that is not closed',
    sampleWith('region: hel1', 'sshKeys: [a'),
    [
      '4:1 error: this is not valid YAML: flow sequence in block collection must be sufficiently indented and end with a ] -> Check the indentation, the colons and the quotes around this place.',
    ],
  ],
  [
    'a quote that is not closed',
    sampleWith('region: hel1', 'region: "hel1'),
    [
      '19:1 error: this is not valid YAML: missing closing "quote -> Check the indentation, the colons and the quotes around this place.',
    ],
  ],
  [
    'a reserved character',
    sampleWith('region: hel1', 'region: @hel1'),
    ['3:11 error: a plain text cannot begin with this character -> Put it in quotes.'],
  ],
  [
    'a tag',
    sampleWith('region: hel1', 'region: !env REGION'),
    [
      '3:11 error: this value has a tag (a word that begins with !), which has no use here -> Remove the tag; put the value in quotes if the ! belongs to it.',
    ],
  ],
  [
    'a list as a key',
    sampleAnd('? [a]\n: b'),
    [
      '19:3 error: a list or a mapping cannot be a key -> Write a text before the colon; put it in quotes if it holds brackets or braces.',
    ],
  ],
  [
    'a number that is not finite',
    sampleWith('count: 3', 'count: .inf'),
    ['6:12 error: this is not a finite number -> Write a number, or a text in quotes.'],
  ],
  [
    'half a character',
    sampleWith('region: hel1', 'region: "\\ud800"'),
    ['3:11 error: this text holds half a character -> Check its \\u escapes.'],
  ],
  [
    'a list instead of a mapping',
    '- a\n- b\n',
    [
      '1:1 error: the file must be a mapping, but is a list -> Start from what `hcloud-talos init` writes.',
    ],
  ],
  [
    'a scalar instead of a mapping',
    'hello\n',
    [
      '1:1 error: the file must be a mapping, but is the text `hello` -> Start from what `hcloud-talos init` writes.',
    ],
  ],
  [
    'comments alone',
    '# nothing\n',
    ['1:1 error: the file is empty, comments aside -> Start from what `hcloud-talos init` writes.'],
  ],
  [
    'a line without a colon',
    sampleWith('hetzner:', 'hetzner'),
    [
      '2:1 error: this is not valid YAML: implicit keys need to be on a single line -> Check the indentation, the colons and the quotes around this place.',
    ],
  ],
]

describe('A text that is no good YAML', () => {
  it.each(mistakes)('%s is reported where it stands, with what to do', (_name, text, found) => {
    expect(findingsOf(text)).toEqual(found)
  })
})
