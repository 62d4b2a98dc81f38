import type { HostCheck } from '../host-check.ts'

/** Version of the containerd that is installed, as a bash command. */
export const installedContainerd = `containerd --version | awk '{ sub(/^v/, "", $3); sub(/[~+-].*/, "", $3); print $3 }'`

/** Has its version as `now`, or fails: also one that does not run, as after an installation that was cut off. */
export const seenContainerd = `
has containerd || failed "it is not installed"
now=$(${installedContainerd}) || failed "containerd does not run"
[ -n "$now" ] || failed "containerd shows no version"
[ -z "$wanted" ] || [ "$now" = "$wanted" ] || failed "$now, wanted is $wanted"
least=
for one in $minimums; do
  least=$one
  [ "\${one%.*}" != "\${now%.*}" ] || break
done
[ -z "$least" ] || at_least "$now" "$least" || failed "$now, but this Kubernetes needs $least or newer"`

/** Never another version where pods run on it: that is an upgrade, and the node is drained for it. */
export const refuseContainerdOnNode = `
if is_joined && has containerd; then
  refuse "containerd runs the pods of a node here: another version of it is an upgrade, for which the node is drained"
fi`

/** The package that containerd is of, whoever installed it; nothing where it is of none. */
const containerdPackage = `
package=
for one in containerd.io containerd; do
  if [ "$family" = debian ]; then
    if [ "$(dpkg-query -W -f='\${db:Status-Status}' "$one" 2>/dev/null)" = installed ]; then package=$one; fi
  elif rpm -q "$one" >/dev/null 2>&1; then
    package=$one
  fi
done`

const debKeyring = '/etc/apt/keyrings/hcloud-talos-docker.gpg'
const rpmFile = '/etc/yum.repos.d/hcloud-talos-docker.repo'

/** On hosts with dnf, what leaves containerd out of upgrades stands in it too. */
const putRpmRepository = `
put ${rpmFile} 644 <<END
[hcloud-talos-docker]
name=containerd of Docker
baseurl=$repository/linux/$docker/\\$releasever/\\$basearch/stable
enabled=1
gpgcheck=1
gpgkey=\${key:-$repository/linux/$docker/gpg}
exclude=containerd.io
END`

/** The list is written before any list is read: a wrong address in that of a former run would stop apt for ever. */
const fromRepository = `
if [ "$family" = debian ]; then
  downloaded=$(mktemp)
  fetch "\${key:-$repository/linux/$docker/gpg}" "$downloaded"
  gpg --batch --yes --dearmor --output "$downloaded.gpg" "$downloaded"
  put ${debKeyring} 644 <"$downloaded.gpg"
  rm -f -- "$downloaded" "$downloaded.gpg"
  echo "deb [signed-by=${debKeyring}] $repository/linux/$docker $codename stable" |
    put /etc/apt/sources.list.d/hcloud-talos-docker.list 644
  install_pinned "containerd.io=$wanted-*"
else
${putRpmRepository}
  dnf -q -y --disableexcludes=hcloud-talos-docker install "containerd.io-$wanted" </dev/null >&2
fi`

export const containerdVersion: HostCheck = {
  id: 'containerd-version',
  words: 'containerd is installed from a package, in the version that is wanted',
  probe: `
${seenContainerd}
${containerdPackage}
[ -n "$package" ] || failed "$now, which is of no package"
passed "$now of $package"`,
  apply: `
${refuseContainerdOnNode}
if [ "$source" != distribution ]; then
${fromRepository}
elif [ "$family" = debian ]; then
  install_packages containerd
else
  refuse "$release has no containerd of its own: take it from a repository"
fi`,
}

/** Otherwise the next upgrade of all packages restarts it under the pods. */
export const containerdHold: HostCheck = {
  id: 'containerd-hold',
  words: 'the package of containerd is held',
  probe: `
${containerdPackage}
[ -n "$package" ] || failed "there is no package of containerd"
if [ "$family" = debian ]; then
  held=$(apt-mark showhold)
  if grep -qx "$package" <<<"$held"; then passed "$package is held"; fi
  failed "$package is not held"
fi
if grep -qsx "exclude=$package" ${rpmFile}; then passed "${rpmFile} leaves it out"; fi
failed "${rpmFile} does not leave it out"`,
  apply: `
${containerdPackage}
[ -n "$package" ] || refuse "there is no package of containerd"
if [ "$family" = debian ]; then
  apt-mark hold "$package" >&2
else
  [ "$source" != distribution ] || refuse "$release has no containerd of its own: take it from a repository"
  [ -f ${rpmFile} ] || ${putRpmRepository.trim()}
  sed -i -e '/^exclude=/d' -e "/^gpgkey=/a exclude=$package" ${rpmFile}
fi`,
}
