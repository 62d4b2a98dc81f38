import type { HostCheck } from '../host-check.ts'

/** In an upgrade kubeadm goes first: it knows the way from one version to the next, and restarts nothing by itself. */
export const kubeadmPackage: HostCheck = {
  id: 'kubeadm-package',
  words: 'kubeadm is installed in the version that the cluster is upgraded to',
  probe: `
now=none
if has kubeadm; then now=$(kubeadm version -o short); fi
[ "$now" = "v$wanted" ] || failed "wanted is v$wanted, found: $now"
passed "$now"`,
  apply: `
if [ "$family" = debian ]; then
  install_pinned "kubeadm=$wanted-*"
  apt-mark hold kubeadm >&2
else
  dnf -q -y --disableexcludes=hcloud-talos-kubernetes install "kubeadm-$wanted" </dev/null >&2
fi`,
}

/** The same of the file that the cluster file names. */
export const kubeadmBinary: HostCheck = {
  id: 'kubeadm-file',
  words: 'kubeadm is the file that the cluster file names',
  probe: `
while IFS=$'\\t' read -r name digest _; do
  [ "$name" = kubeadm ] || continue
  now=$(sha256sum 2>/dev/null </usr/local/bin/kubeadm || echo none)
  [ "\${now%% *}" = "$digest" ] || failed "another file: \${now:0:16}"
done <<<"$files"
passed "$wanted"`,
  apply: `
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
while IFS=$'\\t' read -r name digest at; do
  [ "$name" = kubeadm ] || continue
  fetch "$at" "$work/kubeadm"
  echo "$digest  $work/kubeadm" | sha256sum --check --quiet >&2
  put /usr/local/bin/kubeadm 755 <"$work/kubeadm"
done <<<"$files"`,
}
