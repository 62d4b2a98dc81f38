import type { Mutation } from './mutation.ts'

/** Lines that keep a way back from being a way to lose something. */
export const recoveryMutations: readonly Mutation[] = [
  {
    id: 'repair-rolled-back',
    file: 'src/commands/modes/repair-in-mode.ts',
    find: 'if ((isOlder || !isAnchored) && !input.acceptsOlder) throw',
    replace: 'if (isOlder && isComplete && !input.acceptsOlder) throw',
    why: 'a branch that was forced back is laundered by damage on top of it',
    tests: ['test/commands/repair.test.ts'],
  },
  {
    id: 'repair-former-key',
    file: 'src/commands/modes/repair-in-mode.ts',
    find: '  refuseFormerKey(base, remembered)\n',
    replace: '',
    why: 'what a former key signed becomes the newest state',
    tests: ['test/commands/repair.test.ts'],
  },
  {
    id: 'repair-accepts-all',
    file: 'src/store/trust/audit-state.ts',
    find: '(by ? [] : [problem])',
    replace: '(signed.size > 0 ? [] : [problem])',
    why: 'damage that was accepted once is accepted for ever',
    tests: ['test/commands/repair.test.ts'],
  },
  {
    id: 'import-older-over-older',
    file: 'src/commands/modes/import-in-mode.ts',
    find: "present.kind === 'believed' && !(known && isOlder(present.generation, known))",
    replace: "present.kind === 'believed'",
    why: 'a branch that was forced back takes a bundle that forgets nodes, unasked',
    tests: ['test/commands/ways-back.test.ts'],
  },
  {
    id: 'recover-newest-state',
    file: 'src/commands/modes/recover-in-mode.ts',
    find: 'if (!former || (known && isOlder(former, known)) ||',
    replace: 'if (!former || known ||',
    why: 'a healthy state loses its journal to a recovery',
    tests: ['test/commands/ways-back.test.ts'],
  },
]
