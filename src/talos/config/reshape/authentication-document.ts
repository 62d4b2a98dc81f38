import type { Json, JsonObject } from '../../../lib/json.ts'
import type { ConfigDocument } from '../config-document.ts'
import { asText, isList } from '../validate/read-config.ts'
import { given, newDocument } from './new-document.ts'
import type { OldShape } from './old-shape.ts'

/** Health is asked for without credentials, and nothing else: what Talos gives its own clusters. */
const anonymous: JsonObject = {
  enabled: true,
  conditions: ['/livez', '/readyz', '/healthz'].map((path) => ({ path })),
}

const section = 'cluster.apiServer.extraArgs'

/** Who comes in, in the place of the arguments `oidc-*`, each as the API server itself reads it. */
export function authenticationDocument(old: OldShape, hasAnonymous: boolean): ConfigDocument {
  return newDocument('KubeAuthenticationConfig', {
    configuration: { ...(hasAnonymous && { anonymous }), jwt: jwtOf(old) },
  })
}

function jwtOf(old: OldShape): readonly JsonObject[] {
  const url = seen(old, 'oidc-issuer-url')
  const audience = seen(old, 'oidc-client-id')
  // One without the other is no way in, and stays for its user to look at.
  if (!url || !audience) return []
  for (const name of ['oidc-issuer-url', 'oidc-client-id']) old.takeKey(section, name)
  const claim = taken(old, 'oidc-username-claim') ?? 'sub'
  const groups = taken(old, 'oidc-groups-claim')
  const groupsPrefix = taken(old, 'oidc-groups-prefix') ?? ''
  const rules = requiredClaims(old.takeKey(section, 'oidc-required-claim'))
  const username = { claim, prefix: usernamePrefix(taken(old, 'oidc-username-prefix'), claim, url) }
  return [
    given({
      issuer: { url, audiences: [audience] },
      claimMappings: {
        username,
        ...(groups && { groups: { claim: groups, prefix: groupsPrefix } }),
      },
      claimValidationRules: rules.length > 0 ? rules : undefined,
    }),
  ]
}

/** Left out, all names but mail addresses have the issuer before them; a dash means none. */
function usernamePrefix(prefix: string | undefined, claim: string, url: string): string {
  if (prefix === '-') return ''
  if (prefix) return prefix
  return claim === 'email' ? '' : `${url}#`
}

function requiredClaims(value: Json | undefined): JsonObject[] {
  const pairs = (isList(value) ? value : [value ?? '']).flatMap((each) =>
    (asText(each) ?? '').split(','),
  )
  return pairs.flatMap((pair) => {
    const at = pair.indexOf('=')
    return at < 1 ? [] : [{ claim: pair.slice(0, at), requiredValue: pair.slice(at + 1) }]
  })
}

function taken(old: OldShape, name: string): string | undefined {
  return textOf(old.takeKey(section, name))
}

function seen(old: OldShape, name: string): string | undefined {
  return textOf(old.seeKey(section, name))
}

/** Of an argument that is given several times, the last one counts. */
function textOf(value: Json | undefined): string | undefined {
  return asText(isList(value) ? value.at(-1) : value)
}
