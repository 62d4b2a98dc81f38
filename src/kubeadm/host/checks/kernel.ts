import type { HostCheck } from '../host-check.ts'

export const cgroups: HostCheck = {
  id: 'cgroups',
  words: 'the host has cgroup v2',
  isPrecondition: true,
  probe: `
type=$(stat -fc %T /sys/fs/cgroup)
[ "$type" = cgroup2fs ] || failed "/sys/fs/cgroup is $type: boot with systemd.unified_cgroup_hierarchy=1"
passed "$type"`,
}

/** After an upgrade of the kernel its former modules are gone, and none of them can be loaded before a reboot. */
export const runningKernel: HostCheck = {
  id: 'running-kernel',
  words: 'the running kernel is one that is installed',
  isPrecondition: true,
  probe: `
kernel=$(uname -r)
[ -d "/lib/modules/$kernel" ] || failed "/lib/modules/$kernel is gone: reboot the host"
passed "$kernel"`,
}

const modulesFile = '/etc/modules-load.d/90-hcloud-talos.conf'
const modules = ['overlay', 'br_netfilter']

/** What is built in is in no list of loaded modules. */
export const kernelModules: HostCheck = {
  id: 'kernel-modules',
  words: `the modules ${modules.join(' and ')} are loaded, and are after a reboot`,
  probe: `
missing=
for module in ${modules.join(' ')}; do
  [ ! -d "/sys/module/$module" ] || continue
  if ! grep -qs "/$module\\.ko" "/lib/modules/$(uname -r)/modules.builtin"; then missing+=" $module"; fi
done
[ -z "$missing" ] || failed "not loaded:$missing"
holds ${modulesFile} '${modules.join('\n')}' || failed "${modulesFile} does not list them"
passed "loaded or built in"`,
  apply: `
printf '%s\\n' ${modules.join(' ')} | put ${modulesFile} 644
for module in ${modules.join(' ')}; do
  [ -d "/sys/module/$module" ] || modprobe -- "$module"
done`,
}

/** After 99-sysctl.conf, by which distributions bring in /etc/sysctl.conf. */
const sysctlFile = '/etc/sysctl.d/99-zz-hcloud-talos.conf'

/** The first three are for networks of pods, the others are what the kubelet and many pods on a node need. */
const exact: Readonly<Record<string, number>> = {
  'net.ipv4.ip_forward': 1,
  'net.bridge.bridge-nf-call-iptables': 1,
  'net.bridge.bridge-nf-call-ip6tables': 1,
  'vm.overcommit_memory': 1,
  'kernel.panic': 10,
}
/** A host that allows more keeps that. */
const atLeast: Readonly<Record<string, number>> = {
  'fs.inotify.max_user_instances': 8_192,
  'fs.inotify.max_user_watches': 1_048_576,
}
const linesOf = (values: Readonly<Record<string, number>>, relation: string) =>
  Object.entries(values).map(([key, value]) => `${key} ${relation} ${value}`)
const sysctlLines = [...linesOf(exact, '='), ...linesOf(atLeast, '>=')].join('\n')

/** The value of a setting that runs. */
const runningSysctl = `running() { cat -- "/proc/sys/\${1//.//}" 2>/dev/null || echo none; }`

/** Our file alone is applied, and each value is read back: `sysctl --system` hides the errors of one among many. */
export const sysctls: HostCheck = {
  id: 'sysctls',
  words: 'the settings of the kernel are as a node needs them, and are after a reboot',
  probe: `
${runningSysctl}
# A value, how it is compared, and with what.
fits() {
  case $2 in
    =) [ "$1" = "$3" ] ;;
    *) [[ $1 =~ ^[0-9]+$ ]] && [ "$1" -ge "$3" ] ;;
  esac
}
wrong=
unwritten=
while read -r key relation value; do
  now=$(running "$key")
  fits "$now" "$relation" "$value" || wrong+=" $key=$now"
  written=$(awk -v key="$key" '$1 == key { print $3 }' ${sysctlFile} 2>/dev/null || true)
  fits "$written" "$relation" "$value" || unwritten+=" $key"
done <<'END'
${sysctlLines}
END
[ -z "$wrong" ] || failed "differs:$wrong"
[ -z "$unwritten" ] || failed "${sysctlFile} does not have$unwritten"
passed "none differs"`,
  apply: `
${runningSysctl}
text=
while read -r key relation value; do
  now=$(running "$key")
  if [ "$relation" = '>=' ] && [[ $now =~ ^[0-9]+$ ]] && [ "$now" -gt "$value" ]; then value=$now; fi
  text+="$key = $value"$'\\n'
done <<'END'
${sysctlLines}
END
printf %s "$text" | put ${sysctlFile} 644
sysctl -q -p ${sysctlFile} >&2`,
}
