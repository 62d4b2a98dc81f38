/** What Go's net/url takes a text apart into. */
export interface GoUrl {
  /** Lower case; empty where there is none. */
  readonly scheme: string
  /** With the port, as written. */
  readonly host: string
  readonly hostname: string
  /** Empty where there is none. */
  readonly port: string
  readonly path: string
}

/** Reads a URL by the rules of Go's url.Parse; undefined for what it refuses. */
export function parseGoUrl(text: string): GoUrl | undefined {
  if (hasControlCharacter(text)) return undefined
  const beforeFragment = text.split('#', 1)[0] ?? ''
  const [, scheme = '', afterScheme] =
    /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(beforeFragment) ?? []
  const rest = (afterScheme ?? beforeFragment).split('?', 1)[0] ?? ''
  const parts = rest.startsWith('//') ? splitAuthority(rest.slice(2)) : splitPath(rest, scheme)
  return parts && { scheme: scheme.toLowerCase(), ...parts }
}

type Parts = Omit<GoUrl, 'scheme'>

/** What has no host; after a scheme it may be anything. */
function splitPath(path: string, scheme: string): Parts | undefined {
  const nothing = { host: '', hostname: '', port: '', path: '' }
  if (!path.startsWith('/') && scheme !== '') return nothing
  const [firstSegment = ''] = path.split('/')
  return firstSegment.includes(':') || !isEscaped(path) ? undefined : { ...nothing, path }
}

function splitAuthority(rest: string): Parts | undefined {
  const [authority = '', ...segments] = rest.split('/')
  const path = segments.length === 0 ? '' : `/${segments.join('/')}`
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const parts = splitHost(host)
  if (parts === undefined || !isEscaped(path) || !isUserInfo(authority, host)) return undefined
  return { ...parts, host, path }
}

/** Whether machinery takes it for the address of something to talk to: with a host, and a port that is one. */
export function isEndpointUrl(text: string): boolean {
  const url = parseGoUrl(text)
  if (url === undefined || url.hostname === '') return false
  return url.port === '' || (Number(url.port) >= 1 && Number(url.port) <= 65_535)
}

function splitHost(host: string): { hostname: string; port: string } | undefined {
  const [, bracketed, plain, port = ''] =
    /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d*))?$/.exec(host) ?? []
  const hostname = bracketed ?? plain
  if (hostname === undefined || !/^[\w.~!$&'()*+,;=:<>"%\-\u0080-\uffff]*$/.test(hostname)) {
    return undefined
  }
  return { hostname, port }
}

function isUserInfo(authority: string, host: string): boolean {
  const userInfo = authority.slice(0, Math.max(0, authority.length - host.length - 1))
  return /^[\w\-.:~!$&'()*+,;=%@]*$/.test(userInfo)
}

function isEscaped(path: string): boolean {
  return !/%(?![0-9A-Fa-f]{2})/.test(path)
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f')
}
