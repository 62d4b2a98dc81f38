import { createClock } from '../../src/lib/clock.ts'
import { systemRandom } from '../../src/lib/random.ts'
import type { PkiEnvironment } from '../../src/talos/config/certificate-authority.ts'
import { fixedKeyMaker } from './fixed-key-maker.ts'

/** Real time and randomness, and quick keys. */
export const testPki: PkiEnvironment = {
  clock: createClock(),
  random: systemRandom,
  keys: fixedKeyMaker,
}
