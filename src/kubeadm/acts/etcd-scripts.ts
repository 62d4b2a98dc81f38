import { askEtcd } from '../cluster/ask-etcd.ts'
import { kubernetesFolder, stoppedFolder } from '../config/kubeadm-paths.ts'

/** Where kubeadm keeps etcd's data, on the host and in its container. */
const etcdFolder = '/var/lib/etcd'

/** What a restore brings to a host stands beside the data that it becomes, so that it takes its place at once. */
const restoreFolder = `${etcdFolder}/.hcloud-talos`
export const restoredSnapshot = `${restoreFolder}/snapshot.db`

/** The program that makes data of a snapshot, for as long as a restore takes. */
const restoreTool = '/var/lib/hcloud-talos/etcdutl'

/** What all static pods of a control plane are called, kube-vip's among them. */
const podNames = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-vip']
const podPattern = `^(${podNames.join('|')})$`

/** What a control plane cannot be started without, below the folder of Kubernetes. */
const neededFiles = [
  'admin.conf',
  'kubelet.conf',
  'controller-manager.conf',
  'scheduler.conf',
  ...['ca', 'apiserver', 'apiserver-kubelet-client', 'apiserver-etcd-client', 'front-proxy-ca'],
  ...['front-proxy-client', 'etcd/ca', 'etcd/server', 'etcd/peer'],
].flatMap((name) => (name.endsWith('.conf') ? [name] : [`pki/${name}.crt`, `pki/${name}.key`]))

const allNeeded = [...neededFiles, 'pki/sa.key', 'pki/sa.pub']

/**
 * What a host has of etcd, and what a control plane lacks that would begin with a snapshot there: lines of a name and a
 * value with a tab between. An etcd that does not answer has no \`status\`. Changes nothing.
 */
export const lookAtEtcdScript = `${askEtcd}
if [ -n "$container" ] && status=$(ask --command-timeout 10s endpoint status --write-out json 2>/dev/null); then
  printf 'status\\t%s\\n' "\${status//$'\\n'/}"
fi
if [ -f ${etcdFolder}/member/snap/db ]; then
  printf 'database\\t%s\\n' "$(stat -c '%s %Y' ${etcdFolder}/member/snap/db)"
elif [ -d ${etcdFolder}/member ]; then
  printf 'database\\tnone\\n'
fi
for name in ${allNeeded.join(' ')}; do
  [ -s "${kubernetesFolder}/$name" ] || printf 'missing\\t%s\\n' "${kubernetesFolder}/$name"
done
for name in ${podNames.slice(0, 4).join(' ')}; do
  [ -s "${kubernetesFolder}/manifests/$name.yaml" ] || [ -s "${stoppedFolder}/$name.yaml" ] ||
    printf 'missing\\t%s\\n' "${kubernetesFolder}/manifests/$name.yaml"
done
`

/**
 * Prints a snapshot of the etcd that runs here, as etcd sends it: with its hash at its end. etcdctl writes files alone, and
 * its container has nothing that reads one: it stands beside the data for a moment, and has no name any more when it is read.
 */
export const printSnapshotScript = `${askEtcd}
file=${etcdFolder}/.hcloud-talos-snapshot
trap 'rm -f -- "$file" "$file.part"' EXIT
rm -f -- "$file" "$file.part"
require_etcd
# Without a timeout of its own: it may take as long as its bytes come.
ask snapshot save "$file" >&2
exec 5<"$file"
rm -f -- "$file"
cat <&5
`

/** Prints the database as it lies on the disk of a member that has no quorum, and writes nothing. */
export const printDatabaseScript = `cat -- ${etcdFolder}/member/snap/db`

/**
 * Ends what a control plane runs, and keeps it from coming back: the kubelet ends a pod whose manifest is gone. Where it
 * does not, nobody else would start them again either.
 */
export const stopControlPlaneScript = `
mkdir -p -- ${stoppedFolder}
for name in ${podNames.join(' ')}; do
  file=${kubernetesFolder}/manifests/$name.yaml
  [ ! -f "$file" ] || mv -fT -- "$file" "${stoppedFolder}/$name.yaml"
done
for left in {60..0}; do
  running=$(crictl ps --name '${podPattern}' --state running --quiet)
  [ -n "$running" ] || exit 0
  [ "$left" -ge 30 ] || xargs -r crictl stop <<<"$running" >/dev/null || true
  sleep 2
done
echo "containers of the control plane do not end: $running" >&2
exit 1
`

