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

const sysctlFile = '/etc/sysctl.d/99-hcloud-talos.conf'

/** The first three are for networks of pods, the others are what the kubelet and many pods on a node need. */
const values: Readonly<Record<string, number>> = {
  'net.ipv4.ip_forward': 1,
  'net.bridge.bridge-nf-call-iptables': 1,
  'net.bridge.bridge-nf-call-ip6tables': 1,
  'fs.inotify.max_user_instances': 8_192,
  'fs.inotify.max_user_watches': 1_048_576,
  'vm.overcommit_memory': 1,
  'kernel.panic': 10,
}
const sysctlText = Object.entries(values)
  .map(([key, value]) => `${key} = ${value}`)
  .join('\n')

/** Our file alone is applied, and each value is read back: `sysctl --system` hides the errors of one among many. */
export const sysctls: HostCheck = {
  id: 'sysctls',
  words: 'the settings of the kernel are as a node needs them, and are after a reboot',
  probe: `
wrong=
while read -r key _ value; do
  now=$(cat -- "/proc/sys/\${key//.//}" 2>/dev/null || echo none)
  [ "$now" = "$value" ] || wrong+=" $key=$now"
done <<'END'
${sysctlText}
END
[ -z "$wrong" ] || failed "differs:$wrong"
holds ${sysctlFile} '${sysctlText}' || failed "${sysctlFile} does not have them"
passed "none differs"`,
  apply: `
put ${sysctlFile} 644 <<'END'
${sysctlText}
END
sysctl -q -p ${sysctlFile} >&2`,
}
