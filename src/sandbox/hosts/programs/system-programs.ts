/** They would change the network of this machine, which the hosts are in as well. */
const networkPrograms = [
  'iptables',
  'iptables-restore',
  'iptables-save',
  'ip6tables',
  'ip6tables-restore',
  'ip6tables-save',
  'ipset',
  'ipvsadm',
  'nft',
]

const powerPrograms = ['halt', 'poweroff', 'reboot', 'shutdown']

/** Stand-ins for what would change this machine, or is asked for what this machine is not. */
export const systemPrograms: Readonly<Record<string, string>> = {
  swapoff: `head -n1 /proc/swaps >"$state/swaps" && cat "$state/swaps" >/proc/swaps`,
  modprobe: `for module; do [ "$module" = -- ] || mkdir -p "/sys/module/$module"; done`,
  timedatectl: `
case "$*" in
  *CanNTP*) echo yes ;;
  *NTPSynchronized*) if [ -e "$state/clock" ]; then echo yes; else echo no; fi ;;
  'set-ntp true') touch "$state/clock" ;;
esac`,
  'cloud-init': `
if [ "$*" = "status --wait" ]; then rm -f "$state/first-boot"; exit 2; fi
if [ -e "$state/first-boot" ]; then echo "status: running"; else echo "status: done"; exit 2; fi`,
  // Who is root here already is so in a namespace of the host: the password is all that there is to check.
  sudo: `
prompt= asks=
while [ "$#" -gt 0 ]; do
  case $1 in
    -n) ;;
    -S) asks=yes ;;
    -p) prompt=$2; shift ;;
    --) shift; break ;;
    *) echo "sudo: unknown $1" >&2; exit 1 ;;
  esac
  shift
done
if [ -e "$state/no-sudo" ]; then echo "sudo: $(id -un) is not in the sudoers file." >&2; exit 1; fi
if [ -e "$state/sudo-password" ]; then
  if [ -z "$asks" ]; then echo "sudo: a password is required" >&2; exit 1; fi
  for _ in 1 2 3; do
    printf %s "$prompt" >&2
    IFS= read -r password || exit 1
    if [ "$password" = "$(cat "$state/sudo-password")" ]; then exec "$@"; fi
    echo "Sorry, try again." >&2
  done
  echo "sudo: 3 incorrect password attempts" >&2
  exit 1
fi
exec "$@"`,
  // The time of a host passes as fast as that of its world.
  sleep: `
speed=$(cat "$state/speed" 2>/dev/null || echo 1)
[[ $1 =~ ^[0-9]+$ ]] || exec /bin/sleep "$@"
printf -v seconds '%d.%03d' "$(($1 / speed))" "$(($1 * 1000 / speed % 1000))"
exec /bin/sleep "$seconds"`,
  date: `
for arg; do case $arg in -d* | --date*) exec /bin/date "$@" ;; esac; done
if [ -e "$state/clock-ahead" ]; then exec /bin/date -d "$(cat "$state/clock-ahead") seconds" "$@"; fi
exec /bin/date "$@"`,
  hostnamectl: `
case "$*" in
  'set-hostname '*) echo "$2" >/etc/hostname; hostname "$2" ;;
  *) echo "hostnamectl: unknown $*" >&2; exit 1 ;;
esac`,
  journalctl: `cat "$state/journal" 2>/dev/null || true`,
  ...Object.fromEntries(networkPrograms.map((name) => [name, 'true'])),
  ...Object.fromEntries(powerPrograms.map((name) => [name, `call_world ${name} "$@"`])),
}

/** Programs of the cluster's own: what they do is done in the world. */
export const worldPrograms: readonly string[] = ['ip', 'ctr']

/** The same, which come with packages. */
export const packagedWorldPrograms: readonly string[] = ['kubeadm', 'kubelet', 'crictl']
