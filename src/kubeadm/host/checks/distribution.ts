import { distributionNames } from '../distributions.ts'
import type { HostCheck } from '../host-check.ts'

export const distribution: HostCheck = {
  id: 'distribution',
  words: 'the distribution is one that is known',
  isPrecondition: true,
  probe: `
[ "$family" != other ] || failed "$release: known are ${distributionNames}"
case $(uname -m) in
  x86_64 | aarch64) passed "$release on $(uname -m)" ;;
  *) failed "$release on $(uname -m): known are x86_64 and aarch64" ;;
esac`,
}

/** Enforcing needs the policy of containers; it is not turned off. */
export const selinux: HostCheck = {
  id: 'selinux',
  words: 'SELinux knows containers, where it is enforced',
  probe: `
has getenforce || passed "there is no SELinux"
mode=$(getenforce)
[ "$mode" = Enforcing ] || passed "$mode"
if package=$(rpm -q container-selinux); then passed "$mode, $package"; fi
failed "$mode, $package"`,
  apply: 'install_packages container-selinux',
}

/** It gives addresses of interfaces rules of their own, behind which pods are not reached. */
export const cloudNetworkSetup: HostCheck = {
  id: 'nm-cloud-setup',
  words: 'nm-cloud-setup leaves the routes alone',
  probe: `
enabled=
for unit in nm-cloud-setup.service nm-cloud-setup.timer; do
  state=$(systemctl is-enabled -- "$unit" 2>/dev/null || true)
  case $state in enabled*) enabled+=" $unit" ;; esac
done
[ -z "$enabled" ] || failed "enabled:$enabled"
passed "it is not enabled"`,
  apply: 'systemctl disable --now nm-cloud-setup.service nm-cloud-setup.timer >&2',
}

/** Certificates are dated back by five minutes only. */
export const clock: HostCheck = {
  id: 'clock',
  words: 'the clock is set by NTP',
  probe: `
state=$(timedatectl show --property=NTPSynchronized --value)
[ "$state" = yes ] || failed "NTPSynchronized=$state"
passed "NTPSynchronized=$state"`,
  apply: `
if [ "$(timedatectl show --property=CanNTP --value)" != yes ]; then
  if [ "$family" = debian ]; then install_packages systemd-timesyncd; else install_packages chrony; fi
fi
timedatectl set-ntp true >&2
for _ in {1..60}; do
  [ "$(timedatectl show --property=NTPSynchronized --value)" != yes ] || break
  sleep 1
done`,
}
