import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLook } from '../../../src/kubeadm/host/read-look.ts'

const clockOf = (clock: number, time: { from: number; to: number }) =>
  readLook(`fact\tclock\t${clock}\n`, time).clockAheadMs

test('a clock is wrong by as much as it is for certain, however slowly the host answers', () => {
  const moment = fc.integer({ min: 0, max: 10_000_000 })
  fc.assert(
    fc.property(
      moment,
      fc.nat(60_000),
      fc.nat(60_000),
      fc.integer(),
      (from, until, rest, ahead) => {
        const off = ahead % 1_000_000
        const found = clockOf(from + until + off, { from, to: from + until + rest })
        expect(Math.abs(found)).toBeLessThanOrEqual(Math.abs(off))
        expect(off === 0 ? found === 0 : found === 0 || Math.sign(found) === Math.sign(off)).toBe(
          true,
        )
      },
    ),
  )
  expect(clockOf(5_000, { from: 7_000, to: 7_000 })).toBe(-2_000)
  expect(clockOf(9_500, { from: 7_000, to: 7_500 })).toBe(2_000)
})

test('a bare host has no traces, and what nobody of us wrote is no mark', () => {
  const time = { from: 0, to: 0 }
  expect(readLook('', time).traces).toMatchObject({
    caHash: undefined,
    hasAdminConf: false,
    hasKubeletConf: false,
    staticPods: {},
    certificatesEnd: undefined,
  })
  const marked = (mark: string) => readLook(`fact\tmark\t${btoa(mark)}\n`, time).mark
  expect(marked('{"cluster":"rack","uid":"0123","generation":4,"keyEpoch":1}')).toEqual({
    cluster: 'rack',
    uid: '0123',
    generation: 4,
    keyEpoch: 1,
    hasLeft: false,
  })
  expect([marked('{}'), marked('no json'), marked('')]).toEqual([undefined, undefined, undefined])
})

test('components are known by the tags of their images, and programs by what they print of themselves', () => {
  const { traces } = readLook(
    [
      'fact\tstatic-pod kube-apiserver\tv1.35.4',
      'fact\tversion-kubelet\tKubernetes v1.35.4',
      'fact\tversion-containerd\tcontainerd github.com/containerd/containerd/v2 v2.3.7 0123',
      'fact\tversion-kubeadm\tv1.36.0-rc.1',
      'fact\tthere\tadmin.conf',
      '',
    ].join('\n'),
    { from: 0, to: 0 },
  )
  expect(traces).toMatchObject({
    staticPods: { 'kube-apiserver': '1.35.4' },
    versions: { kubelet: '1.35.4', containerd: '2.3.7', kubeadm: '1.36.0-rc.1' },
    hasAdminConf: true,
  })
})

test('settings of kubelets are read as kubeadm writes them, and what is none is unknown', () => {
  const read = (config: string, flags: string) =>
    readLook(`fact\tkubelet-config\t${btoa(config)}\nfact\tkubelet-flags\t${btoa(flags)}\n`, {
      from: 0,
      to: 0,
    }).traces.kubelet
  const flags =
    'KUBELET_KUBEADM_ARGS="--container-runtime-endpoint=unix:///run/x.sock --feature-gates=A=true,B=false --node-ip=192.0.2.1 --system-reserved=\\"cpu=1\\" --seccomp-default"\n'
  expect(read('rotateCertificates: true\nserverTLSBootstrap: false\n', flags)).toEqual({
    config: { rotateCertificates: true, serverTLSBootstrap: false },
    flags: {
      'container-runtime-endpoint': 'unix:///run/x.sock',
      'feature-gates': 'A=true,B=false',
      'node-ip': '192.0.2.1',
      'system-reserved': '"cpu=1"',
      'seccomp-default': 'true',
    },
  })
  expect(read('- no\n- object\n', 'OTHER=1\n')).toEqual({ config: undefined, flags: undefined })
})
