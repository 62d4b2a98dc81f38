import { join } from 'node:path'
import { makeDebianHostRoot } from './debian-host-root.ts'
import { makeDebianPackages } from './debian-packages.ts'
import { dynamicProgram, findInTree } from './debian-tree.ts'
import { makeGoPrograms } from './go-module.ts'
import {
  coredns,
  hostTools,
  nextPatch,
  pause,
  runcWrapper,
  talos113,
  trustClock,
} from './go-modules.ts'
import type { HostBed } from './host-bed.ts'
import {
  besideKubernetesDebs,
  containerdDeb,
  containerdVersion,
  kubernetesDebs,
} from './host-debs.ts'
import { makeDebianMirror, makeDockerMirror, makeKubernetesMirror } from './host-repositories.ts'
import {
  busyboxImage,
  corednsImage,
  kubeadmEtcdImage,
  kubernetesImages,
  makersEtcdImage,
  pauseImage,
} from './image-recipes.ts'
import { makeImage } from './make-image.ts'
import type { Workshop } from './workshop.ts'

/** What real hosts start from and fetch: the programs are those of the Talos nodes, and built once for both. */
export async function makeHostBed(workshop: Workshop): Promise<HostBed> {
  const packages = await makeDebianPackages(workshop)
  const debian = join(packages, 'tree')
  const root = await makeDebianHostRoot(workshop, packages)
  const newest = await makeGoPrograms(workshop, talos113)
  const next = await makeGoPrograms(workshop, nextPatch)
  const tools = await makeGoPrograms(workshop, hostTools)
  const own = {
    runcWrapper: await makeGoPrograms(workshop, runcWrapper),
    pause: await makeGoPrograms(workshop, pause),
    coredns: await makeGoPrograms(workshop, coredns),
    trustClock: await makeGoPrograms(workshop, trustClock),
  }
  const runc = await findInTree(debian, 'usr/sbin/runc', 'usr/bin/runc')
  const busybox = await findInTree(debian, 'bin/busybox', 'usr/bin/busybox')
  const nft = await dynamicProgram(
    workshop,
    debian,
    'usr/sbin/nft',
    await findInTree(debian, 'usr/sbin/nft'),
  )
  const version = talos113.kubernetes
  const containerd = containerdDeb({ programs: newest, runc, runcWrapper: own.runcWrapper('runc') })
  const debs = [
    ...kubernetesDebs({ version, programs: newest }),
    ...kubernetesDebs({ version: nextPatch.kubernetes, programs: next }),
    ...besideKubernetesDebs({ crictl: tools('crictl'), plugins: newest }),
  ]
  const recipes = [
    ...kubernetesImages(version, newest, { busybox, nft }),
    ...kubernetesImages(nextPatch.kubernetes, next, { busybox, nft }),
    kubeadmEtcdImage(newest('etcd'), tools('etcdctl')),
    makersEtcdImage({
      etcd: newest('etcd'),
      etcdctl: tools('etcdctl'),
      etcdutl: newest('etcdutl'),
    }),
    pauseImage(own.pause('pause')),
    corednsImage(own.coredns('coredns')),
    busyboxImage(busybox),
  ]
  const folder = join(workshop.cache, 'images')
  const references = new Map<string, string>()
  for (const recipe of recipes) {
    const digest = await makeImage(workshop, recipe, folder)
    for (const reference of recipe.references) references.set(reference, digest)
  }
  return {
    root,
    runc,
    repositories: [
      await makeDebianMirror(workshop, root),
      await makeDockerMirror(workshop, containerd),
      await makeKubernetesMirror(workshop, version, debs),
    ],
    kubernetes: version,
    nextKubernetes: nextPatch.kubernetes,
    containerd: containerdVersion,
    images: { folder, references },
    trustClock: own.trustClock('trust-clock'),
    kubectl: newest('kubectl'),
  }
}
