import manifest from '../../package.json' with { type: 'json' }

/** What GitHub lets an account be called: letters and digits, with single hyphens between them. */
const accountName = /^[a-z\d](?:[a-z\d]|-(?=[a-z\d])){0,38}$/i

/** Where a suite of these actions is published: `owner/name`, and the ref that workflows name. */
export interface PublishedAction {
  readonly name: string
  readonly ref: string
}

const [, owner = '', repository = ''] =
  /github\.com\/([^/]+)\/([^/]+?)(?:\.git)?$/.exec(manifest.repository.url) ?? []

/** Where this build is published, by `repository` and `version` of package.json: the one place that says it. */
export const publishedAction: PublishedAction = {
  name: `${owner}/${repository}`,
  ref: `v${manifest.version}`,
}

/** Whether a name can be a repository on GitHub. That of a placeholder cannot: no account has a name like it. */
export function canBeOnGithub(name: string): boolean {
  const [account = '', project = '', ...others] = name.split('/')
  return accountName.test(account) && /^[\w.-]+$/.test(project) && others.length === 0
}

/** What a step says after `uses:`; `path` is that of an action in the suite, none for the root one. */
export function usesOf({ name, ref }: PublishedAction, path = ''): string {
  return `${name}${path === '' ? '' : `/${path}`}@${ref}`
}

/** Reads `owner/name` or `owner/name@ref`; undefined for what GitHub could not run. */
export function parseAction(text: string): PublishedAction | undefined {
  const [name = '', ref = publishedAction.ref, ...others] = text.split('@')
  const isRef = /^[\w][\w./-]*$/.test(ref)
  return canBeOnGithub(name) && isRef && others.length === 0 ? { name, ref } : undefined
}
