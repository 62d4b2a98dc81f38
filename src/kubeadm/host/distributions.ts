/** A distribution whose hosts are prepared. */
interface Distribution {
  /** ID of os-release. */
  readonly id: string
  /** What VERSION_ID begins with: a minor follows where there is one. */
  readonly versions: readonly string[]
  readonly family: 'debian' | 'rhel'
  /** The folder of Docker's repository that has its packages. */
  readonly docker: string
}

/** Those with cgroup v2 by default: version 8 of RHEL and its like has v1, which Kubernetes 1.35 refuses. */
const distributions: readonly Distribution[] = [
  { id: 'debian', versions: ['12', '13'], family: 'debian', docker: 'debian' },
  { id: 'ubuntu', versions: ['22.04', '24.04', '26.04'], family: 'debian', docker: 'ubuntu' },
  { id: 'rhel', versions: ['9', '10'], family: 'rhel', docker: 'rhel' },
  { id: 'centos', versions: ['9', '10'], family: 'rhel', docker: 'centos' },
  { id: 'rocky', versions: ['9', '10'], family: 'rhel', docker: 'rhel' },
  { id: 'almalinux', versions: ['9', '10'], family: 'rhel', docker: 'rhel' },
]

/** The lines of a bash `case` over `ID VERSION_ID`. */
export function distributionCases(): string {
  return distributions
    .map(({ id, versions, family, docker }) => {
      const patterns = versions.flatMap((version) => [`'${id} ${version}'`, `'${id} ${version}.'*`])
      return `  ${patterns.join(' | ')}) family=${family} docker=${docker} ;;`
    })
    .join('\n')
}

/** What people are told of them. */
export const distributionNames =
  'Debian 12 and 13, Ubuntu 22.04 to 26.04, RHEL, CentOS Stream, Rocky and AlmaLinux 9 and 10'
