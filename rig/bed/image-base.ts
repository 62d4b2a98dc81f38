import { folder, type TreeEntry, text } from './tree-entry.ts'

/** Folders that programs in every image look for. */
export const base: readonly TreeEntry[] = [folder('tmp', 0o1777), folder('var'), folder('etc')]

/** Root and nobody: a runtime looks users up here. */
export const accounts: readonly TreeEntry[] = [
  text('etc/passwd', 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n'),
  text('etc/group', 'root:x:0:\nnobody:x:65534:\n'),
]
