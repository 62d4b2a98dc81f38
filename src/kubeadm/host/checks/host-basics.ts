import type { HostCheck } from '../host-check.ts'

/** Two hosts of one image have one id, and would be one node: `hostsWithOneId` compares what is seen. */
export const machineId: HostCheck = {
  id: 'machine-id',
  words: 'the host has an id of its own',
  isPrecondition: true,
  probe: `
id=$(cat /etc/machine-id)
[[ $id =~ ^[0-9a-f]{32}$ ]] || failed "/etc/machine-id holds no id: remove it and reboot"
passed "$id"`,
}

/** Exit code 2 of cloud-init is a warning of its own. */
export const firstBoot: HostCheck = {
  id: 'first-boot',
  words: 'cloud-init has ended',
  probe: `
has cloud-init || passed "there is no cloud-init"
status=$(cloud-init status 2>/dev/null || true)
case $status in
  *'status: running'* | *'status: not'*) failed "$status" ;;
  *'status: '*) passed "$status" ;;
esac
echo "cloud-init does not show its status: $status"`,
  apply: `
code=0
cloud-init status --wait >&2 || code=$?
case $code in
  0 | 2) ;;
  *) echo "cloud-init failed: see cloud-init status --long" >&2 ;;
esac`,
}

/** What kubeadm, the kubelet and networks of pods call, and what the later steps fetch keys and files with. */
export const containerTools: HostCheck = {
  id: 'tools',
  words: 'the programs that kubeadm and the kubelet call are installed',
  probe: `
missing=
for tool in losetup mount cp conntrack socat ethtool ip iptables curl gpg; do
  has "$tool" || missing+=" $tool"
done
roots=/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem
[ "$family" != debian ] || roots=/etc/ssl/certs/ca-certificates.crt
[ -e "$roots" ] || missing+=" ca-certificates"
[ -z "$missing" ] || failed "missing:$missing"
passed "all are there"`,
  apply: `
if [ "$family" = debian ]; then
  install_packages conntrack socat ethtool iproute2 iptables ebtables curl gpg ca-certificates
else
  install_packages conntrack-tools socat ethtool iproute iproute-tc iptables-nft gnupg2 ca-certificates
  has curl || install_packages curl
fi`,
}
