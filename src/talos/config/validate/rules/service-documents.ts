import type { Json } from '../../../../lib/json.ts'
import type { Fault } from '../config-problem.ts'
import { eachOf, type Rule } from '../config-view.ts'
import { parseDuration } from '../forms/duration.ts'
import { parseGoUrl } from '../forms/go-url.ts'
import { isHostWithPort } from '../forms/host-with-port.ts'
import { hasElements, isSetAt, isTrueAt, listAt, mappingAt, textAt } from '../read-config.ts'
import { needs } from './link-documents.ts'
import { negativeDurations } from './network-documents.ts'

export const variablesAreNames: Rule = (document) =>
  Object.keys(mappingAt(document, 'variables'))
    .filter((key) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(key))
    .map((key) => ({ at: ['variables', key], message: 'is no name of a variable' }))

export const eventsGoSomewhere: Rule = (document) =>
  isHostWithPort(textAt(document, 'endpoint'))
    ? []
    : [{ at: ['endpoint'], message: 'must be a host with a port' }]

export const kernelLogGoesSomewhere: Rule = (document) => {
  const url = parseGoUrl(textAt(document, 'url'))
  const isGood =
    url && /^(tcp|udp)$/.test(url.scheme) && ['', '/'].includes(url.path) && url.port !== ''
  return isGood
    ? []
    : [{ at: ['url'], message: 'must be tcp:// or udp:// with a host and a port, and no path' }]
}

export const sideroLinkIsUrl: Rule = (document) => {
  const url = parseGoUrl(textAt(document, 'apiUrl'))
  const isGood = url && /^(https|grpc)$/.test(url.scheme) && ['', '/'].includes(url.path)
  return isGood
    ? []
    : [{ at: ['apiUrl'], message: 'must be https:// or grpc:// with a host, and no path' }]
}

export const memoryIsSampledForwards: Rule = (document) =>
  negativeDurations(document, 'sampleInterval')

const leastWatchdogSeconds = 10

export const watchdogHasDevice: Rule = (document) => {
  const seconds = parseDuration(textAt(document, 'timeout')) ?? 0
  return [
    ...needs(document, 'device'),
    ...(seconds !== 0 && seconds < leastWatchdogSeconds
      ? [{ at: ['timeout'], message: `must be ${leastWatchdogSeconds}s at least` }]
      : []),
  ]
}

export const extensionServiceHasConfig: Rule = (document) => {
  const files = listAt(document, 'configFiles')
  if (!hasElements(files) && !hasElements(listAt(document, 'environment'))) {
    return [{ at: [], message: 'needs configFiles or environment' }]
  }
  return eachOf(files, (file, index) =>
    ['content', 'mountPath']
      .filter((key) => textAt(file, key) === '')
      .map((key) => ({ at: ['configFiles', index, key], message: 'is needed' })),
  )
}

export const mirrorIsReachable: Rule = (document) =>
  eachOf(listAt(document, 'endpoints'), (each, index) => {
    const scheme = parseGoUrl(textAt(each, 'url'))?.scheme ?? ''
    if (['http', 'https'].includes(scheme)) return undefined
    return { at: ['endpoints', index, 'url'], message: 'must begin with https:// or http://' }
  })

export const registryHasOneLogin: Rule = (document) => {
  const ways = ['username', 'identityToken', 'auth'].filter((key) => textAt(document, key) !== '')
  if (ways.length < 2) return []
  return [{ at: [ways.at(-1) ?? ''], message: `and ${ways[0]} exclude each other` }]
}

/** Whether a certificate is one, Talos looks itself; that there is one can be seen here. */
export const registryCertificatesArePem: Rule = (document) => {
  const rule = 'must be in PEM'
  const authority = textAt(document, 'ca')
  const isPem = (text: string) => /-----BEGIN [A-Z0-9 ]+-----/.test(text)
  const identity = isSetAt(document, 'clientIdentity') ? ['cert', 'key'] : []
  return [
    ...(authority === '' || isPem(authority) ? [] : [{ at: ['ca'], message: rule }]),
    ...identity
      .filter((key) => !isPem(textAt(document, 'clientIdentity', key)))
      .map((key) => ({ at: ['clientIdentity', key], message: rule })),
  ]
}

export const imageRulesDecide: Rule = (document, { minor }) =>
  eachOf(listAt(document, 'rules'), (rule, index) => imageRuleFaults(rule, index, minor))

function imageRuleFaults(rule: Json, index: number, minor: number): Fault[] {
  const at = ['rules', index]
  const [skips, denies] = [isTrueAt(rule, 'skip'), isTrueAt(rule, 'deny')]
  const verifiers = ['keyless', 'publicKey'].filter((key) => isSetAt(rule, key))
  const ways = [skips, denies, ...verifiers].filter(Boolean).length
  return [
    ...(textAt(rule, 'image') === '' ? [{ at: [...at, 'image'], message: 'is needed' }] : []),
    ...imagePatternFaults([...at, 'image'], textAt(rule, 'image'), minor),
    ...(ways === 1 ? [] : [{ at, message: 'needs one of skip, deny, keyless and publicKey' }]),
    ...(isSetAt(rule, 'keyless')
      ? keylessFaults([...at, 'keyless'], mappingAt(rule, 'keyless'))
      : []),
    ...(isSetAt(rule, 'publicKey') && textAt(rule, 'publicKey', 'certificate') === ''
      ? [{ at: [...at, 'publicKey', 'certificate'], message: 'is needed' }]
      : []),
  ]
}

/** Talos compares with the whole name of a repository, without tag and digest. */
function imagePatternFaults(at: Fault['at'], pattern: string, minor: number): Fault[] {
  const [, ...repository] = pattern.split('/')
  const hasTag = pattern.includes('@') || repository.join('/').includes(':')
  const isShort =
    minor >= 14
      ? pattern !== '' && !beginsWithRegistry(pattern)
      : !['', '*'].includes(pattern) && repository.length === 0
  return [
    ...(hasTag
      ? [
          {
            at,
            message: 'never matches with a tag or a digest: they are no part of it',
            isWarning: true,
          },
        ]
      : []),
    ...(isShort
      ? [
          {
            at,
            message: 'matches no image: one such as nginx is docker.io/library/nginx here',
            isWarning: true,
          },
        ]
      : []),
  ]
}

/** Since 1.14 Talos looks at what stands before the first `*` and the first `/`. */
function beginsWithRegistry(pattern: string): boolean {
  const [literal = ''] = pattern.split('*')
  const [domain = ''] = literal.split('/')
  if (!literal.includes('/')) return pattern.includes('*')
  return /[.:]/.test(domain) || domain.toLowerCase() === 'localhost'
}

function keylessFaults(at: Fault['at'], keyless: Json): Fault[] {
  const hasSubject = textAt(keyless, 'subject') !== '' || textAt(keyless, 'subjectRegex') !== ''
  return [
    ...(textAt(keyless, 'issuer') === '' ? [{ at: [...at, 'issuer'], message: 'is needed' }] : []),
    ...(hasSubject ? [] : [{ at: [...at, 'subject'], message: 'or subjectRegex is needed' }]),
  ]
}
