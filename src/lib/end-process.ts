/** A stream of the process, as far as its end is concerned. */
interface Output {
  readonly writableLength: number
}

/** How long what is still open may take to close by itself, in milliseconds. */
const graceMs = 500

/**
 * Ends the process soon after its last word, whatever is still open. All that a run opens is closed by its owner, but for
 * one thing: gRPC's client cannot take back a connection that is being made to a node which drops packets, for two
 * minutes. A test holds that nothing else is ended like this. Keeps nothing alive itself; what was written is written first.
 */
export function endSoon(outputs: readonly Output[], exit: () => void): void {
  const end = () => {
    if (outputs.some(({ writableLength }) => writableLength > 0)) endSoon(outputs, exit)
    else exit()
  }
  const timer: { unref?: () => void } | number = setTimeout(end, graceMs)
  if (typeof timer === 'object') timer.unref?.()
}
