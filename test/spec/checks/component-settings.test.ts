import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  admissionPluginProblems,
  gateProblems,
  settingProblems,
} from '../../../src/spec/checks/component-settings.ts'
import { type Component, components } from '../../../src/spec/component.ts'
import { featureGates, flags } from '../../../src/spec/gen/kubernetes-settings.ts'

const message = (component: Component, args: Record<string, string | string[]>, version: string) =>
  settingProblems(component, args, version).map(
    ({ severity, argument, message: text, hint }) =>
      `${severity} ${argument}: ${text}${hint === undefined ? '' : ` -> ${hint}`}`,
  )

describe('a component would not start with', () => {
  it.each([
    [
      'an argument that is gone',
      message('kube-apiserver', { 'cloud-provider': 'external' }, '1.33.0'),
      'error cloud-provider: kube-apiserver has no argument cloud-provider since Kubernetes 1.33 -> Remove it, apply that, then upgrade.',
    ],
    [
      'one that comes later',
      message('kube-controller-manager', { 'concurrent-disruption-syncs': '5' }, '1.36.3'),
      'error concurrent-disruption-syncs: kube-controller-manager has no argument concurrent-disruption-syncs before Kubernetes 1.37 -> Remove it, upgrade, then add it.',
    ],
    [
      'one of another component',
      message('kube-scheduler', { 'pod-eviction-timeout': '1m' }, '1.36.0'),
      'error pod-eviction-timeout: kube-scheduler has no argument `pod-eviction-timeout` in Kubernetes 1.36',
    ],
    [
      'a misspelt one',
      message('kube-apiserver', { 'audit-log-maxagee': '7' }, '1.35.0'),
      'error audit-log-maxagee: kube-apiserver has no argument `audit-log-maxagee` in Kubernetes 1.35 -> Did you mean audit-log-maxage?',
    ],
    [
      'a feature gate that is gone',
      message('kubelet', { 'feature-gates': 'NodeSwap=true, SidecarContainers=true' }, '1.37.2'),
      'error feature-gates: there is no feature gate SidecarContainers since Kubernetes 1.37 -> Remove it, apply that, then upgrade.',
    ],
    [
      'one that is locked to the other value',
      message('kube-scheduler', { 'feature-gates': ['AllBeta=true', 'NodeSwap=false'] }, '1.34.1'),
      'error feature-gates: the feature gate NodeSwap is locked to true since Kubernetes 1.34 -> Remove it.',
    ],
    [
      'one that is locked to false',
      message('kube-apiserver', { 'feature-gates': 'GitRepoVolumeDriver=1' }, '1.36.0'),
      'error feature-gates: the feature gate GitRepoVolumeDriver is locked to false since Kubernetes 1.36 -> Remove it.',
    ],
    [
      'one without a value',
      message('kube-apiserver', { 'feature-gates': 'AllAlpha' }, '1.36.0'),
      'error feature-gates: the feature gate AllAlpha must be set to true or false -> Write AllAlpha=true or AllAlpha=false.',
    ],
    [
      'an admission plugin that is gone',
      message('kube-apiserver', { 'enable-admission-plugins': 'SecurityContextDeny' }, '1.30.0'),
      'error enable-admission-plugins: there is no admission plugin SecurityContextDeny since Kubernetes 1.30 -> Remove it, apply that, then upgrade.',
    ],
    [
      'one that nobody knows',
      message('kube-apiserver', { 'disable-admission-plugins': 'NodeRestricton' }, '1.36.0'),
      'error disable-admission-plugins: there is no admission plugin `NodeRestricton` in Kubernetes 1.36 -> Did you mean NodeRestriction?',
    ],
  ])('%s', (_what, problems, expected) => {
    expect(problems).toEqual([expected])
  })

  it('what has a name of its own in the configuration of the kubelet, or of an admission plugin', () => {
    expect(gateProblems({ NodeSwap: false, KubeletPSI: 'yes' }, '1.35.0')).toMatchObject([
      { argument: 'NodeSwap', message: expect.stringContaining('is locked to true') },
      { argument: 'KubeletPSI', message: expect.stringContaining('must be set to true or false') },
    ])
    expect(admissionPluginProblems('PodSecurty', '1.35.0')).toMatchObject([
      { hint: 'Did you mean PodSecurity?' },
    ])
  })
})

describe('nothing is said of', () => {
  it('gates that were added, or locked to what is asked', () => {
    const gates = 'UserNamespacesHostNetworkSupport=true,AllowServiceLBStatusOnNonLB=false'
    expect(message('kube-apiserver', { 'feature-gates': gates }, '1.34.4')).toHaveLength(1)
    expect(
      message('kube-apiserver', { 'feature-gates': 'AllowServiceLBStatusOnNonLB=false' }, '1.34.4'),
    ).toEqual([])
    expect(
      message('kubelet', { 'feature-gates': 'UserNamespacesHostNetworkSupport=true' }, '1.35.4'),
    ).toEqual([])
  })

  it('versions before the tables', () => {
    expect(message('kubelet', { nothing: 'x' }, '1.26.0')).toEqual([])
  })
})

it('a name that a newer Kubernetes may have is a warning there, and what has gone stays an error', () => {
  const args = { 'a-flag-of-tomorrow-x': '1', 'cloud-config': '/x' }
  expect(message('kubelet', args, '1.99.0')).toEqual([
    'warning a-flag-of-tomorrow-x: kubelet has no argument `a-flag-of-tomorrow-x` in Kubernetes 1.37',
    'error cloud-config: kubelet has no argument cloud-config since Kubernetes 1.34 -> Remove it, apply that, then upgrade.',
  ])
})

it('names that every object has are names as well', () => {
  expect(
    message('kubelet', { constructor: 'x', 'feature-gates': 'toString=true' }, '1.35.0'),
  ).toHaveLength(2)
})

const minor = fc.integer({ min: 27, max: 37 })

test('law: a name is taken in one stretch of minors, and a hint says on which side of it one is', () => {
  const component = fc.constantFrom(...components)
  fc.assert(
    fc.property(component, minor, fc.nat(), (of, at, index) => {
      const names = Object.keys(flags[of] ?? {})
      const name = names[index % names.length] ?? ''
      const problems = (of_: number) => settingProblems(of, { [name]: '' }, `1.${of_}.0`)
      const known = Array.from({ length: 11 }, (_, step) => 27 + step).filter(
        (each) => problems(each).length === 0,
      )
      expect(known.length).toBeGreaterThan(0)
      const [problem] = problems(at)
      if (known.includes(at)) expect(problem).toBeUndefined()
      else if (at < Number(known[0])) expect(problem?.hint).toBe('Remove it, upgrade, then add it.')
      else expect(problem?.hint).toBe('Remove it, apply that, then upgrade.')
    }),
  )
})

test('law: a gate that a minor knows can be set to at least one value there', () => {
  fc.assert(
    fc.property(minor, fc.nat(), (at, index) => {
      const names = Object.keys(featureGates)
      const gate = names[index % names.length] ?? ''
      const [on, off] = [true, false].map((value) => gateProblems({ [gate]: value }, `1.${at}.0`))
      const isUnknown = on?.[0]?.message.startsWith('there is no feature gate') === true
      expect(off?.[0]?.message.startsWith('there is no feature gate') === true).toBe(isUnknown)
      if (!isUnknown) expect([on?.length, off?.length]).toContain(0)
    }),
  )
})
