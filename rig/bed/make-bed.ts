import { join } from 'node:path'
import { standInCharts } from '../../src/sandbox/charts/serve-charts.ts'
import type { Bed } from './bed.ts'
import { makeDebianPackages } from './debian-packages.ts'
import { makeDebianRoot } from './debian-root.ts'
import { dynamicProgram, findInTree } from './debian-tree.ts'
import { makeGoPrograms } from './go-module.ts'
import {
  coredns,
  kubernetes134,
  pause,
  runcWrapper,
  standIns,
  talos112,
  talos113,
} from './go-modules.ts'
import {
  busyboxImage,
  corednsImage,
  etcdImage,
  installerImage,
  kubernetesImages,
  pauseImage,
} from './image-recipes.ts'
import { makeImage } from './make-image.ts'
import { standInImages } from './stand-in-images.ts'
import { makeTalosRoot } from './talos-root.ts'
import type { Workshop } from './workshop.ts'

type Programs = Awaited<ReturnType<typeof makePrograms>>

/** Versions of Kubernetes whose images can be made. */
const kubernetesVersions = [kubernetes134.kubernetes, talos113.kubernetes]

/**
 * Everything in the order in which it needs one another; `stop` ends all when one thing fails. Of the
 * versions of Kubernetes only those that are wanted.
 */
export async function makeBed(
  workshop: Workshop,
  stop: AbortController,
  wanted: readonly string[] = kubernetesVersions,
): Promise<Bed> {
  const packages = await makeDebianPackages(workshop)
  const debian = join(packages, 'tree')
  const [programs, debianRoot] = await together(stop, [
    makePrograms(workshop, wanted),
    makeDebianRoot(workshop, packages),
  ])
  return {
    talosRoots: await makeTalosRoots(workshop, programs, debian),
    debianRoot,
    images: await makeImages(workshop, programs, debian),
    programs: {
      runc: await findInTree(debian, 'usr/sbin/runc', 'usr/bin/runc'),
      talosctl: programs.newest('talosctl'),
      kubectl: programs.newest('kubectl'),
      etcdutl: programs.newest('etcdutl'),
    },
    kubernetesVersions: kubernetesVersions.filter((version) => wanted.includes(version)),
  }
}

/** One module after the other: each keeps all cores busy by itself. */
async function makePrograms(workshop: Workshop, wanted: readonly string[]) {
  return {
    newest: await makeGoPrograms(workshop, talos113),
    runcWrapper: await makeGoPrograms(workshop, runcWrapper),
    pause: await makeGoPrograms(workshop, pause),
    talosBefore: await makeGoPrograms(workshop, talos112),
    standIns: await makeGoPrograms(workshop, standIns),
    coredns: await makeGoPrograms(workshop, coredns),
    kubernetesBefore: wanted.includes(kubernetes134.kubernetes)
      ? await makeGoPrograms(workshop, kubernetes134)
      : undefined,
  }
}

async function makeTalosRoots(
  workshop: Workshop,
  { newest, talosBefore, runcWrapper }: Programs,
  debian: string,
): Promise<Bed['talosRoots']> {
  const machined = { '1.13.0': newest('machined'), '1.12.1': talosBefore('machined') }
  const roots = new Map<string, string>()
  for (const [version, program] of Object.entries(machined)) {
    const parts = {
      version,
      machined: program,
      beside: newest,
      runcWrapper: runcWrapper('runc'),
      debian,
    }
    roots.set(version, await makeTalosRoot(workshop, parts))
  }
  return roots
}

async function makeImages(
  workshop: Workshop,
  { newest, kubernetesBefore, ...own }: Programs,
  debian: string,
): Promise<Bed['images']> {
  const busybox = await findInTree(debian, 'bin/busybox', 'usr/bin/busybox')
  const nft = await dynamicProgram(
    workshop,
    debian,
    'usr/sbin/nft',
    await findInTree(debian, 'usr/sbin/nft'),
  )
  const recipes = [
    ...kubernetesImages(talos113.kubernetes, newest, { busybox, nft }),
    ...(kubernetesBefore === undefined
      ? []
      : kubernetesImages(kubernetes134.kubernetes, kubernetesBefore, { busybox, nft })),
    etcdImage(newest('etcd')),
    pauseImage(own.pause('pause')),
    corednsImage(own.coredns('coredns')),
    ...standInImages(standInCharts, {
      standIns: own.standIns('standins'),
      kubeProxy: newest('kube-proxy'),
      plugins: newest,
      nft,
      busybox,
    }),
    busyboxImage(busybox),
    installerImage(),
  ]
  const folder = join(workshop.cache, 'images')
  const references = new Map<string, string>()
  for (const recipe of recipes) {
    const digest = await makeImage(workshop, recipe, folder)
    for (const reference of recipe.references) references.set(reference, digest)
  }
  return { folder, references }
}

/** Waits for both also when one fails, so that nothing is still at work when the failure is told. */
async function together<A, B>(
  stop: AbortController,
  [one, other]: readonly [Promise<A>, Promise<B>],
): Promise<readonly [A, B]> {
  try {
    return await Promise.all([one, other])
  } catch (error) {
    stop.abort(error)
    await Promise.allSettled([one, other])
    throw error
  }
}
