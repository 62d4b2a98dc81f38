import type { HostCheck } from '../host-check.ts'

const keyring = '/etc/apt/keyrings/hcloud-talos-kubernetes.gpg'
const debFile = '/etc/apt/sources.list.d/hcloud-talos-kubernetes.list'
const rpmFile = '/etc/yum.repos.d/hcloud-talos-kubernetes.repo'
const packages = ['kubeadm', 'kubelet', 'kubectl']

/** What the file of the repository holds; there is one repository for each minor. */
const repositoryText = `
deb_line="deb [signed-by=${keyring}] $deb_url /"
rpm_text="[hcloud-talos-kubernetes]
name=Kubernetes
baseurl=$rpm_url
enabled=1
gpgcheck=1
gpgkey=$rpm_key
exclude=kubelet kubeadm kubectl cri-tools kubernetes-cni"`

/**
 * A key that ends soon is fetched again, once a day where there is no newer one: nothing can be installed with one that
 * has ended.
 */
export const kubernetesRepository: HostCheck = {
  id: 'kubernetes-repository',
  words:
    'the repository of this minor of Kubernetes is known, with a key that is valid, and for a month where there is such a key',
  probe: `
${repositoryText}
if [ "$family" != debian ]; then
  holds ${rpmFile} "$rpm_text" || failed "${rpmFile} is not as it should be"
  passed "$rpm_url"
fi
holds ${debFile} "$deb_line" || failed "${debFile} is not as it should be"
[ -f ${keyring} ] || failed "${keyring} is not there"
end_of_key() (
  home=$(mktemp -d)
  trap 'rm -rf -- "$home"' EXIT
  gpg --homedir "$home" --quiet --batch --show-keys --with-colons ${keyring} |
    awk -F: '$1 == "pub" { end = $7 == "" ? "never" : $7 } END { print end }'
)
end=$(end_of_key) || failed "${keyring} cannot be read"
[ -n "$end" ] || failed "${keyring} holds no key"
[ "$end" != never ] || passed "$deb_url"
now=$(date +%s)
[ "$end" -gt "$now" ] || failed "the key has ended on $(date -u -d "@$end" +%F)"
if [ "$end" -le "$((now + 30 * 86400))" ]; then
  fetched=$(stat -c %Y ${keyring})
  [ "$fetched" -gt "$((now - 86400))" ] || failed "the key ends on $(date -u -d "@$end" +%F)"
fi
passed "$deb_url, key until $(date -u -d "@$end" +%F)"`,
  apply: `
${repositoryText}
if [ "$family" = debian ]; then
  downloaded=$(mktemp)
  fetch "$deb_key" "$downloaded"
  gpg --batch --yes --dearmor --output "$downloaded.gpg" "$downloaded"
  put ${keyring} 644 <"$downloaded.gpg"
  rm -f -- "$downloaded" "$downloaded.gpg"
  printf '%s\\n' "$deb_line" | put ${debFile} 644
else
  printf '%s\\n' "$rpm_text" | put ${rpmFile} 644
fi`,
}

/** An upgrade has an order of its own, over all nodes. */
export const refuseOnNode = `
if is_joined && has kubelet; then
  refuse "this host is a node: another version of its kubelet is an upgrade of the cluster"
fi`

/** cri-tools and kubernetes-cni come along in the version that these need. */
export const kubernetesPackages: HostCheck = {
  id: 'kubernetes-packages',
  words: `${packages.join(', ')} are installed in the version of the cluster`,
  probe: `
wrong=
for package in ${packages.join(' ')}; do
  if [ "$family" = debian ]; then
    now=$(dpkg-query -W -f='\${db:Status-Status} \${Version}' "$package" 2>/dev/null || echo "none none")
    [ "\${now%% *}" = installed ] || now="none none"
    now=\${now#* }
  else
    now=$(rpm -q --queryformat '%{VERSION}-%{RELEASE}' "$package" 2>/dev/null || true)
    has "$package" || now=none
  fi
  [ "\${now%%-*}" = "$wanted" ] || wrong+=" $package=$now"
done
[ -z "$wrong" ] || failed "wanted is $wanted, found:$wrong"
passed "$wanted"`,
  apply: `
${refuseOnNode}
if [ "$family" = debian ]; then
  install_pinned "kubeadm=$wanted-*" "kubelet=$wanted-*" "kubectl=$wanted-*"
else
  dnf -q -y --disableexcludes=hcloud-talos-kubernetes install "kubeadm-$wanted" "kubelet-$wanted" "kubectl-$wanted" </dev/null >&2
fi`,
}

/** On hosts with dnf the file of the repository leaves them out. */
export const kubernetesHold: HostCheck = {
  id: 'kubernetes-hold',
  words: 'they are held, so that no upgrade of all packages changes them',
  probe: `
if [ "$family" != debian ]; then
  if grep -qsx 'exclude=kubelet kubeadm kubectl cri-tools kubernetes-cni' ${rpmFile}; then passed "left out by ${rpmFile}"; fi
  failed "${rpmFile} does not leave them out"
fi
held=$(apt-mark showhold)
free=
for package in ${packages.join(' ')}; do
  grep -qx "$package" <<<"$held" || free+=" $package"
done
[ -z "$free" ] || failed "not held:$free"
passed "held"`,
  apply: `
if [ "$family" = debian ]; then apt-mark hold ${packages.join(' ')} >&2; fi`,
}

/** Before init and join it starts and fails again and again, which is expected. */
export const kubeletEnabled: HostCheck = {
  id: 'kubelet-enabled',
  words: 'the kubelet starts at boot',
  probe: `
state=$(systemctl is-enabled kubelet 2>/dev/null || true)
[ "$state" = enabled ] || failed "\${state:-there is no such unit}"
passed "$state"`,
  apply: 'systemctl enable kubelet >&2',
}
