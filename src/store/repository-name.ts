/**
 * The name of a repository by its address, the same however it is reached: the last two parts of its path
 * in lower case, which are owner and name on GitHub. States are bound to it, so that a copy of a branch in
 * another repository is refused. Hosts are left out: people give them other names in their SSH settings.
 */
export function repositoryName(url: string): string {
  const path = url
    .replace(/^[a-z+]+:\/\/[^/]*\//i, '')
    // scp's form, host:path, as git tells it from a path.
    .replace(/^[^/:]+:(?!\\)/, '')
    .replaceAll('\\', '/')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
  return path
    .split('/')
    .filter((part) => part !== '')
    .slice(-2)
    .join('/')
    .toLowerCase()
}
