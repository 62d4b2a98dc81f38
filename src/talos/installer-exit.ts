/** How an installer ended, for people. */
export interface InstallerExit {
  readonly message: string
  readonly hint: string
}

/** Codes of installers since Talos 1.14; those before end with 1 whatever it was. */
const kinds: Readonly<Record<number, string>> = {
  2: 'it does not take what it was asked',
  3: 'it does not support this machine, or the version that it runs',
  4: 'the node lacks something that it needs',
  5: 'something that it needs cannot be had',
  6: 'it could not read or write',
  7: 'it could not install',
}

/** With these it ends the same way, however often it runs. */
const permanent = [2, 3]

/** What is told of an installer that failed; `undefined` for one that ended without a code. */
export function describeInstallerExit(exitCode: number | undefined): InstallerExit {
  const logHint =
    'Look at `hcloud-talos talos dmesg`, which shows what the installer met: the node still runs its old version.'
  if (exitCode === undefined)
    return { message: 'the installer ended without an exit code', hint: logHint }
  const kind = kinds[exitCode]
  const message = `the installer failed with exit code ${exitCode}${kind === undefined ? '' : `: ${kind}`}`
  if (!permanent.includes(exitCode)) return { message, hint: logHint }
  return { message, hint: `${logHint} It will end the same way again: change the version first.` }
}
