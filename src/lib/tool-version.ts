import manifest from '../../package.json' with { type: 'json' }

/** The version of this program, as the state branch and the user agent name it. */
export const toolVersion: string = manifest.version
