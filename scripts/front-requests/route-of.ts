/** A request as a front of the sandbox logs it. */
interface LoggedRequest {
  readonly front: string
  readonly method: string
  readonly path: string
}

const idOrDigest = /^(\d+|[0-9a-f]{32,64}|\{.*\})$/

/** GitHub's paths that end in a name which may have slashes in it. */
const namedRest =
  /(\/git\/matching-refs|\/git\/ref|\/rules\/branches|\/branches|\/environments)\/.+?(?=\/protection|\/secrets|\/deployment-branch-policies|$)/

/** The route that a request takes, without the names and ids in its path: `hetzner GET /servers/{}`. */
export function routeOf({ front, method, path }: LoggedRequest): string {
  switch (front) {
    case 'talos':
      // The path says which node.
      return `talos ${method}`
    case 'hetzner':
      return `hetzner ${method} ${withoutIds(path)}`
    case 'github':
      return `github ${method} ${withoutIds(githubPath(path))}`
    case 'kubernetes':
      return `kubernetes ${method} ${kubernetesPath(path)}`
    default:
      return `${front} ${method}`
  }
}

function withoutIds(path: string): string {
  const parts = path.split('/')
  return parts.map((part) => (idOrDigest.test(part) ? '{}' : part)).join('/')
}

function githubPath(path: string): string {
  return path.replace(/^\/repos\/[^/]+\/[^/]+/, '/repos/{}/{}').replace(namedRest, '$1/{}')
}

/** `/api/v1/namespaces/{}/pods/{}/log`: the name of an object comes after its kind. */
function kubernetesPath(path: string): string {
  const parts = path.split('/')
  const start = parts[1] === 'api' ? 3 : 4
  const isNamespaced = parts[start] === 'namespaces' && parts.length > start + 2
  const kind = isNamespaced ? start + 2 : start
  const isName = (index: number) => index === kind + 1 || (isNamespaced && index === start + 1)
  return parts.map((part, index) => (isName(index) ? '{}' : part)).join('/')
}
