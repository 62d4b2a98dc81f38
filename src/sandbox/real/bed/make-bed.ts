import { join } from 'node:path'
import type { Bed } from './bed.ts'
import { makeDebianPackages } from './debian-packages.ts'
import { makeDebianRoot } from './debian-root.ts'
import { findInTree } from './debian-tree.ts'
import { makeGoPrograms } from './go-module.ts'
import { kubernetes134, pause, runcWrapper, talos112, talos113 } from './go-modules.ts'
import {
  busyboxImage,
  etcdImage,
  installerImage,
  kubernetesImages,
  pauseImage,
} from './image-recipes.ts'
import { type ImageRecipe, makeImage } from './make-image.ts'
import { makeTalosRoot } from './talos-root.ts'
import type { Workshop } from './workshop.ts'

/** Everything in the order in which it needs one another; `stop` ends all when one thing fails. */
export async function makeBed(workshop: Workshop, stop: AbortController): Promise<Bed> {
  const packages = await makeDebianPackages(workshop)
  const debian = join(packages, 'tree')
  const [programs, debianRoot] = await together(stop, [
    makePrograms(workshop),
    makeDebianRoot(workshop, packages),
  ])
  const talosRoots = new Map<string, string>()
  for (const [version, module] of Object.entries({
    '1.13.0': programs.newest,
    '1.12.1': programs.talosBefore,
  })) {
    const root = await makeTalosRoot(workshop, {
      version,
      machined: join(module, 'machined'),
      containerd: programs.newest,
      cniPlugins: programs.newest,
      runcWrapper: join(programs.runcWrapper, 'runc'),
      debian,
    })
    talosRoots.set(version, root)
  }
  return {
    talosRoots,
    debianRoot,
    images: await makeImages(workshop, programs, debian),
    programs: {
      runc: await findInTree(debian, 'usr/sbin/runc', 'usr/bin/runc'),
      talosctl: join(programs.newest, 'talosctl'),
      kubectl: join(programs.newest, 'kubectl'),
    },
    kubernetesVersions: ['1.34.4', '1.35.4'],
  }
}

/** The folders of all programs. */
interface Programs {
  readonly newest: string
  readonly talosBefore: string
  readonly kubernetesBefore: string
  readonly runcWrapper: string
  readonly pause: string
}

/** One module after the other: each keeps all cores busy by itself. */
async function makePrograms(workshop: Workshop): Promise<Programs> {
  return {
    newest: await makeGoPrograms(workshop, talos113),
    runcWrapper: await makeGoPrograms(workshop, runcWrapper),
    pause: await makeGoPrograms(workshop, pause),
    talosBefore: await makeGoPrograms(workshop, talos112),
    kubernetesBefore: await makeGoPrograms(workshop, kubernetes134),
  }
}

async function makeImages(
  workshop: Workshop,
  programs: Programs,
  debian: string,
): Promise<Bed['images']> {
  const busybox = await findInTree(debian, 'bin/busybox', 'usr/bin/busybox')
  const recipes: readonly ImageRecipe[] = [
    ...kubernetesImages('1.35.4', programs.newest, busybox),
    ...kubernetesImages('1.34.4', programs.kubernetesBefore, busybox),
    etcdImage(programs.newest),
    pauseImage(programs.pause),
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