/** Removes the data of an etcd that does not run. */
export const wipeEtcdScript = `
if [ -n "$(crictl ps --name '^etcd$' --state running --quiet)" ]; then
  echo "etcd runs on this host" >&2
  exit 1
fi
rm -rf --one-file-system -- ${etcdFolder}/member ${restoreFolder}
`

/**
 * Brings the program that makes data of a snapshot: that of the host where it is of the same minor as its etcd, else the one
 * in the image that its etcd runs from, else the one in the image of this version as the makers of etcd build it: that of
 * Kubernetes has none in all of its versions. Prints where it came from; safe to run again.
 */
export const fetchToolScript = `
tool=${restoreTool}
manifest=${kubernetesFolder}/manifests/etcd.yaml
[ -f "$manifest" ] || manifest=${stoppedFolder}/etcd.yaml
image=$(sed -n 's/^ *image: *//p' "$manifest" | head -n 1)
version=\${image##*:}
version=\${version#v}
version=\${version%%-*}
minor=\${version%.*}

fits() {
  "$1" version 2>/dev/null | grep -q "etcdutl version: $minor\\." &&
    "$1" snapshot restore --help 2>/dev/null | grep -q -e --bump-revision
}
keep() {
  mkdir -p -- "$(dirname -- "$tool")"
  install -m 755 -- "$1" "$tool.new"
  mv -fT -- "$tool.new" "$tool"
}
take() {
  local place snapshotter code=1
  snapshotter=$(containerd config dump 2>/dev/null | sed -n "s/^ *snapshotter = ['\\"]\\(.*\\)['\\"]/\\1/p" | head -n 1 || true)
  place=$(mktemp -d /run/hcloud-talos-image.XXXXXXXXXX)
  if ctr --namespace k8s.io images mount --snapshotter "\${snapshotter:-overlayfs}" "$1" "$place" >/dev/null; then
    if fits "$place/usr/local/bin/etcdutl"; then keep "$place/usr/local/bin/etcdutl" && code=0; fi
    ctr --namespace k8s.io images unmount --rm --snapshotter "\${snapshotter:-overlayfs}" "$place" >/dev/null || true
  fi
  rmdir -- "$place" || true
  return "$code"
}
own=$(command -v etcdutl || true)
others=\${image%:*}:v$version
if [ -x "$tool" ] && fits "$tool"; then echo "it is there"
elif [ -n "$own" ] && fits "$own"; then keep "$own"; echo "$own"
elif take "$image"; then echo "$image"
elif crictl pull "$others" >/dev/null && take "$others"; then echo "$others"
else
  echo "no etcdutl of $minor is in $image, in $others or in the path of root" >&2
  exit 1
fi
`

/**
 * Makes data of etcd of the snapshot that was brought: of one member, with the name and the address that are given, in a
 * cluster of its own, so that no member of the former one takes it for its own. Revisions go on far above those of before,
 * and what watches from one of these is told to read all again: controllers and kubelets remember the latest that they saw.
 * All of it is there or nothing; data that is there is left as it is.
 */
export const restoreDataScript = `
name=$1 peer=$2 token=$3
if [ ! -d ${etcdFolder}/member ]; then
  rm -rf --one-file-system -- ${restoreFolder}/restored
  ${restoreTool} snapshot restore ${restoredSnapshot} --data-dir ${restoreFolder}/restored \\
    --name "$name" --initial-cluster "$name=$peer" --initial-advertise-peer-urls "$peer" \\
    --initial-cluster-token "$token" --bump-revision 1000000000 --mark-compacted
  chmod 700 -- ${etcdFolder} ${restoreFolder}/restored/member
  sync
  mv -T -- ${restoreFolder}/restored/member ${etcdFolder}/member
fi
rm -rf --one-file-system -- ${restoreFolder}
rm -f -- ${restoreTool}
`

/** Lets the kubelet run again what was stopped. */
export const startControlPlaneScript = `
for file in ${stoppedFolder}/*.yaml; do
  [ -f "$file" ] || continue
  mv -fT -- "$file" "${kubernetesFolder}/manifests/$(basename -- "$file")"
done
rm -rf -- ${stoppedFolder}
systemctl enable kubelet 2>/dev/null || true
systemctl restart kubelet
`
