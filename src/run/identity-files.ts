/** Where the identity of the runs is at a terminal, and where a rotation makes the next one. */
const identityFile = 'age-identity.txt'
export const newIdentityFile = 'age-identity.new.txt'

/** Those of former epochs, which open what was written before. */
export const formerIdentityFiles = 'age-identity.epoch-*.txt'

/**
 * The command that puts an identity which serves from this epoch on where the former one was. That one is kept, and
 * takes nothing's place: older generations, bundles and snapshots open with nothing else.
 */
export function putInPlace(path: string, epoch: number): string {
  return `${moveTo(identityFile, formerIdentity(epoch - 1))} && mv ${path} ${identityFile}`
}

/** The command that puts an identity away which serves no more. */
export function putAway(path: string, epoch: number): string {
  return moveTo(path, formerIdentity(epoch))
}

/** Stops where there is such a file: it may be the only copy of another identity. */
function moveTo(path: string, target: string): string {
  return `test ! -e ${target} && mv ${path} ${target}`
}

const formerIdentity = (epoch: number) => formerIdentityFiles.replace('*', String(epoch))
