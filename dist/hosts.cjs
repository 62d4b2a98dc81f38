require('node:v8').setFlagsFromString('--optimize-for-size');
const bundleUrl = require('node:url').pathToFileURL(__filename).href;
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __knownSymbol = (name, symbol) => (symbol = Symbol[name]) ? symbol : /* @__PURE__ */ Symbol.for("Symbol." + name);
var __typeError = (msg) => {
  throw TypeError(msg);
};
var __esm = (fn, res, err) => function __init() {
  if (err) throw err[0];
  try {
    return fn && (res = (0, fn[__getOwnPropNames(fn)[0]])(fn = 0)), res;
  } catch (e) {
    throw err = [e], e;
  }
};
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key2 of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key2) && key2 !== except)
        __defProp(to, key2, { get: () => from[key2], enumerable: !(desc = __getOwnPropDesc(from, key2)) || desc.enumerable });
  }
  return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(
  // If the importer is in node compatibility mode or this is not an ESM
  // file that has been converted to a CommonJS file using a Babel-
  // compatible transform (i.e. "__esModule" has not been set), then set
  // "default" to the CommonJS "module.exports" for node compatibility.
  isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target,
  mod
));
var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);
var __using = (stack, value, async) => {
  if (value != null) {
    if (typeof value !== "object" && typeof value !== "function") __typeError("Object expected");
    var dispose, inner;
    if (async) dispose = value[__knownSymbol("asyncDispose")];
    if (dispose === void 0) {
      dispose = value[__knownSymbol("dispose")];
      if (async) inner = dispose;
    }
    if (typeof dispose !== "function") __typeError("Object not disposable");
    if (inner) dispose = function() {
      try {
        inner.call(this);
      } catch (e) {
        return Promise.reject(e);
      }
    };
    stack.push([async, dispose, value]);
  } else if (async) {
    stack.push([async]);
  }
  return value;
};
var __callDispose = (stack, error, hasError) => {
  var E = typeof SuppressedError === "function" ? SuppressedError : function(e, s, m, _) {
    return _ = Error(m), _.name = "SuppressedError", _.error = e, _.suppressed = s, _;
  };
  var fail = (e) => error = hasError ? new E(e, error, "An error was suppressed during disposal") : (hasError = true, e);
  var next = (it) => {
    while (it = stack.pop()) {
      try {
        var result = it[1] && it[1].call(it[2]);
        if (it[0]) return Promise.resolve(result).then(next, (e) => (fail(e), next()));
      } catch (e) {
        fail(e);
      }
    }
    if (hasError) throw error;
  };
  return next();
};

// part:src/plan/running-kubernetes.ts
var require_running_kubernetes = __commonJS({
  "part:src/plan/running-kubernetes.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/plan/running-kubernetes.ts"]();
  }
});

// src/kubeadm/cluster/found-cluster.ts
function knownNode({ inventory }, name) {
  return inventory?.nodes.find((node) => node.name === name);
}
function seenNode({ cluster }, name) {
  return cluster?.nodes.find((node) => node.name === name);
}
function standingOf(found, name) {
  const { membership } = knownNode(found, name)?.host ?? {};
  if (membership === "leaving") return "leaving";
  const isKnown = membership === "member" || seenNode(found, name) !== void 0;
  if (isKnown && isOtherMachine(found, name)) return "lost";
  const host = found.hosts.get(name);
  const wasReset = isKnown && host !== void 0 && !host.traces.hasKubeletConf;
  if (membership === "joining") {
    return !wasReset && isComplete(found, name) ? "member" : "begun";
  }
  return wasReset ? "lost" : standingByCluster(found, name);
}
function isOtherMachine(found, name) {
  const host = found.hosts.get(name);
  if (host === void 0 || host.machineId === "") return false;
  const former = [knownNode(found, name)?.host?.machineId, seenNode(found, name)?.machineId];
  return former.some((id) => id !== void 0 && id !== "" && id !== host.machineId);
}
function standingByCluster(found, name) {
  const wasMember = knownNode(found, name)?.host?.membership === "member";
  if (found.cluster === void 0) return wasMember ? "member" : "none";
  if (seenNode(found, name) !== void 0) return "member";
  return wasMember && found.inventory?.bootstrapped ? "unregistered" : "none";
}
function isComplete(found, name) {
  const { cluster } = found;
  const node = seenNode(found, name);
  if (cluster === void 0 || cluster.configuration === void 0 || node === void 0) {
    return false;
  }
  const isControlPlane3 = node.isControlPlane || knownNode(found, name)?.role === "control-plane";
  if (!isControlPlane3) return true;
  return node.isControlPlane && cluster.members.some((one) => one.name === name && !one.isLearner);
}
function isMember(found, name) {
  return ["member", "unregistered"].includes(standingOf(found, name));
}
function runningRole(found, name) {
  const node = seenNode(found, name);
  if (node !== void 0) return node.isControlPlane ? "control-plane" : "worker";
  return knownNode(found, name)?.role;
}
function knownNames({ inventory, hosts }) {
  const names = [...(inventory?.nodes ?? []).map(({ name }) => name), ...hosts.keys()];
  return [...new Set(names)].sort();
}
function runningKubernetes(found) {
  const servers2 = knownNames(found).filter((name) => isMember(found, name) && runningRole(found, name) === "control-plane").flatMap((name) => found.hosts.get(name)?.traces.staticPods["kube-apiserver"] ?? []);
  const written = found.cluster?.configuration?.["kubernetesVersion"];
  const configured = typeof written === "string" ? written.replace(/^v/, "") : void 0;
  const remembered = (found.inventory?.nodes ?? []).filter(({ role }) => role === "control-plane").map((node) => node.components?.["kube-apiserver"] ?? node.kubernetesVersion);
  return (0, import_running_kubernetes.oldestVersion)(servers2) ?? configured ?? (0, import_running_kubernetes.oldestVersion)(remembered);
}
var import_running_kubernetes;
var init_found_cluster = __esm({
  "src/kubeadm/cluster/found-cluster.ts"() {
    "use strict";
    import_running_kubernetes = __toESM(require_running_kubernetes(), 1);
  }
});

// part:src/spec/hosts/api-server-port.ts
var require_api_server_port = __commonJS({
  "part:src/spec/hosts/api-server-port.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/hosts/api-server-port.ts"]();
  }
});

// src/kubeadm/config/control-plane-endpoint.ts
function endpointHost({ kubeadm: { endpoint } }) {
  return endpoint.type === "virtualIp" ? endpoint.address : endpoint.host;
}
function endpointPort({ kubeadm: { endpoint } }) {
  return endpoint.type === "virtualIp" ? import_api_server_port.apiServerPort : endpoint.port;
}
function controlPlaneEndpoint(spec) {
  return `${endpointHost(spec)}:${endpointPort(spec)}`;
}
var import_api_server_port;
var init_control_plane_endpoint = __esm({
  "src/kubeadm/config/control-plane-endpoint.ts"() {
    "use strict";
    import_api_server_port = __toESM(require_api_server_port(), 1);
  }
});

// src/kubeadm/host/checks/gpu.ts
var gpuChecks;
var init_gpu = __esm({
  "src/kubeadm/host/checks/gpu.ts"() {
    "use strict";
    gpuChecks = [
      {
        id: "gpu-driver",
        words: "the driver of NVIDIA is loaded and sees a GPU",
        probe: `
[ -r /proc/driver/nvidia/version ] || failed "the driver is not loaded: install it, then reboot"
has nvidia-smi || failed "nvidia-smi is not installed"
gpus=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader) || failed "nvidia-smi: $gpus"
[ -n "$gpus" ] || failed "nvidia-smi lists no GPU"
passed "$gpus"`
      },
      {
        id: "gpu-toolkit",
        words: "the container toolkit of NVIDIA is installed",
        probe: `
has nvidia-ctk || failed "nvidia-ctk is not installed: install nvidia-container-toolkit"
passed "$(nvidia-ctk --version | head -n1)"`
      },
      {
        id: "gpu-runtime",
        words: "containerd has the runtime nvidia, and not as its default",
        probe: `
files=$(grep -lsE 'runtimes[.]"?nvidia"?[].]' /etc/containerd/conf.d/*.toml || true)
[ -n "$files" ] || failed "no file of /etc/containerd/conf.d has it: nvidia-ctk runtime configure --runtime=containerd --config-source=file"
while read -r file; do
  if grep -qE 'default_runtime_name[[:space:]]*=[[:space:]]*["'"'"']nvidia' "$file"; then failed "$file makes it the default"; fi
done <<<"$files"
passed "$files"`
      }
    ];
  }
});

// src/kubeadm/host/distributions.ts
function distributionCases() {
  return distributions.map(({ id, versions, family, docker }) => {
    const patterns = versions.flatMap((version) => [`'${id} ${version}'`, `'${id} ${version}.'*`]);
    return `  ${patterns.join(" | ")}) family=${family} docker=${docker} ;;`;
  }).join("\n");
}
var distributions, distributionNames;
var init_distributions = __esm({
  "src/kubeadm/host/distributions.ts"() {
    "use strict";
    distributions = [
      { id: "debian", versions: ["12", "13"], family: "debian", docker: "debian" },
      { id: "ubuntu", versions: ["22.04", "24.04", "26.04"], family: "debian", docker: "ubuntu" },
      { id: "rhel", versions: ["9", "10"], family: "rhel", docker: "rhel" },
      { id: "centos", versions: ["9", "10"], family: "rhel", docker: "centos" },
      { id: "rocky", versions: ["9", "10"], family: "rhel", docker: "rhel" },
      { id: "almalinux", versions: ["9", "10"], family: "rhel", docker: "rhel" }
    ];
    distributionNames = "Debian 12 and 13, Ubuntu 22.04 to 26.04, RHEL, CentOS Stream, Rocky and AlmaLinux 9 and 10";
  }
});

// src/kubeadm/host/checks/distribution.ts
var distribution, selinux, cloudNetworkSetup, clock;
var init_distribution = __esm({
  "src/kubeadm/host/checks/distribution.ts"() {
    "use strict";
    init_distributions();
    distribution = {
      id: "distribution",
      words: "the distribution is one that is known",
      isPrecondition: true,
      probe: `
[ "$family" != other ] || failed "$release: known are ${distributionNames}"
case $(uname -m) in
  x86_64 | aarch64) passed "$release on $(uname -m)" ;;
  *) failed "$release on $(uname -m): known are x86_64 and aarch64" ;;
esac`
    };
    selinux = {
      id: "selinux",
      words: "SELinux knows containers, where it is enforced",
      probe: `
has getenforce || passed "there is no SELinux"
mode=$(getenforce)
[ "$mode" = Enforcing ] || passed "$mode"
if package=$(rpm -q container-selinux); then passed "$mode, $package"; fi
failed "$mode, $package"`,
      apply: "install_packages container-selinux"
    };
    cloudNetworkSetup = {
      id: "nm-cloud-setup",
      words: "nm-cloud-setup leaves the routes alone",
      probe: `
enabled=
for unit in nm-cloud-setup.service nm-cloud-setup.timer; do
  state=$(systemctl is-enabled -- "$unit" 2>/dev/null || true)
  case $state in enabled*) enabled+=" $unit" ;; esac
done
[ -z "$enabled" ] || failed "enabled:$enabled"
passed "it is not enabled"`,
      apply: "systemctl disable --now nm-cloud-setup.service nm-cloud-setup.timer >&2"
    };
    clock = {
      id: "clock",
      words: "the clock is set by NTP",
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
done`
    };
  }
});

// src/kubeadm/config/kubeadm-paths.ts
var kubeadmApi, criSocket, kubernetesFolder, kubeVipFile, markFile, patchesFolder, firewallFile, kubeletConfigFile, kubeletFlagsFile, stoppedFolder;
var init_kubeadm_paths = __esm({
  "src/kubeadm/config/kubeadm-paths.ts"() {
    "use strict";
    kubeadmApi = "kubeadm.k8s.io/v1beta4";
    criSocket = "unix:///var/run/containerd/containerd.sock";
    kubernetesFolder = "/etc/kubernetes";
    kubeVipFile = `${kubernetesFolder}/manifests/kube-vip.yaml`;
    markFile = "/var/lib/hcloud-talos/cluster.json";
    patchesFolder = `${kubernetesFolder}/patches`;
    firewallFile = "/var/lib/hcloud-talos/firewall";
    kubeletConfigFile = "/var/lib/kubelet/config.yaml";
    kubeletFlagsFile = "/var/lib/kubelet/kubeadm-flags.env";
    stoppedFolder = `${kubernetesFolder}/hcloud-talos-stopped`;
  }
});

// src/kubeadm/host/checks/firewall.ts
var firewalls, allow, firewall, forgetSource;
var init_firewall = __esm({
  "src/kubeadm/host/checks/firewall.ts"() {
    "use strict";
    init_kubeadm_paths();
    firewalls = `
uses_firewalld() { has firewall-cmd && firewall-cmd --state >/dev/null 2>&1; }
uses_ufw() { has ufw && [[ $(ufw status) == 'Status: active'* ]]; }
has_rule() { grep -Eq "^ufw $1( comment .*)?$" <<<"$rules"; }
lets_in() {
  if [ "$firewall" = firewalld ]; then
    firewall-cmd -q --zone=trusted --query-source="$1" && firewall-cmd -q --permanent --zone=trusted --query-source="$1"
  else
    has_rule "allow from $1" && { [ "$1" != "$pods" ] || { has_rule "route allow from $1" && has_rule "route allow to $1"; }; }
  fi
}
firewall=none
if uses_firewalld; then firewall=firewalld; elif uses_ufw; then firewall=ufw; fi
rules=
[ "$firewall" != ufw ] || rules=$(ufw show added)
`;
    allow = `
allow() {
  if [ "$firewall" = firewalld ]; then
    firewall-cmd -q --zone=trusted --add-source="$1" && firewall-cmd -q --permanent --zone=trusted --add-source="$1"
    return
  fi
  ufw allow from "$1" comment hcloud-talos >&2
  if [ "$1" = "$pods" ]; then
    ufw route allow from "$1" comment hcloud-talos >&2
    ufw route allow to "$1" comment hcloud-talos >&2
  fi
}
`;
    firewall = {
      id: "firewall",
      words: "its firewall lets the nodes of the cluster and their pods in",
      probe: `
${firewalls}
[ "$firewall" != none ] || passed "neither ufw nor firewalld is active"
missing=
for source in "$pods" "\${rest[@]}"; do
  lets_in "$source" || missing+=" $source"
done
[ -z "$missing" ] || failed "$firewall does not let in:$missing"
passed "$firewall lets them in"`,
      apply: `
${firewalls}
${allow}
mkdir -p -- "$(dirname -- ${firewallFile})"
for source in "$pods" "\${rest[@]}"; do
  # One that somebody else let in stays when its node goes.
  lets_in "$source" || { allow "$source"; printf '%s\\n' "$source" >>${firewallFile}; }
done`
    };
    forgetSource = `forget_source() {
  grep -Fxqs -- "$1" ${firewallFile} || return 0
  if command -v firewall-cmd >/dev/null && firewall-cmd --state >/dev/null 2>&1; then
    firewall-cmd -q --zone=trusted --remove-source="$1" || true
    firewall-cmd -q --permanent --zone=trusted --remove-source="$1" || true
  fi
  if command -v ufw >/dev/null; then
    ufw delete allow from "$1" >/dev/null 2>&1 || true
    ufw route delete allow from "$1" >/dev/null 2>&1 || true
    ufw route delete allow to "$1" >/dev/null 2>&1 || true
  fi
}`;
  }
});

// src/kubeadm/host/checks/host-basics.ts
var machineId, firstBoot, containerTools;
var init_host_basics = __esm({
  "src/kubeadm/host/checks/host-basics.ts"() {
    "use strict";
    machineId = {
      id: "machine-id",
      words: "the host has an id of its own",
      isPrecondition: true,
      probe: `
id=$(cat /etc/machine-id)
[[ $id =~ ^[0-9a-f]{32}$ ]] || failed "/etc/machine-id holds no id: remove it and reboot"
passed "$id"`
    };
    firstBoot = {
      id: "first-boot",
      words: "cloud-init has ended",
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
esac`
    };
    containerTools = {
      id: "tools",
      words: "the programs that kubeadm and the kubelet call are installed",
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
fi`
    };
  }
});

// src/kubeadm/host/checks/kernel.ts
var cgroups, runningKernel, modulesFile, modules, kernelModules, sysctlFile, exact, atLeast, linesOf, sysctlLines, runningSysctl, sysctls;
var init_kernel = __esm({
  "src/kubeadm/host/checks/kernel.ts"() {
    "use strict";
    cgroups = {
      id: "cgroups",
      words: "the host has cgroup v2",
      isPrecondition: true,
      probe: `
type=$(stat -fc %T /sys/fs/cgroup)
[ "$type" = cgroup2fs ] || failed "/sys/fs/cgroup is $type: boot with systemd.unified_cgroup_hierarchy=1"
passed "$type"`
    };
    runningKernel = {
      id: "running-kernel",
      words: "the running kernel is one that is installed",
      isPrecondition: true,
      probe: `
kernel=$(uname -r)
[ -d "/lib/modules/$kernel" ] || failed "/lib/modules/$kernel is gone: reboot the host"
passed "$kernel"`
    };
    modulesFile = "/etc/modules-load.d/90-hcloud-talos.conf";
    modules = ["overlay", "br_netfilter"];
    kernelModules = {
      id: "kernel-modules",
      words: `the modules ${modules.join(" and ")} are loaded, and are after a reboot`,
      probe: `
missing=
for module in ${modules.join(" ")}; do
  [ ! -d "/sys/module/$module" ] || continue
  if ! grep -qs "/$module\\.ko" "/lib/modules/$(uname -r)/modules.builtin"; then missing+=" $module"; fi
done
[ -z "$missing" ] || failed "not loaded:$missing"
holds ${modulesFile} '${modules.join("\n")}' || failed "${modulesFile} does not list them"
passed "loaded or built in"`,
      apply: `
printf '%s\\n' ${modules.join(" ")} | put ${modulesFile} 644
for module in ${modules.join(" ")}; do
  [ -d "/sys/module/$module" ] || modprobe -- "$module"
done`
    };
    sysctlFile = "/etc/sysctl.d/99-zz-hcloud-talos.conf";
    exact = {
      "net.ipv4.ip_forward": 1,
      "net.bridge.bridge-nf-call-iptables": 1,
      "net.bridge.bridge-nf-call-ip6tables": 1,
      "vm.overcommit_memory": 1,
      "kernel.panic": 10
    };
    atLeast = {
      "fs.inotify.max_user_instances": 8192,
      "fs.inotify.max_user_watches": 1048576
    };
    linesOf = (values, relation) => Object.entries(values).map(([key2, value]) => `${key2} ${relation} ${value}`);
    sysctlLines = [...linesOf(exact, "="), ...linesOf(atLeast, ">=")].join("\n");
    runningSysctl = `running() { cat -- "/proc/sys/\${1//.//}" 2>/dev/null || echo none; }`;
    sysctls = {
      id: "sysctls",
      words: "the settings of the kernel are as a node needs them, and are after a reboot",
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
sysctl -q -p ${sysctlFile} >&2`
    };
  }
});

// src/kubeadm/host/checks/swap.ts
var swap;
var init_swap = __esm({
  "src/kubeadm/host/checks/swap.ts"() {
    "use strict";
    swap = {
      id: "swap",
      words: "swap is off, and stays off after a reboot",
      probe: `
seen=
active=$(awk 'NR > 1 { print $1 }' /proc/swaps | paste -sd' ')
[ -z "$active" ] || seen+="in use: $active; "
listed=
[ ! -e /etc/fstab ] || listed=$(awk '!/^[[:space:]]*#/ && $3 == "swap" { print $1 }' /etc/fstab | paste -sd' ')
[ -z "$listed" ] || seen+="in /etc/fstab: $listed; "
units=$(systemctl list-units --all --type=swap --plain --no-legend |
  awk '$2 != "masked" && $2 != "not-found" { print $1 }' | paste -sd' ')
[ -z "$units" ] || seen+="units: $units; "
for file in {/etc,/run,/usr/local/lib,/usr/lib}/systemd/zram-generator.conf; do
  [ -e "$file" ] || continue
  if grep -q '^[[:space:]]*\\[zram' -- "$file"; then seen+="zram by $file; "; fi
  break
done
[ -z "$seen" ] || failed "\${seen%; }"
passed "there is none"`,
      apply: `
if is_joined && [ "$(wc -l </proc/swaps)" -gt 1 ]; then
  refuse "pods run on this node, and swap may hold their memory: it is turned off when the node is drained"
fi
mapfile -t units < <(systemctl list-units --all --type=swap --plain --no-legend |
  awk '$2 != "masked" && $2 != "not-found" { print $1 }')
swapoff -a
if [ -f /etc/fstab ]; then
  mode=$(stat -c %a /etc/fstab)
  text=$(awk '!/^[[:space:]]*#/ && $3 == "swap" { print "# hcloud-talos: " $0; next } { print }' /etc/fstab)
  holds /etc/fstab "$text" || printf '%s\\n' "$text" | put /etc/fstab "$mode"
fi
zram=/etc/systemd/zram-generator.conf
if [ ! -e "$zram" ]; then
  for file in {/run,/usr/local/lib,/usr/lib}/systemd/zram-generator.conf; do
    [ -e "$file" ] || continue
    echo '# hcloud-talos: no swap in memory' | put "$zram" 644
    break
  done
elif grep -q '^[[:space:]]*\\[zram' -- "$zram"; then
  mode=$(stat -c %a "$zram")
  sed -E '/^[[:space:]]*([#;]|$)/!s/^/# hcloud-talos: /' "$zram" | put "$zram" "$mode"
fi
systemctl daemon-reload
[ "\${#units[@]}" -eq 0 ] || systemctl mask --now -- "\${units[@]}" >&2`
    };
  }
});

// src/kubeadm/host/os-ready.ts
function osReady(options) {
  return { ...firewallStep(options), checks: osChecks };
}
function firewallStep({ podRange, nodes: nodes2 }) {
  return { id: "os_ready", parameters: ["pods"], args: [podRange, ...nodes2], checks: [firewall] };
}
var osChecks;
var init_os_ready = __esm({
  "src/kubeadm/host/os-ready.ts"() {
    "use strict";
    init_distribution();
    init_firewall();
    init_host_basics();
    init_kernel();
    init_swap();
    osChecks = [
      distribution,
      cgroups,
      runningKernel,
      machineId,
      firstBoot,
      containerTools,
      swap,
      kernelModules,
      sysctls,
      selinux,
      firewall,
      cloudNetworkSetup,
      clock
    ];
  }
});

// src/kubeadm/host/failed-checks.ts
function failedChecks(evidence) {
  const failed = evidence.filter(({ state }) => state === "failed").toSorted(byCheck);
  return {
    byApply: failed.filter(({ check }) => !forPeople.has(check)),
    byPeople: failed.filter(({ check }) => forPeople.has(check)),
    unknown: evidence.filter(({ state }) => state === "unknown").toSorted(byCheck)
  };
}
function byCheck(a, b) {
  return a.check < b.check ? -1 : 1;
}
var forPeople;
var init_failed_checks = __esm({
  "src/kubeadm/host/failed-checks.ts"() {
    "use strict";
    init_gpu();
    init_os_ready();
    forPeople = new Set(
      [...osChecks, ...gpuChecks].filter(({ apply, isPrecondition }) => isPrecondition || apply === void 0).map(({ id }) => id)
    );
  }
});

// part:src/planner/cluster-status.ts
var require_cluster_status = __commonJS({
  "part:src/planner/cluster-status.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/planner/cluster-status.ts"]();
  }
});

// src/planner/kubeadm/found-in-view.ts
function foundIn({ generation, hosts, cluster }) {
  const seen = [...hosts.entries()].flatMap(
    ([name, look3]) => look3.kind === "seen" ? [[name, look3.host]] : []
  );
  return { inventory: generation?.inventory, hosts: new Map(seen), cluster };
}
function firstControlPlane(view) {
  const found = foundIn(view);
  if (found.inventory?.bootstrapped) return void 0;
  const names = view.spec.hosts.filter(({ name, role }) => role === "control-plane" && found.hosts.has(name)).map(({ name }) => name).toSorted(byName);
  const isStarted = (name) => !["none", "leaving"].includes(standingOf(found, name));
  return names.find(isStarted) ?? names[0];
}
function byName(a, b) {
  return a.localeCompare(b, "en", { numeric: true });
}
function replacedHosts(view, asked) {
  const found = foundIn(view);
  const names = view.spec.hosts.map(({ name }) => name).filter((name) => found.hosts.has(name));
  return new Map([
    ...names.filter((name) => standingOf(found, name) === "leaving").map((name) => [name, "its removal was started"]),
    ...names.filter((name) => asked.includes(name)).map((name) => [name, "its replacement was asked for"])
  ]);
}
var init_found_in_view = __esm({
  "src/planner/kubeadm/found-in-view.ts"() {
    "use strict";
    init_found_cluster();
  }
});

// src/planner/kubeadm/describe-cluster.ts
function describeEndpoint({ spec }) {
  return `https://${controlPlaneEndpoint(spec)}`;
}
function describeNodes(view) {
  const { nodes: nodes2, generation } = view;
  const found = foundIn(view);
  const asked = new Set(nodes2.map(({ name }) => name));
  const former = (generation?.inventory.nodes ?? []).filter(({ name }) => !asked.has(name));
  return [...nodes2, ...former].map((node) => describeNode(node, view, found));
}
function describeNode({ name, role, pool, privateIp }, view, found) {
  const { traces } = found.hosts.get(name) ?? {};
  const node = seenNode(found, name);
  const { kubelet, containerd } = traces?.versions ?? {};
  const version = node?.kubeletVersion ?? kubelet;
  const ends = traces?.certificatesEnd;
  return {
    name,
    role,
    pool,
    address: addressOf(view, name),
    internalAddress: privateIp,
    machine: describeHost(found, name),
    system: containerd === void 0 ? null : `containerd ${containerd}`,
    kubernetes: version === void 0 ? null : (0, import_cluster_status.withV)(version),
    ready: node?.isReady ?? null,
    because: whyNot(view, name),
    cordonedBy: node?.cordonedBy ?? null,
    certificatesEnd: ends === void 0 ? null : new Date(ends).toISOString()
  };
}
function addressOf({ spec, generation }, name) {
  const inFile = spec.hosts.find((host) => host.name === name);
  const known = generation?.inventory.nodes.find((node) => node.name === name);
  return inFile?.address ?? known?.host?.address ?? null;
}
function describeHost(found, name) {
  const host = found.hosts.get(name);
  return {
    kind: "host",
    state: host === void 0 ? "unreached" : "running",
    id: host?.machineId ?? knownNode(found, name)?.host?.machineId ?? null,
    type: host?.traces.arch ?? null,
    place: null
  };
}
function whyNot(view, name) {
  const look3 = view.hosts.get(name);
  if (!view.spec.hosts.some((host) => host.name === name)) {
    return "the file does not ask for it any more";
  }
  if (look3?.kind !== "seen") return `it is not reached: ${look3?.because ?? "nobody looked"}`;
  const found = foundIn(view);
  const standing = standings[standingOf(found, name)];
  if (standing !== void 0) return standing;
  const notReady = seenNode(found, name)?.notReadyBecause;
  if (notReady !== void 0) return notReady;
  const { byApply, byPeople } = failedChecks(look3.host.evidence);
  const [check] = [...byPeople, ...byApply];
  return check === void 0 ? null : `${check.check}: ${check.seen}`;
}
var import_cluster_status, standings;
var init_describe_cluster = __esm({
  "src/planner/kubeadm/describe-cluster.ts"() {
    "use strict";
    init_found_cluster();
    init_control_plane_endpoint();
    init_failed_checks();
    import_cluster_status = __toESM(require_cluster_status(), 1);
    init_found_in_view();
    standings = {
      none: "it is no node yet",
      begun: "what makes it a node was started and did not end",
      unregistered: "its kubelet runs, and Kubernetes does not know it",
      lost: "its host is not that node any more",
      leaving: "its removal was started"
    };
  }
});

// part:src/run/named-secrets.ts
var require_named_secrets = __commonJS({
  "part:src/run/named-secrets.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/named-secrets.ts"]();
  }
});

// part:src/run/state-session.ts
var require_state_session = __commonJS({
  "part:src/run/state-session.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/state-session.ts"]();
  }
});

// part:src/ssh/host-key.ts
var require_host_key = __commonJS({
  "part:src/ssh/host-key.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/ssh/host-key.ts"]();
  }
});

// part:src/ssh/ssh-pool.ts
var require_ssh_pool = __commonJS({
  "part:src/ssh/ssh-pool.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/ssh/ssh-pool.ts"]();
  }
});

// part:src/lib/cluster-error.ts
var require_cluster_error = __commonJS({
  "part:src/lib/cluster-error.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/cluster-error.ts"]();
  }
});

// part:src/spec/secret-reference.ts
var require_secret_reference = __commonJS({
  "part:src/spec/secret-reference.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/secret-reference.ts"]();
  }
});

// src/run/kubeadm/secret-sources.ts
async function resolveLogin(key2, host, surroundings) {
  const { environment } = surroundings;
  if (key2.from === "agent") {
    const agent = environment["SSH_AUTH_SOCK"];
    if (!agent) {
      throw missing(
        host,
        "no SSH agent answers",
        "Start ssh-agent and load the key, or name a key file or a variable under ssh.key in the cluster file."
      );
    }
    return { agent, ...key2.publicKey !== void 0 && { publicKey: key2.publicKey } };
  }
  const privateKey = key2.from === "file" ? await readKeyFile(key2.path, host, surroundings) : given(environment, key2.variable, `the private key for ${host}`, host);
  if (key2.passphrase === void 0) return { privateKey };
  const passphrase = await resolveSecret(
    key2.passphrase,
    `the passphrase of the key for ${host}`,
    host,
    surroundings
  );
  return { privateKey, passphrase };
}
async function resolveSecret(source, what, host, { environment, namedSecrets }) {
  if (source.from === "environment") return given(environment, source.variable, what, host);
  const value = environment[(0, import_secret_reference.secretVariable)(source.name)] ?? (await namedSecrets()).get(source.name);
  if (value) return value;
  throw missing(
    host,
    `${what} is the secret ${source.name}, which nobody has set`,
    `Set it with \`hcloud-talos secret set ${source.name}\`.`
  );
}
function given(environment, variable, what, host) {
  const value = environment[variable];
  if (value) return value;
  throw missing(
    host,
    `${what} is in the variable ${variable}, which is not set`,
    `Set ${variable} in the environment of this run; in a workflow pass a secret as env.`
  );
}
async function readKeyFile(path, host, { filePath }) {
  const own = path.startsWith("~/") ? (0, import_node_path.resolve)((0, import_node_os.homedir)(), path.slice(2)) : (0, import_node_path.resolve)((0, import_node_path.dirname)(filePath), path);
  try {
    return await (0, import_promises.readFile)(own, "utf8");
  } catch (cause) {
    throw missing(
      host,
      `the private key ${path} cannot be read`,
      "Check the path: it is relative to the folder of the cluster file, and ~ is the home of whoever runs this.",
      cause
    );
  }
}
function missing(host, message, hint, cause) {
  return new import_cluster_error.ClusterError("ssh-key-unreadable", message, {
    operation: "connect by SSH",
    target: host,
    hint,
    cause
  });
}
var import_promises, import_node_os, import_node_path, import_cluster_error, import_secret_reference;
var init_secret_sources = __esm({
  "src/run/kubeadm/secret-sources.ts"() {
    "use strict";
    import_promises = require("node:fs/promises");
    import_node_os = require("node:os");
    import_node_path = require("node:path");
    import_cluster_error = __toESM(require_cluster_error(), 1);
    import_secret_reference = __toESM(require_secret_reference(), 1);
  }
});

// src/run/kubeadm/host-connections.ts
function pinOf(rule, recorded) {
  if (rule.type === "pinned") return import_host_key.HostKeyPin.of(rule.key);
  return recorded === void 0 ? import_host_key.HostKeyPin.firstContact() : import_host_key.HostKeyPin.of(recorded);
}
var import_host_key, import_ssh_pool, HostConnections;
var init_host_connections = __esm({
  "src/run/kubeadm/host-connections.ts"() {
    "use strict";
    import_host_key = __toESM(require_host_key(), 1);
    import_ssh_pool = __toESM(require_ssh_pool(), 1);
    init_secret_sources();
    HostConnections = class {
      #pool;
      #surroundings;
      #remotes = /* @__PURE__ */ new Map();
      /** By what they are: all hosts behind one jump host share its connection. */
      #jumps = /* @__PURE__ */ new Map();
      #requests = 0;
      constructor(options, surroundings) {
        this.#pool = new import_ssh_pool.SshPool({
          ...options,
          onRequest: () => {
            this.#requests += 1;
          }
        });
        this.#surroundings = surroundings;
      }
      /** Throws `ssh-key-unreadable` where what its login names is not there, `ssh-host-key` for a pin that is none. */
      to(host) {
        const known = this.#remotes.get(host.name);
        if (known !== void 0) return known;
        const made = this.#make(host);
        this.#remotes.set(host.name, made);
        made.catch(() => this.#remotes.delete(host.name));
        return made;
      }
      /** How many scripts were started on hosts so far, and streams opened through them. */
      get requests() {
        return this.#requests;
      }
      async [Symbol.asyncDispose]() {
        await this.#pool[Symbol.asyncDispose]();
      }
      async #make({ name, address, login: login2, recordedKey }) {
        const { user, port, key: key2, hostKey: hostKey2, sudo, jump } = login2;
        const through = jump === void 0 ? void 0 : await this.#jump(jump);
        return this.#pool.host({
          name,
          address,
          port,
          user,
          login: await resolveLogin(key2, name, this.#surroundings),
          hostKey: pinOf(hostKey2, recordedKey),
          ...through && { jump: through },
          ...await this.#sudoOf(sudo, name)
        });
      }
      #jump(jump) {
        const id = JSON.stringify(jump);
        const known = this.#jumps.get(id);
        if (known !== void 0) return known;
        const name = `the jump host ${jump.address}`;
        const made = resolveLogin(jump.key, name, this.#surroundings).then((login2) => ({
          name,
          address: jump.address,
          port: jump.port,
          user: jump.user,
          login: login2,
          hostKey: pinOf(jump.hostKey, void 0)
        }));
        this.#jumps.set(id, made);
        made.catch(() => this.#jumps.delete(id));
        return made;
      }
      async #sudoOf(sudo, name) {
        if (sudo.type === "none") return {};
        if (sudo.type === "passwordless") return { sudo: {} };
        const what = `the password of sudo on ${name}`;
        const password = await resolveSecret(sudo.password, what, name, this.#surroundings);
        return { sudo: { password } };
      }
    };
  }
});

// src/run/kubeadm/connect-hosts.ts
function connectHosts({ clock: clock2, redactor, signal, state }, { filePath, namedSecrets, withinMs: withinMs5 }) {
  return new HostConnections(
    { clock: clock2, redactor, signal, connectWithinMs: withinMs5 },
    { environment: state.environment, filePath, namedSecrets }
  );
}
var init_connect_hosts = __esm({
  "src/run/kubeadm/connect-hosts.ts"() {
    "use strict";
    init_host_connections();
  }
});

// part:src/run/kubeadm/read-hosts-file.ts
var require_read_hosts_file = __commonJS({
  "part:src/run/kubeadm/read-hosts-file.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/kubeadm/read-hosts-file.ts"]();
  }
});

// src/run/kubeadm/hosts-session.ts
async function openHostsSession(context, file, options = {}) {
  const { spec, findings } = (0, import_read_hosts_file.readHostsFile)(file);
  let session;
  const { clock: clock2, calendar, random, redactor } = context;
  const connect2 = (signal) => ({
    tools: { clock: clock2, calendar, random, redactor },
    hosts: connectHosts(
      { ...context, signal },
      {
        filePath: file.path,
        withinMs: spec.kubeadm.timeoutMinutes.connect * 6e4,
        namedSecrets: () => session ? (0, import_named_secrets.readKept)(session.store) : Promise.resolve(/* @__PURE__ */ new Map())
      }
    )
  });
  const opened = await (0, import_state_session.openStateSession)(
    context,
    { mode: import_read_hosts_file.kubeadmName, file, spec, findings },
    connect2,
    options
  );
  session = {
    ...opened,
    async [Symbol.asyncDispose]() {
      await opened.hosts[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    }
  };
  return session;
}
var import_named_secrets, import_state_session, import_read_hosts_file;
var init_hosts_session = __esm({
  "src/run/kubeadm/hosts-session.ts"() {
    "use strict";
    import_named_secrets = __toESM(require_named_secrets(), 1);
    import_state_session = __toESM(require_state_session(), 1);
    init_connect_hosts();
    import_read_hosts_file = __toESM(require_read_hosts_file(), 1);
  }
});

// part:src/addons/catalogue.ts
var require_catalogue = __commonJS({
  "part:src/addons/catalogue.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/addons/catalogue.ts"]();
  }
});

// part:src/addons/compare-installed.ts
var require_compare_installed = __commonJS({
  "part:src/addons/compare-installed.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/addons/compare-installed.ts"]();
  }
});

// part:src/kubernetes/addon-cluster.ts
var require_addon_cluster = __commonJS({
  "part:src/kubernetes/addon-cluster.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/kubernetes/addon-cluster.ts"]();
  }
});

// src/kubeadm/config/named-arguments.ts
function namedArguments(args) {
  return Object.entries(args).map(([name, value]) => ({ name, value })).sort((a, b) => a.name < b.name ? -1 : 1);
}
function extraArguments(field, args) {
  return Object.keys(args).length === 0 ? {} : { [field]: namedArguments(args) };
}
var init_named_arguments = __esm({
  "src/kubeadm/config/named-arguments.ts"() {
    "use strict";
  }
});

// src/kubeadm/config/node-registration.ts
function nodeRegistration(spec, host) {
  return {
    name: host.name,
    criSocket,
    taints: nodeTaints(spec, host).map(({ key: key2, value, effect }) => ({
      key: key2,
      ...value !== void 0 && { value },
      effect
    })),
    kubeletExtraArgs: namedArguments(kubeletArguments(spec, host))
  };
}
function kubeletArguments({ kubernetes }, { nodeIp }) {
  return { ...kubernetes.kubeletExtraArgs, "node-ip": nodeIp };
}
function nodeTaints({ kubeadm }, host) {
  const keepsPodsOut = host.role === "control-plane" && !kubeadm.podsOnControlPlanes;
  const hasOwn = host.taints.some(
    ({ key: key2, effect }) => key2 === controlPlaneTaint.key && effect === controlPlaneTaint.effect
  );
  return [...keepsPodsOut && !hasOwn ? [controlPlaneTaint] : [], ...host.taints];
}
var controlPlaneTaint;
var init_node_registration = __esm({
  "src/kubeadm/config/node-registration.ts"() {
    "use strict";
    init_kubeadm_paths();
    init_named_arguments();
    controlPlaneTaint = {
      key: "node-role.kubernetes.io/control-plane",
      effect: "NoSchedule"
    };
  }
});

// src/planner/kubeadm/hosts-surroundings.ts
function hostsSurroundings(spec) {
  const { hosts } = spec;
  const controlPlanes = hosts.filter(({ role }) => role === "control-plane");
  const taints = (of) => of.flatMap((host) => host.taints).filter(({ key: key2 }) => key2 !== controlPlaneTaint.key);
  return {
    apiServer: { host: endpointHost(spec), port: endpointPort(spec) },
    controlPlanes: controlPlanes.length,
    taints: {
      controlPlanes: taints(controlPlanes),
      // Whether control planes have it depends on there being workers: with the first one no addon must change.
      allNodes: [controlPlaneTaint, ...taints(hosts)]
    },
    servingCertificates: {
      nodeNames: `^(${hosts.map(({ name }) => name).join("|")})$`,
      // No cloud gives a node further addresses: a kubelet asks for the one that it was started with.
      addressRanges: hosts.map(({ nodeIp }) => `${nodeIp}/32`)
    },
    podNetwork: { type: "tunnel" },
    operatingSystem: { allowsModules: true },
    acceleratesServices: false
  };
}
var init_hosts_surroundings = __esm({
  "src/planner/kubeadm/hosts-surroundings.ts"() {
    "use strict";
    init_control_plane_endpoint();
    init_node_registration();
  }
});

// src/planner/kubeadm/addons-of-hosts.ts
var import_catalogue, addonsOfHosts;
var init_addons_of_hosts = __esm({
  "src/planner/kubeadm/addons-of-hosts.ts"() {
    "use strict";
    import_catalogue = __toESM(require_catalogue(), 1);
    init_hosts_surroundings();
    addonsOfHosts = (0, import_catalogue.addonsIn)(hostsSurroundings);
  }
});

// part:src/run/addon-renderer.ts
var require_addon_renderer = __commonJS({
  "part:src/run/addon-renderer.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/addon-renderer.ts"]();
  }
});

// src/kubeadm/cluster/ask-etcd.ts
var askEtcd;
var init_ask_etcd = __esm({
  "src/kubeadm/cluster/ask-etcd.ts"() {
    "use strict";
    init_kubeadm_paths();
    askEtcd = `
container=$(crictl ps --name '^etcd$' --state running --quiet | head -n 1 || true)
require_etcd() {
  [ -n "$container" ] && return 0
  echo "no etcd runs on this host" >&2
  exit 4
}
ask() {
  crictl exec "$container" etcdctl --endpoints https://127.0.0.1:2379 \\
    --cacert ${kubernetesFolder}/pki/etcd/ca.crt --cert ${kubernetesFolder}/pki/etcd/server.crt \\
    --key ${kubernetesFolder}/pki/etcd/server.key "$@"
}
`;
  }
});

// src/kubeadm/cluster/member-script.ts
var memberScript;
var init_member_script = __esm({
  "src/kubeadm/cluster/member-script.ts"() {
    "use strict";
    init_ask_etcd();
    memberScript = `${askEtcd}
what=$1
shift
require_etcd
case $what in
  list) ask --command-timeout 10s member list --write-out json ;;
  # It ends with an error where one of them does not answer, and says of each.
  health) ask --command-timeout 10s endpoint health --cluster --write-out json || true ;;
  status)
    ask --command-timeout 10s endpoint status --write-out json
    # Without a quorum nobody knows them.
    ask --command-timeout 10s alarm list || true
    ;;
  remove) ask --command-timeout 10s member remove "$1" ;;
esac
`;
  }
});

// part:node_modules/zod/index.js
var require_zod = __commonJS({
  "part:node_modules/zod/index.js"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["node_modules/zod/index.js"]();
  }
});

// src/kubeadm/cluster/exact-numbers.ts
function exactNumbers(json, names) {
  const pattern = new RegExp(`"(${names.join("|")})":\\s*(\\d+)`, "g");
  return json.replaceAll(pattern, '"$1":"$2"');
}
var init_exact_numbers = __esm({
  "src/kubeadm/cluster/exact-numbers.ts"() {
    "use strict";
  }
});

// src/kubeadm/cluster/read-members.ts
function readMembers(list, endpointHealth) {
  const { members } = listed.parse(JSON.parse(exactNumbers(list, ["ID"])));
  const answers = new Map(
    (endpointHealth === void 0 ? [] : readHealth(endpointHealth)).map((one) => [
      one.endpoint,
      one.health
    ])
  );
  return members.map(({ ID, name, peerURLs, clientURLs, isLearner }) => ({
    id: BigInt(ID).toString(16),
    name,
    peerUrls: peerURLs,
    isLearner,
    isHealthy: clientURLs.map((url) => answers.get(url)).find((answer) => answer !== void 0)
  }));
}
function readHealth(text) {
  const [json] = /\[.*\]/s.exec(text) ?? [];
  return json === void 0 ? [] : health.parse(JSON.parse(json));
}
var import_zod, texts, listed, health;
var init_read_members = __esm({
  "src/kubeadm/cluster/read-members.ts"() {
    "use strict";
    import_zod = __toESM(require_zod(), 1);
    init_exact_numbers();
    texts = import_zod.z.array(import_zod.z.string()).nullish().transform((list) => list ?? []);
    listed = import_zod.z.looseObject({
      members: import_zod.z.array(
        import_zod.z.looseObject({
          /** In decimal. */
          ID: import_zod.z.string().regex(/^\d+$/),
          name: import_zod.z.string().default(""),
          peerURLs: texts,
          clientURLs: texts,
          isLearner: import_zod.z.boolean().default(false)
        })
      )
    });
    health = import_zod.z.array(import_zod.z.looseObject({ endpoint: import_zod.z.string(), health: import_zod.z.boolean() }));
  }
});

// part:src/kubernetes/api-transport.ts
var require_api_transport = __commonJS({
  "part:src/kubernetes/api-transport.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/kubernetes/api-transport.ts"]();
  }
});

// part:src/kubernetes/failover-transport.ts
var require_failover_transport = __commonJS({
  "part:src/kubernetes/failover-transport.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/kubernetes/failover-transport.ts"]();
  }
});

// part:src/kubernetes/kubeconfig.ts
var require_kubeconfig = __commonJS({
  "part:src/kubernetes/kubeconfig.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/kubernetes/kubeconfig.ts"]();
  }
});

// part:src/kubernetes/kubernetes-client.ts
var require_kubernetes_client = __commonJS({
  "part:src/kubernetes/kubernetes-client.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/kubernetes/kubernetes-client.ts"]();
  }
});

// part:src/lib/wait-for.ts
var require_wait_for = __commonJS({
  "part:src/lib/wait-for.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/wait-for.ts"]();
  }
});

// src/ssh/dial-from.ts
async function dialFrom(remote, to, withinMs5) {
  const connection = await remote.connect();
  return connection.forward(to, { withinMs: withinMs5, signal: remote.signal });
}
var init_dial_from = __esm({
  "src/ssh/dial-from.ts"() {
    "use strict";
  }
});

// part:src/lib/format-bytes.ts
var require_format_bytes = __commonJS({
  "part:src/lib/format-bytes.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/format-bytes.ts"]();
  }
});

// src/ssh/all-output.ts
var AllOutput;
var init_all_output = __esm({
  "src/ssh/all-output.ts"() {
    "use strict";
    AllOutput = class {
      #mostBytes;
      #chunks = [];
      #size = 0;
      constructor(mostBytes2) {
        this.#mostBytes = mostBytes2;
      }
      add(chunk) {
        const room = this.#mostBytes - this.#size;
        if (room <= 0) return;
        const fits = chunk.length <= room ? chunk : chunk.slice(0, room);
        this.#size += fits.length;
        this.#chunks.push(fits);
      }
      bytes() {
        return Buffer.concat(this.#chunks);
      }
    };
  }
});

// part:src/ssh/run-script.ts
var require_run_script = __commonJS({
  "part:src/ssh/run-script.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/ssh/run-script.ts"]();
  }
});

// part:src/ssh/ssh-host.ts
var require_ssh_host = __commonJS({
  "part:src/ssh/ssh-host.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/ssh/ssh-host.ts"]();
  }
});

// src/ssh/read-file.ts
async function readFile2(remote, path, { mostBytes: mostBytes2, withinMs: withinMs5 }) {
  const script = {
    title: `read ${path}`,
    text: readFileScript,
    args: [path, String(mostBytes2)],
    withinMs: withinMs5,
    isRepeatable: true
  };
  const { code, stdout, stderr } = await (0, import_run_script.runInto)(remote, script, () => new AllOutput(mostBytes2 + 1));
  if (code === absent) return void 0;
  const content = stdout.bytes();
  if (code === 0 && content.length <= mostBytes2) return content;
  const reason = code === 0 ? `it is larger than ${(0, import_format_bytes.formatBytes)(mostBytes2)}` : "see below";
  throw new import_cluster_error2.ClusterError("script-failed", `cannot read ${path}: ${reason}`, {
    operation: script.title,
    target: (0, import_ssh_host.describeHost)(remote.host),
    evidence: (0, import_run_script.lastLines)(stderr.text()),
    hint: "Look at the file on the host, and at the rights of the user that logs in."
  });
}
var import_cluster_error2, import_format_bytes, import_run_script, import_ssh_host, absent, readFileScript;
var init_read_file = __esm({
  "src/ssh/read-file.ts"() {
    "use strict";
    import_cluster_error2 = __toESM(require_cluster_error(), 1);
    import_format_bytes = __toESM(require_format_bytes(), 1);
    init_all_output();
    import_run_script = __toESM(require_run_script(), 1);
    import_ssh_host = __toESM(require_ssh_host(), 1);
    absent = 44;
    readFileScript = `
path=$1 most=$2
if ! reason=$(stat -L -- "$path" 2>&1 >/dev/null); then
  case $reason in *': No such file or directory') exit ${absent} ;; esac
  printf '%s\\n' "$reason" >&2
  exit 1
fi
if [ ! -f "$path" ]; then
  echo "it is no file" >&2
  exit 1
fi
head -c "$((most + 1))" -- "$path"
`;
  }
});

// src/ssh/failed-script.ts
function failedScript(remote, { title, code, stderr, hint }) {
  return new import_cluster_error3.ClusterError("script-failed", `${remote.host.name}: cannot ${title}`, {
    operation: title,
    target: (0, import_ssh_host2.describeHost)(remote.host),
    evidence: [`exit code ${code}`, ...(0, import_run_script2.lastLines)(stderr)],
    hint: hint ?? "Look at the reason above on the host, then run again."
  });
}
var import_cluster_error3, import_run_script2, import_ssh_host2;
var init_failed_script = __esm({
  "src/ssh/failed-script.ts"() {
    "use strict";
    import_cluster_error3 = __toESM(require_cluster_error(), 1);
    import_run_script2 = __toESM(require_run_script(), 1);
    import_ssh_host2 = __toESM(require_ssh_host(), 1);
  }
});

// src/run/kubeadm/host-script.ts
async function scriptOutput(remote, script) {
  const { code, stdout, stderr } = await (0, import_run_script3.runScript)(remote, script);
  if (code === 0) return stdout;
  throw failedScript(remote, { title: script.title, code, stderr, hint: script.hint });
}
var import_run_script3;
var init_host_script = __esm({
  "src/run/kubeadm/host-script.ts"() {
    "use strict";
    init_failed_script();
    import_run_script3 = __toESM(require_run_script(), 1);
  }
});

// src/run/kubeadm/hosts-reach.ts
async function askMembers(remote) {
  const ask2 = (what) => scriptOutput(remote, {
    title: "ask etcd for its members",
    text: memberScript,
    args: [what],
    withinMs: askMs,
    isRepeatable: true
  });
  const list = await ask2("list");
  return readMembers(list, await ask2("health"));
}
var import_api_transport, import_failover_transport, import_kubeconfig, import_kubernetes_client, import_cluster_error4, import_wait_for, import_api_server_port2, requestMs, connectMs, askMs, mostKubeconfig, HostsReach;
var init_hosts_reach = __esm({
  "src/run/kubeadm/hosts-reach.ts"() {
    "use strict";
    init_member_script();
    init_read_members();
    init_kubeadm_paths();
    import_api_transport = __toESM(require_api_transport(), 1);
    import_failover_transport = __toESM(require_failover_transport(), 1);
    import_kubeconfig = __toESM(require_kubeconfig(), 1);
    import_kubernetes_client = __toESM(require_kubernetes_client(), 1);
    import_cluster_error4 = __toESM(require_cluster_error(), 1);
    import_wait_for = __toESM(require_wait_for(), 1);
    import_api_server_port2 = __toESM(require_api_server_port(), 1);
    init_dial_from();
    init_read_file();
    init_host_script();
    requestMs = 3e4;
    connectMs = 1e4;
    askMs = 6e4;
    mostKubeconfig = 256 * 1024;
    HostsReach = class {
      #options;
      #transport;
      #controlPlanes = [];
      constructor(options) {
        this.#options = options;
        this.#transport = new import_failover_transport.FailoverTransport((name) => this.#dial(name));
      }
      /** Whom to ask from now on, in order of preference. */
      use(controlPlanes) {
        this.#controlPlanes = controlPlanes;
        this.#transport.use(controlPlanes.map(({ name }) => name));
      }
      get controlPlanes() {
        return this.#controlPlanes;
      }
      /** A client that asks once, of each of them at most, and waits for nobody. */
      kubernetesOnce(signal = this.#options.signal) {
        return (0, import_kubernetes_client.clientOver)(this.#transport, { ...this.#options, signal, retries: 0 });
      }
      /** A client of an API server that answers. Throws `wait-timeout` where none does in time (milliseconds). */
      async kubernetes(withinMs5, onPending) {
        const once = this.kubernetesOnce();
        const { clock: clock2, signal } = this.#options;
        await (0, import_wait_for.waitFor)(
          "the Kubernetes API to answer",
          async () => {
            try {
              await once.get({ apiVersion: "v1", kind: "Namespace", name: "kube-system" });
              return { done: void 0 };
            } catch (error) {
              if (!(error instanceof import_cluster_error4.ClusterError)) throw error;
              return { pending: error.message };
            }
          },
          {
            clock: clock2,
            signal,
            withinMs: withinMs5,
            everyMs: 2e3,
            ...onPending && { onPending },
            hint: "Look at the API servers on the control planes: `crictl ps -a` and `journalctl -u kubelet` there."
          }
        );
        return (0, import_kubernetes_client.clientOver)(this.#transport, this.#options);
      }
      /** etcd's members as the first control plane lists them that can be asked. Throws what the last one did. */
      async members(except) {
        let failure = new import_cluster_error4.ClusterError(
          "script-failed",
          "no control plane can be asked for the members of etcd"
        );
        for (const controlPlane of this.#controlPlanes) {
          if (controlPlane.name === except) continue;
          try {
            const remote = await controlPlane.remote();
            return { through: controlPlane.name, members: await askMembers(remote) };
          } catch (error) {
            if (!(error instanceof import_cluster_error4.ClusterError)) throw error;
            failure = error;
          }
        }
        throw failure;
      }
      /** Takes a member out of etcd, by any control plane but its own. */
      async removeMember(id, own) {
        const { through } = await this.members(own);
        const executor = this.#controlPlanes.find(({ name }) => name === through);
        if (!executor) throw new Error("a control plane that answered is known");
        await scriptOutput(await executor.remote(), {
          title: `remove the member ${id} of etcd`,
          text: memberScript,
          args: ["remove", id],
          withinMs: askMs
        });
      }
      [Symbol.dispose]() {
        this.#transport.close();
      }
      async #dial(name) {
        const controlPlane = this.#controlPlanes.find((one) => one.name === name);
        if (!controlPlane) throw new Error(`${name} is no control plane of this run`);
        const remote = await controlPlane.remote();
        const text = await readFile2(remote, `${kubernetesFolder}/admin.conf`, {
          mostBytes: mostKubeconfig,
          withinMs: askMs
        });
        if (text === void 0) {
          throw new import_cluster_error4.ClusterError(
            "kubernetes-unreachable",
            `${name} has no ${kubernetesFolder}/admin.conf`
          );
        }
        const connection = await (0, import_kubeconfig.readKubeconfig)(text.toString("utf8"));
        const { key: key2 } = connection.tls;
        if (key2 !== void 0) remote.redactor.add(key2.toString());
        const to = { address: controlPlane.nodeIp, port: import_api_server_port2.apiServerPort };
        return (0, import_api_transport.createTransport)(
          {
            ...connection,
            server: new URL(`https://${to.address}:${to.port}`),
            dial: () => dialFrom(remote, to, connectMs)
          },
          requestMs
        );
      }
    };
  }
});

// src/spec/hosts/recorded-login.ts
function recordLogin(known) {
  return import_zod2.z.record(import_zod2.z.string(), import_zod2.z.json()).parse(login.parse(known));
}
function loginOf(recorded) {
  const { success, data } = login.safeParse(recorded);
  if (!success) return void 0;
  const { sudo, ...rest } = data;
  return { ...rest, sudo: sudo.type === "password" ? sudo : { type: sudo.type } };
}
var import_zod2, secret, key, hostKey, login;
var init_recorded_login = __esm({
  "src/spec/hosts/recorded-login.ts"() {
    "use strict";
    import_zod2 = __toESM(require_zod(), 1);
    secret = import_zod2.z.union([
      import_zod2.z.object({ from: import_zod2.z.literal("secret"), name: import_zod2.z.string() }),
      import_zod2.z.object({ from: import_zod2.z.literal("environment"), variable: import_zod2.z.string() })
    ]);
    key = import_zod2.z.union([
      import_zod2.z.object({ from: import_zod2.z.literal("agent"), publicKey: import_zod2.z.string().optional() }),
      import_zod2.z.object({ from: import_zod2.z.literal("file"), path: import_zod2.z.string(), passphrase: secret.optional() }),
      import_zod2.z.object({ from: import_zod2.z.literal("environment"), variable: import_zod2.z.string(), passphrase: secret.optional() })
    ]);
    hostKey = import_zod2.z.union([
      import_zod2.z.object({ type: import_zod2.z.literal("pinned"), key: import_zod2.z.string() }),
      import_zod2.z.object({ type: import_zod2.z.literal("record") })
    ]);
    login = import_zod2.z.object({
      user: import_zod2.z.string(),
      port: import_zod2.z.number(),
      key,
      hostKey,
      sudo: import_zod2.z.union([
        import_zod2.z.object({ type: import_zod2.z.enum(["none", "passwordless"]) }),
        import_zod2.z.object({ type: import_zod2.z.literal("password"), password: secret })
      ]),
      jump: import_zod2.z.object({ address: import_zod2.z.string(), port: import_zod2.z.number(), user: import_zod2.z.string(), key, hostKey }).optional()
    });
  }
});

// src/run/kubeadm/known-hosts.ts
function knownHosts(spec, inventory) {
  const remembered = new Map((inventory?.nodes ?? []).map((node) => [node.name, node]));
  const ofFile = spec.hosts.map(
    ({ name, address, nodeIp, role, login: login2 }) => ({
      name,
      address,
      nodeIp,
      role,
      login: login2,
      recordedKey: remembered.get(name)?.host?.hostKey
    })
  );
  const names = new Set(ofFile.map(({ name }) => name));
  const former = [...remembered.values()].flatMap(
    (node) => names.has(node.name) ? [] : formerHost(node)
  );
  return [...ofFile, ...former];
}
function formerHost({ name, role, privateIp, host }) {
  if (host === void 0) return [];
  const login2 = loginOf(host.login);
  if (login2 === void 0) return [];
  return [
    { name, address: host.address, nodeIp: privateIp, role, login: login2, recordedKey: host.hostKey }
  ];
}
var init_known_hosts = __esm({
  "src/run/kubeadm/known-hosts.ts"() {
    "use strict";
    init_recorded_login();
  }
});

// part:node_modules/yaml/dist/index.js
var require_dist = __commonJS({
  "part:node_modules/yaml/dist/index.js"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["node_modules/yaml/dist/index.js"]();
  }
});

// part:src/lib/json.ts
var require_json = __commonJS({
  "part:src/lib/json.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/json.ts"]();
  }
});

// src/kubeadm/cluster/read-configuration.ts
function readConfiguration(text) {
  try {
    const value = JSON.parse(JSON.stringify((0, import_yaml.parse)(text) ?? null));
    return (0, import_json.isJsonObject)(value) ? value : void 0;
  } catch {
    return void 0;
  }
}
var import_yaml, import_json;
var init_read_configuration = __esm({
  "src/kubeadm/cluster/read-configuration.ts"() {
    "use strict";
    import_yaml = __toESM(require_dist(), 1);
    import_json = __toESM(require_json(), 1);
  }
});

// part:src/kubernetes/nodes.ts
var require_nodes = __commonJS({
  "part:src/kubernetes/nodes.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/kubernetes/nodes.ts"]();
  }
});

// part:src/lib/kubernetes-object.ts
var require_kubernetes_object = __commonJS({
  "part:src/lib/kubernetes-object.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/kubernetes-object.ts"]();
  }
});

// src/planner/kubeadm/host-nodes.ts
function hostNodes(spec, inventory) {
  const taken = /* @__PURE__ */ new Map();
  const known = /* @__PURE__ */ new Map();
  const slotsOf = (pool) => {
    const slots = taken.get(pool) ?? /* @__PURE__ */ new Set();
    taken.set(pool, slots);
    return slots;
  };
  for (const { name, role } of spec.hosts) {
    const former = inventory?.nodes.find((node) => node.name === name && node.pool === role);
    if (former === void 0 || slotsOf(role).has(former.slot)) continue;
    known.set(name, former.slot);
    slotsOf(role).add(former.slot);
  }
  return spec.hosts.map((host) => {
    const slots = slotsOf(host.role);
    const slot = known.get(host.name) ?? lowestFree(slots);
    slots.add(slot);
    return toNode(host, slot);
  });
}
function lowestFree(slots) {
  let slot = 1;
  while (slots.has(slot)) slot += 1;
  return slot;
}
function toNode({ name, role, nodeIp, labels, taints }, slot) {
  return {
    name,
    role: role === "control-plane" ? "control-plane" : "worker",
    pool: role,
    slot,
    privateIp: nodeIp,
    publicIpv4: false,
    publicIpv6: false,
    labels,
    annotations: {},
    taints,
    patches: []
  };
}
var init_host_nodes = __esm({
  "src/planner/kubeadm/host-nodes.ts"() {
    "use strict";
  }
});

// src/planner/kubeadm/running-version.ts
function runningVersion({ kubernetes: { version } }, inventory) {
  const versions = (inventory?.nodes ?? []).flatMap(
    ({ role, kubernetesVersion }) => role === "control-plane" && kubernetesVersion !== void 0 ? [kubernetesVersion] : []
  );
  return (0, import_running_kubernetes2.oldestVersion)(versions) ?? version;
}
function versionOfHost(name, spec, inventory) {
  const known = inventory?.nodes.find((node) => node.name === name);
  return known?.kubernetesVersion ?? runningVersion(spec, inventory);
}
var import_running_kubernetes2;
var init_running_version = __esm({
  "src/planner/kubeadm/running-version.ts"() {
    "use strict";
    import_running_kubernetes2 = __toESM(require_running_kubernetes(), 1);
  }
});

// part:src/spec/secret-references.ts
var require_secret_references = __commonJS({
  "part:src/spec/secret-references.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/secret-references.ts"]();
  }
});

// part:src/store/trust/refuse-older.ts
var require_refuse_older = __commonJS({
  "part:src/store/trust/refuse-older.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/store/trust/refuse-older.ts"]();
  }
});

// src/kubeadm/host/shell-library.ts
var shellLibrary;
var init_shell_library = __esm({
  "src/kubeadm/host/shell-library.ts"() {
    "use strict";
    init_distributions();
    shellLibrary = `
set -euo pipefail
export LC_ALL=C DEBIAN_FRONTEND=noninteractive
export PATH="$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

passed() { printf '%s\\n' "$*"; exit 20; }
failed() { printf '%s\\n' "$*"; exit 10; }
refuse() { printf '%s\\n' "$*" >&2; exit 3; }

# What was seen is one line without control characters.
report() {
  case $2 in
    20) state=passed ;;
    10) state=failed ;;
    *) state=unknown ;;
  esac
  seen=\${3//[[:cntrl:]]/ }
  printf 'check\\t%s\\t%s\\t%s\\n' "$1" "$state" "\${seen:0:500}"
}

has() { command -v "$1" >/dev/null; }

# Whether a file is there with this text, but for line feeds at its end.
holds() { [ -f "$1" ] && [ "$(cat -- "$1")" = "$2" ]; }

# Standard input becomes a file, under another name first.
put() {
  local path=$1 mode=$2 temporary
  mkdir -p -- "$(dirname -- "$path")"
  temporary=$(mktemp -- "$path.XXXXXX")
  cat >"$temporary"
  chmod -- "$mode" "$temporary"
  sync -- "$temporary"
  mv -fT -- "$temporary" "$path"
}

fetch() {
  case $1 in
    /*) cp -- "$1" "$2" ;;
    *) curl --fail --silent --show-error --location --retry 3 --connect-timeout 30 --output "$2" -- "$1" ;;
  esac
}

# A host that kubeadm has made a node of, and whose pods were not drained.
is_joined() { [ "\${node_is_drained:-no}" = no ] && [ -e /etc/kubernetes/kubelet.conf ]; }

# The lock of the lists has no timeout of its own, other than that of dpkg.
update_lists() {
  local output left
  for left in {29..0}; do
    if output=$(apt-get -q update 2>&1 </dev/null); then return 0; fi
    case $output in
      *'Could not get lock'*) [ "$left" -eq 0 ] || sleep 10 ;;
      *) break ;;
    esac
  done
  printf '%s\\n' "$output" >&2
  return 1
}

install_packages() {
  if [ "$family" = debian ]; then
    apt_install "$@"
  else
    dnf -q -y --setopt=install_weak_deps=False install "$@" </dev/null >&2
  fi
}

# Exactly these versions, over a hold of our own and over a newer version; with apt.
install_pinned() { apt_install --allow-change-held-packages --allow-downgrades "$@"; }

# No package of the host is removed for another one.
apt_install() {
  update_lists
  apt-get -q -y -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-confold --no-install-recommends --no-remove \\
    install "$@" </dev/null >&2
}

# Whether a version is another one or newer.
at_least() { printf '%s\\n' "$2" "$1" | sort -VC; }

# One value of os-release; the file is bash.
of_release() { ( set +u; . /etc/os-release; printf '%s' "\${!1:-}" ) }

family=other docker=none
release=unknown codename=
if [ -r /etc/os-release ]; then
  release="$(of_release ID) $(of_release VERSION_ID)"
  codename=$(of_release VERSION_CODENAME)
fi
case $release in
${distributionCases()}
esac
`;
  }
});

// src/kubeadm/host/look-script.ts
var lookScript;
var init_look_script = __esm({
  "src/kubeadm/host/look-script.ts"() {
    "use strict";
    init_kubeadm_paths();
    init_shell_library();
    lookScript = `${shellLibrary}
vip=$1
fact() { printf 'fact\\t%s\\t%s\\n' "$1" "$2"; }
encoded() { base64 -w0 <"$1"; }

fact clock "$(date +%s%3N)"
[ ! -r /etc/machine-id ] || fact machine-id "$(cat /etc/machine-id)"
[ ! -f ${markFile} ] || fact mark "$(encoded ${markFile})"

[ ! -f ${kubernetesFolder}/pki/ca.crt ] || fact ca "$(encoded ${kubernetesFolder}/pki/ca.crt)"
for name in pki/ca.key admin.conf kubelet.conf; do
  [ ! -e "${kubernetesFolder}/$name" ] || fact there "$name"
done
[ ! -d /var/lib/etcd/member ] || fact there etcd
if [ -d ${kubernetesFolder}/pki ]; then
  find ${kubernetesFolder}/pki -name '*.crt' -type f | sort | while read -r path; do
    case \${path##*/} in ca.crt | front-proxy-ca.crt) kind=authority ;; *) kind=certificate ;; esac
    fact "$kind" "$(encoded "$path")"
  done
fi
# That of the kubelet is its own to renew.
for name in admin super-admin controller-manager scheduler; do
  [ -f ${kubernetesFolder}/"$name".conf ] || continue
  client=$(sed -n 's/^ *client-certificate-data: *"*\\([^"]*\\)"*$/\\1/p' ${kubernetesFolder}/"$name".conf | head -n 1)
  [ -z "$client" ] || fact certificate "$client"
done
if [ -f ${kubernetesFolder}/kubelet.conf ] &&
  ! grep -Eq 'client-certificate: *"?/var/lib/kubelet/pki/kubelet-client-current.pem' ${kubernetesFolder}/kubelet.conf; then
  fact there fixed-kubelet-client
fi
[ ! -f ${kubeletConfigFile} ] || fact kubelet-config "$(encoded ${kubeletConfigFile})"
[ ! -f ${kubeletFlagsFile} ] || fact kubelet-flags "$(encoded ${kubeletFlagsFile})"
for path in ${kubernetesFolder}/manifests/*.yaml; do
  [ -f "$path" ] || continue
  image=$(sed -n '/^ *image: */{s///;p;q}' "$path")
  fact "static-pod $(basename -- "$path" .yaml)" "\${image##*:}"
done
manifest=${kubernetesFolder}/manifests/kube-vip.yaml
[ ! -f "$manifest" ] || fact kube-vip "$(sha256sum <"$manifest" | cut -d' ' -f1)"
if [ -n "$(ls -A ${patchesFolder} 2>/dev/null)" ]; then
  fact patches "$( (cd ${patchesFolder} && sha256sum -- *) | sha256sum | cut -d' ' -f1)"
fi

if has kubeadm; then fact version-kubeadm "$(kubeadm version -o short 2>/dev/null || true)"; fi
if has kubelet; then fact version-kubelet "$(kubelet --version 2>/dev/null || true)"; fi
if has containerd; then fact version-containerd "$(containerd --version 2>/dev/null || true)"; fi

fact arch "$(uname -m)"
if [ -n "$vip" ] && has ip; then
  interface=$(ip -o route get "$vip" 2>/dev/null | sed -n 's/.* dev \\([^ ]*\\).*/\\1/p' | head -n 1 || true)
  own=$(ip -o addr show 2>/dev/null | awk -v address="$vip" '{ split($4, part, "/"); if (part[1] == address) print $2 }' | head -n 1 || true)
  [ -z "$own" ] || fact there vip
  # A holder reaches it by its loopback.
  [ "$interface" != lo ] || interface=$own
  [ -z "$interface" ] || fact vip-interface "$interface"
fi
`;
  }
});

// src/kubeadm/host/host-evidence.ts
function readEvidence(step2, { code, stdout, stderr }, { host, at }) {
  const reported = new Map(stdout.split("\n").flatMap((line) => readLine(line)));
  const silence = `not reported (exit code ${code}): ${lastLine(stderr)}`;
  return step2.checks.map(({ id, words }) => ({
    at,
    host,
    step: step2.id,
    check: id,
    words,
    ...reported.get(id) ?? { state: "unknown", seen: silence }
  }));
}
function readLine(line) {
  const [mark, id = "", state = "", seen] = line.split("	");
  if (mark !== "check" || seen === void 0 || !isState(state)) return [];
  return [[id, { state, seen }]];
}
function isState(text) {
  return states.includes(text);
}
function lastLine(text) {
  return text.trim().split("\n").at(-1) || "nothing was printed";
}
var states;
var init_host_evidence = __esm({
  "src/kubeadm/host/host-evidence.ts"() {
    "use strict";
    states = ["passed", "failed", "unknown"];
  }
});

// src/kubeadm/host/render-step.ts
function renderProbe(step2) {
  return [begin(step2), ...step2.checks.map(probeFunction), ...step2.checks.map(probeCall), ""].join(
    "\n"
  );
}
function renderApply(step2, isDrained = false) {
  const { checks } = step2;
  const preconditions = checks.filter(({ isPrecondition }) => isPrecondition);
  const others = checks.filter(
    ({ isPrecondition, apply }) => !isPrecondition && apply !== void 0
  );
  return [
    `node_is_drained=${isDrained ? "yes" : "no"}`,
    begin(step2),
    ...[...preconditions, ...others].map(probeFunction),
    ...others.map((check) => shellFunction("apply", check, check.apply ?? "")),
    ...preconditions.map((check) => `${probeCall(check)}
${whereNot("passed", 'refuse "$seen"')}`),
    ...others.map((check) => `${probeCall(check)}
${where("failed", `apply_${nameOf(check)}`)}`),
    ""
  ].join("\n");
}
function begin({ parameters }) {
  const named = parameters.map((name, at) => `${name}=\${${at + 1}}`);
  const rest = [`shift ${parameters.length}`, 'rest=("$@")'];
  return [shellLibrary, ...named, ...rest].join("\n");
}
function nameOf({ id }) {
  return id.replaceAll("-", "_");
}
function shellFunction(verb, check, body) {
  return `${verb}_${nameOf(check)}() {
${body.trim()}
}`;
}
function probeFunction(check) {
  return shellFunction("probe", check, check.probe);
}
function probeCall(check) {
  return [
    "set +e",
    `seen=$(set -e; probe_${nameOf(check)} 2>&1)`,
    "code=$?",
    "set -e",
    `report ${check.id} "$code" "$seen"`
  ].join("\n");
}
function where(state, command) {
  return `if [ "$state" = ${state} ]; then ${command}; fi`;
}
function whereNot(state, command) {
  return `if [ "$state" != ${state} ]; then ${command}; fi`;
}
var init_render_step = __esm({
  "src/kubeadm/host/render-step.ts"() {
    "use strict";
    init_shell_library();
  }
});

// src/kubeadm/host/prepare-host.ts
async function probeStep(host, step2) {
  const result = await host.runScript(renderProbe(step2), step2.args);
  return readEvidence(step2, result, { host: host.name, at: host.clock.now() });
}
async function prepareHost(host, steps, options = {}) {
  const all = [];
  for (const step2 of steps) all.push(...await prepareStep(host, step2, options));
  return all;
}
async function prepareStep(host, step2, { isDrained = false }) {
  const before = await probeStep(host, step2);
  if (isDone(before)) return before;
  const { code, stderr } = await host.runScript(renderApply(step2, isDrained), step2.args);
  const after = await probeStep(host, step2);
  if (code === 0 && isDone(after)) return after;
  const left = after.filter(({ state }) => state !== "passed");
  throw new import_cluster_error5.ClusterError("script-failed", `${host.name} cannot be prepared: ${step2.id} failed`, {
    operation: `prepare the host (${step2.id})`,
    target: host.name,
    evidence: [
      ...left.map(({ check, state, seen }) => `${check} ${state}: ${seen}`),
      ...stderr.trim().split("\n").slice(-4)
    ].filter((line) => line !== ""),
    hint: "Fix on the host what is listed above, then run again: it continues there."
  });
}
function isDone(evidence) {
  return evidence.every(({ state }) => state === "passed");
}
var import_cluster_error5;
var init_prepare_host = __esm({
  "src/kubeadm/host/prepare-host.ts"() {
    "use strict";
    import_cluster_error5 = __toESM(require_cluster_error(), 1);
    init_host_evidence();
    init_render_step();
  }
});

// part:node_modules/@noble/hashes/sha2.js
var require_sha2 = __commonJS({
  "part:node_modules/@noble/hashes/sha2.js"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["node_modules/@noble/hashes/sha2.js"]();
  }
});

// part:node_modules/@noble/hashes/utils.js
var require_utils = __commonJS({
  "part:node_modules/@noble/hashes/utils.js"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["node_modules/@noble/hashes/utils.js"]();
  }
});

// part:node_modules/@peculiar/asn1-schema/build/cjs/index.js
var require_cjs = __commonJS({
  "part:node_modules/@peculiar/asn1-schema/build/cjs/index.js"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["node_modules/@peculiar/asn1-schema/build/cjs/index.js"]();
  }
});

// part:node_modules/@peculiar/asn1-x509/build/cjs/index.js
var require_cjs2 = __commonJS({
  "part:node_modules/@peculiar/asn1-x509/build/cjs/index.js"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["node_modules/@peculiar/asn1-x509/build/cjs/index.js"]();
  }
});

// src/kubeadm/config/certificate.ts
function readCertificates(pem) {
  return [...pem.matchAll(block)].map(([, text = ""]) => {
    const der = Uint8Array.from(atob(text.replaceAll(/\s/g, "")), (letter) => letter.charCodeAt(0));
    const { subjectPublicKeyInfo, validity } = import_asn1_schema.AsnParser.parse(der, import_asn1_x509.Certificate).tbsCertificate;
    return {
      publicKey: new Uint8Array(import_asn1_schema.AsnSerializer.serialize(subjectPublicKeyInfo)),
      notAfter: timeOf(validity.notAfter)
    };
  });
}
function timeOf(time) {
  return time.getTime().getTime();
}
var import_asn1_schema, import_asn1_x509, block;
var init_certificate = __esm({
  "src/kubeadm/config/certificate.ts"() {
    "use strict";
    import_asn1_schema = __toESM(require_cjs(), 1);
    import_asn1_x509 = __toESM(require_cjs2(), 1);
    block = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g;
  }
});

// src/kubeadm/config/ca-cert-hash.ts
function caCertHashes(pem) {
  return readCertificates(pem).map(({ publicKey }) => `sha256:${(0, import_utils.bytesToHex)((0, import_sha2.sha256)(publicKey))}`);
}
var import_sha2, import_utils;
var init_ca_cert_hash = __esm({
  "src/kubeadm/config/ca-cert-hash.ts"() {
    "use strict";
    import_sha2 = __toESM(require_sha2(), 1);
    import_utils = __toESM(require_utils(), 1);
    init_certificate();
  }
});

// src/kubeadm/host/read-mark.ts
function readMark(text) {
  try {
    const { cluster, uid, generation, keyEpoch, hasLeft } = JSON.parse(text);
    if (typeof cluster !== "string" || typeof uid !== "string") return void 0;
    return {
      cluster,
      uid,
      generation: Number(generation),
      keyEpoch: Number(keyEpoch),
      hasLeft: hasLeft === true
    };
  } catch {
    return void 0;
  }
}
var init_read_mark = __esm({
  "src/kubeadm/host/read-mark.ts"() {
    "use strict";
  }
});

// src/kubeadm/host/read-look.ts
function readLook(stdout, time) {
  const facts = readFacts(stdout);
  const one = (name) => facts.get(name)?.[0];
  const there = new Set(facts.get("there"));
  const [ca, mark] = [one("ca"), one("mark")];
  return {
    machineId: one("machine-id") ?? "",
    clockAheadMs: aheadOf(time, one("clock")),
    mark: mark === void 0 ? void 0 : readMark(fromBase64(mark)),
    traces: {
      caHash: ca === void 0 ? void 0 : caCertHashes(fromBase64(ca))[0],
      hasCaKey: there.has("pki/ca.key"),
      hasAdminConf: there.has("admin.conf"),
      hasKubeletConf: there.has("kubelet.conf"),
      hasEtcdData: there.has("etcd"),
      versions: {
        kubeadm: versionIn(one("version-kubeadm")),
        kubelet: versionIn(one("version-kubelet")),
        containerd: versionIn(one("version-containerd"))
      },
      arch: one("arch") === "aarch64" ? "arm64" : "amd64",
      staticPods: readStaticPods(facts),
      kubeVipDigest: one("kube-vip"),
      patchesDigest: one("patches"),
      vipInterface: one("vip-interface"),
      holdsVip: there.has("vip"),
      certificatesEnd: firstEnd(facts.get("certificate")),
      authoritiesEnd: firstEnd(facts.get("authority")),
      hasFixedKubeletClient: there.has("fixed-kubelet-client"),
      kubelet: readKubelet(one("kubelet-config"), one("kubelet-flags"))
    }
  };
}
function aheadOf({ from, to }, printed2) {
  const clock2 = Number(printed2 ?? from);
  if (clock2 < from) return clock2 - from;
  return clock2 > to ? clock2 - to : 0;
}
function readFacts(stdout) {
  const facts = /* @__PURE__ */ new Map();
  for (const line of stdout.split("\n")) {
    const [mark, name, value] = line.split("	");
    if (mark !== "fact" || name === void 0 || value === void 0) continue;
    facts.set(name, [...facts.get(name) ?? [], value]);
  }
  return facts;
}
function readStaticPods(facts) {
  return Object.fromEntries(
    [...facts].flatMap(
      ([name, [tag = ""]]) => name.startsWith(podPrefix) ? [[name.slice(podPrefix.length), tag.replace(/^v/, "")]] : []
    )
  );
}
function versionIn(text) {
  return /\bv?(\d+\.\d+\.\d+(?:-[0-9a-z.]+)?)/.exec(text ?? "")?.[1];
}
function firstEnd(encoded = []) {
  const ends = encoded.flatMap((text) => {
    try {
      return readCertificates(fromBase64(text)).map(({ notAfter }) => notAfter);
    } catch {
      return [];
    }
  });
  return ends.length === 0 ? void 0 : Math.min(...ends);
}
function readKubelet(config, flags) {
  return {
    config: config === void 0 ? void 0 : readConfiguration(fromBase64(config)),
    flags: flags === void 0 ? void 0 : readFlags(fromBase64(flags))
  };
}
function readFlags(text) {
  const [, list] = /^KUBELET_KUBEADM_ARGS="?(.*?)"?\s*$/m.exec(text) ?? [];
  if (list === void 0) return void 0;
  const flags = list.replaceAll('\\"', '"').split(/\s+(?=--)/);
  return Object.fromEntries(
    flags.flatMap((flag) => {
      const [, name, value = "true"] = /^--([^=\s]+)(?:=(.*))?$/s.exec(flag.trim()) ?? [];
      return name === void 0 ? [] : [[name, value]];
    })
  );
}
function fromBase64(text) {
  return atob(text);
}
var podPrefix;
var init_read_look = __esm({
  "src/kubeadm/host/read-look.ts"() {
    "use strict";
    init_read_configuration();
    init_ca_cert_hash();
    init_certificate();
    init_read_mark();
    podPrefix = "static-pod ";
  }
});

// part:src/spec/hosts/tables/kubeadm-range.ts
var require_kubeadm_range = __commonJS({
  "part:src/spec/hosts/tables/kubeadm-range.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/hosts/tables/kubeadm-range.ts"]();
  }
});

// src/kubeadm/host/checks/kubeadm-alone.ts
var kubeadmPackage, kubeadmBinary;
var init_kubeadm_alone = __esm({
  "src/kubeadm/host/checks/kubeadm-alone.ts"() {
    "use strict";
    kubeadmPackage = {
      id: "kubeadm-package",
      words: "kubeadm is installed in the version that the cluster is upgraded to",
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
fi`
    };
    kubeadmBinary = {
      id: "kubeadm-file",
      words: "kubeadm is the file that the cluster file names",
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
done <<<"$files"`
    };
  }
});

// src/kubeadm/host/checks/kubernetes-packages.ts
var keyring, debFile, rpmFile, packages, repositoryText, kubernetesRepository, refuseOnNode, kubernetesPackages, kubernetesHold, kubeletEnabled;
var init_kubernetes_packages = __esm({
  "src/kubeadm/host/checks/kubernetes-packages.ts"() {
    "use strict";
    keyring = "/etc/apt/keyrings/hcloud-talos-kubernetes.gpg";
    debFile = "/etc/apt/sources.list.d/hcloud-talos-kubernetes.list";
    rpmFile = "/etc/yum.repos.d/hcloud-talos-kubernetes.repo";
    packages = ["kubeadm", "kubelet", "kubectl"];
    repositoryText = `
deb_line="deb [signed-by=${keyring}] $deb_url /"
rpm_text="[hcloud-talos-kubernetes]
name=Kubernetes
baseurl=$rpm_url
enabled=1
gpgcheck=1
gpgkey=$rpm_key
exclude=kubelet kubeadm kubectl cri-tools kubernetes-cni"`;
    kubernetesRepository = {
      id: "kubernetes-repository",
      words: "the repository of this minor of Kubernetes is known, with a key that is valid, and for a month where there is such a key",
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
fi`
    };
    refuseOnNode = `
if is_joined && has kubelet; then
  refuse "this host is a node: another version of its kubelet is an upgrade of the cluster"
fi`;
    kubernetesPackages = {
      id: "kubernetes-packages",
      words: `${packages.join(", ")} are installed in the version of the cluster`,
      probe: `
wrong=
for package in ${packages.join(" ")}; do
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
fi`
    };
    kubernetesHold = {
      id: "kubernetes-hold",
      words: "they are held, so that no upgrade of all packages changes them",
      probe: `
if [ "$family" != debian ]; then
  if grep -qsx 'exclude=kubelet kubeadm kubectl cri-tools kubernetes-cni' ${rpmFile}; then passed "left out by ${rpmFile}"; fi
  failed "${rpmFile} does not leave them out"
fi
held=$(apt-mark showhold)
free=
for package in ${packages.join(" ")}; do
  grep -qx "$package" <<<"$held" || free+=" $package"
done
[ -z "$free" ] || failed "not held:$free"
passed "held"`,
      apply: `
if [ "$family" = debian ]; then apt-mark hold ${packages.join(" ")} >&2; fi`
    };
    kubeletEnabled = {
      id: "kubelet-enabled",
      words: "the kubelet starts at boot",
      probe: `
state=$(systemctl is-enabled kubelet 2>/dev/null || true)
[ "$state" = enabled ] || failed "\${state:-there is no such unit}"
passed "$state"`,
      apply: "systemctl enable kubelet >&2"
    };
  }
});

// src/kubeadm/host/checks/kubernetes-files.ts
var unitPath, dropInPath, unit, dropIn, kubernetesBinaries;
var init_kubernetes_files = __esm({
  "src/kubeadm/host/checks/kubernetes-files.ts"() {
    "use strict";
    init_kubernetes_packages();
    unitPath = "/etc/systemd/system/kubelet.service";
    dropInPath = "/etc/systemd/system/kubelet.service.d/10-kubeadm.conf";
    unit = `[Unit]
Description=kubelet: The Kubernetes Node Agent
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=/usr/local/bin/kubelet
Restart=always
StartLimitInterval=0
RestartSec=10

[Install]
WantedBy=multi-user.target`;
    dropIn = `[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
EnvironmentFile=-/etc/default/kubelet
ExecStart=
ExecStart=/usr/local/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS`;
    kubernetesBinaries = {
      id: "kubernetes-files",
      words: "kubeadm, kubelet, kubectl and crictl are the files that the cluster file names",
      probe: `
wrong=
while IFS=$'\\t' read -r name digest _; do
  now=$(sha256sum 2>/dev/null <"/usr/local/bin/$name" || echo none)
  [ "\${now%% *}" = "$digest" ] || wrong+=" $name=\${now:0:16}"
done <<<"$files"
[ -z "$wrong" ] || failed "other files:$wrong"
holds ${unitPath} '${unit}' || failed "${unitPath} is not as it should be"
drop_in=$(cat <<'END'
${dropIn}
END
)
holds ${dropInPath} "$drop_in" || failed "${dropInPath} is not as it should be"
passed "$wanted"`,
      apply: `
${refuseOnNode}
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
while IFS=$'\\t' read -r name digest at; do
  fetch "$at" "$work/$name"
  echo "$digest  $work/$name" | sha256sum --check --quiet >&2
done <<<"$files"
while IFS=$'\\t' read -r name _ _; do
  put "/usr/local/bin/$name" 755 <"$work/$name"
done <<<"$files"
put ${unitPath} 644 <<'END'
${unit}
END
put ${dropInPath} 644 <<'END'
${dropIn}
END
systemctl daemon-reload`
    };
  }
});

// src/kubeadm/host/package-source.ts
function repositoryUrl(source, own) {
  return (source.type === "mirror" ? source.url : own).replace(/\/+$/, "");
}
function fileLines(source) {
  return (source.files ?? []).map(({ name, sha256: sha2562, at }) => [name, sha2562, at].join("	")).join("\n");
}
var init_package_source = __esm({
  "src/kubeadm/host/package-source.ts"() {
    "use strict";
  }
});

// src/kubeadm/host/kubeadm-ready.ts
function kubeadmReady(options) {
  return stepOf(options, [
    ...options.source.type === "files" ? [kubernetesBinaries] : [kubernetesRepository, kubernetesPackages, kubernetesHold],
    kubeletEnabled
  ]);
}
function kubeadmAhead(options) {
  return stepOf(
    options,
    options.source.type === "files" ? [kubeadmBinary] : [kubernetesRepository, kubeadmPackage]
  );
}
function stepOf({ version, newestMinor, source }, checks) {
  const base = `${repositoryUrl(source, "https://pkgs.k8s.io")}/core:/stable:`;
  const [minor = ""] = /^\d+\.\d+/.exec(version) ?? [];
  const isMirror = source.type === "mirror";
  const key2 = isMirror ? source.key : void 0;
  const keyMinor = isMirror ? minor : newestMinor;
  const parameters = {
    wanted: version,
    deb_url: `${base}/v${minor}/deb/`,
    deb_key: key2 ?? `${base}/v${keyMinor}/deb/Release.key`,
    rpm_url: `${base}/v${minor}/rpm/`,
    rpm_key: key2 ?? `${base}/v${keyMinor}/rpm/repodata/repomd.xml.key`,
    files: fileLines(source)
  };
  return {
    id: "kubeadm_ready",
    parameters: Object.keys(parameters),
    args: Object.values(parameters),
    checks
  };
}
var init_kubeadm_ready = __esm({
  "src/kubeadm/host/kubeadm-ready.ts"() {
    "use strict";
    init_kubeadm_alone();
    init_kubernetes_files();
    init_kubernetes_packages();
    init_package_source();
  }
});

// part:src/spec/tables/version-matrix.ts
var require_version_matrix = __commonJS({
  "part:src/spec/tables/version-matrix.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/tables/version-matrix.ts"]();
  }
});

// src/kubeadm/host/pause-image.ts
function pauseImage(kubernetesVersion) {
  const minor = (0, import_version_matrix.parseVersion)(kubernetesVersion)?.minor ?? 0;
  return `registry.k8s.io/pause:${minor < firstWithNewer ? "3.10.1" : "3.10.2"}`;
}
var import_version_matrix, firstWithNewer;
var init_pause_image = __esm({
  "src/kubeadm/host/pause-image.ts"() {
    "use strict";
    import_version_matrix = __toESM(require_version_matrix(), 1);
    firstWithNewer = 36;
  }
});

// part:src/spec/hosts/registry-folder.ts
var require_registry_folder = __commonJS({
  "part:src/spec/hosts/registry-folder.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/hosts/registry-folder.ts"]();
  }
});

// part:src/spec/hosts/tables/containerd-minimums.ts
var require_containerd_minimums = __commonJS({
  "part:src/spec/hosts/tables/containerd-minimums.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/hosts/tables/containerd-minimums.ts"]();
  }
});

// src/kubeadm/host/checks/containerd-package.ts
var installedContainerd, seenContainerd, refuseContainerdOnNode, containerdPackage, debKeyring, rpmFile2, putRpmRepository, fromRepository, containerdVersion, containerdHold;
var init_containerd_package = __esm({
  "src/kubeadm/host/checks/containerd-package.ts"() {
    "use strict";
    installedContainerd = `containerd --version | awk '{ sub(/^v/, "", $3); sub(/[~+-].*/, "", $3); print $3 }'`;
    seenContainerd = `
has containerd || failed "it is not installed"
now=$(${installedContainerd}) || failed "containerd does not run"
[ -n "$now" ] || failed "containerd shows no version"
[ -z "$wanted" ] || [ "$now" = "$wanted" ] || failed "$now, wanted is $wanted"
least=
for one in $minimums; do
  least=$one
  [ "\${one%.*}" != "\${now%.*}" ] || break
done
[ -z "$least" ] || at_least "$now" "$least" || failed "$now, but this Kubernetes needs $least or newer"`;
    refuseContainerdOnNode = `
if is_joined && has containerd; then
  refuse "containerd runs the pods of a node here: another version of it is an upgrade, for which the node is drained"
fi`;
    containerdPackage = `
package=
for one in containerd.io containerd; do
  if [ "$family" = debian ]; then
    if [ "$(dpkg-query -W -f='\${db:Status-Status}' "$one" 2>/dev/null)" = installed ]; then package=$one; fi
  elif rpm -q "$one" >/dev/null 2>&1; then
    package=$one
  fi
done`;
    debKeyring = "/etc/apt/keyrings/hcloud-talos-docker.gpg";
    rpmFile2 = "/etc/yum.repos.d/hcloud-talos-docker.repo";
    putRpmRepository = `
put ${rpmFile2} 644 <<END
[hcloud-talos-docker]
name=containerd of Docker
baseurl=$repository/linux/$docker/\\$releasever/\\$basearch/stable
enabled=1
gpgcheck=1
gpgkey=\${key:-$repository/linux/$docker/gpg}
exclude=containerd.io
END`;
    fromRepository = `
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
fi`;
    containerdVersion = {
      id: "containerd-version",
      words: "containerd is installed from a package, in the version that is wanted",
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
fi`
    };
    containerdHold = {
      id: "containerd-hold",
      words: "the package of containerd is held",
      probe: `
${containerdPackage}
[ -n "$package" ] || failed "there is no package of containerd"
if [ "$family" = debian ]; then
  held=$(apt-mark showhold)
  if grep -qx "$package" <<<"$held"; then passed "$package is held"; fi
  failed "$package is not held"
fi
if grep -qsx "exclude=$package" ${rpmFile2}; then passed "${rpmFile2} leaves it out"; fi
failed "${rpmFile2} does not leave it out"`,
      apply: `
${containerdPackage}
[ -n "$package" ] || refuse "there is no package of containerd"
if [ "$family" = debian ]; then
  apt-mark hold "$package" >&2
else
  [ "$source" != distribution ] || refuse "$release has no containerd of its own: take it from a repository"
  [ -f ${rpmFile2} ] || ${putRpmRepository.trim()}
  sed -i -e '/^exclude=/d' -e "/^gpgkey=/a exclude=$package" ${rpmFile2}
fi`
    };
  }
});

// src/kubeadm/host/checks/containerd-binaries.ts
var unitPath2, unit2, pluginsMarker, digestOf, containerdBinaries;
var init_containerd_binaries = __esm({
  "src/kubeadm/host/checks/containerd-binaries.ts"() {
    "use strict";
    init_containerd_package();
    unitPath2 = "/etc/systemd/system/containerd.service";
    unit2 = `[Unit]
Description=containerd container runtime
After=network.target dbus.service

[Service]
ExecStartPre=-/sbin/modprobe overlay
ExecStart=/usr/local/bin/containerd
Type=notify
Delegate=yes
KillMode=process
Restart=always
RestartSec=5
LimitNPROC=infinity
LimitCORE=infinity
TasksMax=infinity
OOMScoreAdjust=-999

[Install]
WantedBy=multi-user.target`;
    pluginsMarker = "/opt/cni/bin/.hcloud-talos-sha256";
    digestOf = `digest_of() { awk -F'\\t' -v name="$1" '$1 == name { print $2 }' <<<"$files"; }`;
    containerdBinaries = {
      id: "containerd-files",
      words: "containerd is installed in the version that is wanted, with the runc and the plugins of CNI that the cluster file names",
      probe: `
${seenContainerd}
${digestOf}
runc=$(sha256sum 2>/dev/null </usr/local/sbin/runc || echo none)
[ "\${runc%% *}" = "$(digest_of runc)" ] || failed "another runc: \${runc:0:16}"
holds ${pluginsMarker} "$(digest_of cni-plugins)" || failed "the plugins of CNI are other ones, or not all of them"
holds ${unitPath2} '${unit2}' || failed "${unitPath2} is not as it should be"
passed "$now"`,
      apply: `
${refuseContainerdOnNode}
${digestOf}
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
while IFS=$'\\t' read -r name digest at; do
  fetch "$at" "$work/$name"
  echo "$digest  $work/$name" | sha256sum --check --quiet >&2
done <<<"$files"
mkdir "$work/unpacked"
tar -xzf "$work/containerd" --no-same-owner -C "$work/unpacked"
put /usr/local/sbin/runc 755 <"$work/runc"
mkdir -p /opt/cni/bin
rm -f -- ${pluginsMarker}
tar -xzf "$work/cni-plugins" --no-same-owner -C /opt/cni/bin
digest_of cni-plugins | put ${pluginsMarker} 644
put ${unitPath2} 644 <<'END'
${unit2}
END
systemctl daemon-reload
for program in "$work"/unpacked/bin/*; do
  [ "\${program##*/}" = containerd ] || put "/usr/local/bin/\${program##*/}" 755 <"$program"
done
put /usr/local/bin/containerd 755 <"$work/unpacked/bin/containerd"`
    };
  }
});

// src/kubeadm/host/checks/containerd-files.ts
var configPath, chooseConfig, writtenTime, isStartedAfter, containerdFile, registryFiles, crictlPath, crictlText, crictlFile, containerdService;
var init_containerd_files = __esm({
  "src/kubeadm/host/checks/containerd-files.ts"() {
    "use strict";
    init_containerd_package();
    configPath = "/etc/containerd/config.toml";
    chooseConfig = `
version=$(${installedContainerd})
[ -n "$version" ] || exit 1
case $version in
  1.*) config=$config_2 ;;
  *) config=$config_3 ;;
esac`;
    writtenTime = `
read_at_start=(${configPath} "$(command -v containerd || true)" /etc/systemd/system/containerd.service)
written=$({ stat -L -c %Y -- "\${read_at_start[@]}" 2>/dev/null || true; } | sort -n | tail -n1)`;
    isStartedAfter = `
started=$(date -d "$(systemctl show --timestamp=utc --property=ExecMainStartTimestamp --value containerd)" +%s)
${writtenTime}
[ "$started" -gt "$written" ]`;
    containerdFile = {
      id: "containerd-config",
      words: "the config of containerd is of the schema of its version, with cgroups by systemd",
      probe: `
has containerd || failed "containerd is not installed"
${chooseConfig}
[ -f ${configPath} ] || failed "${configPath} is not there"
holds ${configPath} "$config" || failed "${configPath} differs: sha256 $(sha256sum <${configPath} | cut -c1-16)"
passed "sha256 $(sha256sum <${configPath} | cut -c1-16), $(head -n2 ${configPath} | tail -n1)"`,
      apply: `
if is_joined; then
  if ! grep -qsE '^[[:space:]]*SystemdCgroup[[:space:]]*=[[:space:]]*true' ${configPath}; then
    refuse "the pods of this node run with cgroups by cgroupfs: drain the node and reset the host first"
  fi
  refuse "containerd runs the pods of a node here: another config restarts it, for which the node is drained"
fi
if grep -qsx 'cgroupDriver: cgroupfs' /var/lib/kubelet/config.yaml; then
  refuse "the kubelet of this host has cgroups by cgroupfs: drain the node and reset the host first"
fi
${chooseConfig}
printf '%s\\n' "$config" | put ${configPath} 644`
    };
    registryFiles = {
      id: "registry-mirrors",
      words: "mirrors of registries are as the cluster file has them",
      probe: `
wrong=
for ((at = 0; at < \${#rest[@]}; at += 2)); do
  holds "/etc/containerd/certs.d/\${rest[at]}/hosts.toml" "\${rest[at + 1]}" || wrong+=" \${rest[at]}"
done
[ -z "$wrong" ] || failed "differs:$wrong"
passed "$((\${#rest[@]} / 2)) registries with mirrors"`,
      apply: `
for ((at = 0; at < \${#rest[@]}; at += 2)); do
  printf '%s\\n' "\${rest[at + 1]}" | put "/etc/containerd/certs.d/\${rest[at]}/hosts.toml" 644
done`
    };
    crictlPath = "/etc/crictl.yaml";
    crictlText = `runtime-endpoint: unix:///run/containerd/containerd.sock
image-endpoint: unix:///run/containerd/containerd.sock`;
    crictlFile = {
      id: "crictl-config",
      words: "crictl asks containerd",
      probe: `
holds ${crictlPath} '${crictlText}' || failed "${crictlPath} is not as it should be"
passed "${crictlPath}"`,
      apply: `
put ${crictlPath} 644 <<'END'
${crictlText}
END`
    };
    containerdService = {
      id: "containerd-service",
      words: "containerd runs with its config, also after a reboot",
      probe: `
state="$(systemctl is-active containerd || true), $(systemctl is-enabled containerd 2>/dev/null || true)"
[ "$state" = "active, enabled" ] || failed "$state"
${isStartedAfter} || failed "$state, started before its config was written"
[ -S /run/containerd/containerd.sock ] || failed "$state, without a socket"
passed "$state"`,
      apply: `
systemctl enable containerd >&2
if is_joined && systemctl is-active --quiet containerd >&2; then
${isStartedAfter} || refuse "containerd runs the pods of a node here with a former config: it is restarted when the node is drained"
  return 0
fi
${writtenTime}
# A time that is ahead of the clock would never be before a start.
[ "$written" -le "$(date +%s)" ] || touch -c -- "\${read_at_start[@]}"
${writtenTime}
for _ in {1..50}; do
  [ "$(date +%s)" -le "$written" ] || break
  sleep 0.1
done
systemctl restart containerd >&2
for _ in {1..30}; do
  [ ! -S /run/containerd/containerd.sock ] || break
  sleep 1
done`
    };
  }
});

// src/kubeadm/host/containerd-config.ts
function containerdConfig(schema, pauseImage2) {
  const { sandbox, registry, runc, options } = schemas[schema];
  return [
    `# Written by hcloud-talos: changes are undone. Files of /etc/containerd/conf.d are kept.`,
    `version = ${schema}`,
    `imports = ["/etc/containerd/conf.d/*.toml"]`,
    `${sandbox} = ${JSON.stringify(pauseImage2)}`,
    registry,
    `  config_path = "/etc/containerd/certs.d"`,
    runc,
    `  runtime_type = "io.containerd.runc.v2"`,
    options,
    `  SystemdCgroup = true`
  ].join("\n");
}
function registryHosts(registry, mirrors) {
  const server = registry === "*" ? void 0 : servers[registry] ?? `https://${registry}`;
  const hosts = mirrors.map(
    (mirror) => `
[host.${JSON.stringify(mirror)}]
  capabilities = ["pull", "resolve"]`
  );
  return [...server === void 0 ? [] : [`server = ${JSON.stringify(server)}`], ...hosts].join("\n").trim();
}
var schemas, servers;
var init_containerd_config = __esm({
  "src/kubeadm/host/containerd-config.ts"() {
    "use strict";
    schemas = {
      /** containerd 1.6 and 1.7. */
      2: {
        sandbox: `[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image`,
        registry: `[plugins."io.containerd.grpc.v1.cri".registry]`,
        runc: `[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]`,
        options: `[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]`
      },
      /** containerd 2, also where it has a newer one: it reads this one too, and so does an older containerd 2. */
      3: {
        sandbox: `[plugins.'io.containerd.cri.v1.images'.pinned_images]
  sandbox`,
        registry: `[plugins.'io.containerd.cri.v1.images'.registry]`,
        runc: `[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]`,
        options: `[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]`
      }
    };
    servers = { "docker.io": "https://registry-1.docker.io" };
  }
});

// src/kubeadm/host/runtime-ready.ts
function runtimeReady(options) {
  const { kubernetesVersion, version, source, pauseImage: pauseImage2, registryMirrors, hasGpu } = options;
  const minor = (0, import_version_matrix2.parseVersion)(kubernetesVersion)?.minor ?? 0;
  const parameters = {
    wanted: version ?? "",
    minimums: (0, import_containerd_minimums.containerdMinimums)(minor).join(" "),
    source: source.type,
    repository: source.type === "distribution" ? "" : repositoryUrl(source, "https://download.docker.com"),
    key: source.type === "mirror" ? source.key ?? "" : "",
    files: fileLines(source),
    config_2: containerdConfig(2, pauseImage2),
    config_3: containerdConfig(3, pauseImage2)
  };
  return {
    id: "runtime_ready",
    parameters: Object.keys(parameters),
    args: [
      ...Object.values(parameters),
      ...Object.entries(registryMirrors).flatMap(([registry, mirrors]) => [
        folderOf(registry),
        registryHosts(registry, mirrors)
      ])
    ],
    checks: [
      ...source.type === "files" ? [containerdBinaries] : [containerdVersion, containerdHold],
      containerdFile,
      registryFiles,
      crictlFile,
      containerdService,
      ...hasGpu ? gpuChecks : []
    ]
  };
}
function folderOf(registry) {
  const folder = (0, import_registry_folder.registryFolder)(registry);
  if (folder === void 0) throw new Error(`no name of a registry: ${registry}`);
  return folder;
}
var import_registry_folder, import_containerd_minimums, import_version_matrix2;
var init_runtime_ready = __esm({
  "src/kubeadm/host/runtime-ready.ts"() {
    "use strict";
    import_registry_folder = __toESM(require_registry_folder(), 1);
    import_containerd_minimums = __toESM(require_containerd_minimums(), 1);
    import_version_matrix2 = __toESM(require_version_matrix(), 1);
    init_containerd_binaries();
    init_containerd_files();
    init_containerd_package();
    init_gpu();
    init_containerd_config();
    init_package_source();
  }
});

// src/kubeadm/host/steps-of-host.ts
function stepsOfHost(spec, { name, role }, { arch, version }) {
  const { runtime, packages: packages2, registryMirrors } = spec.kubeadm;
  const ofHost = (source) => sourceOf(source, arch);
  return [
    osReady(whoReaches(spec, name)),
    runtimeReady({
      kubernetesVersion: version,
      version: runtime.version,
      source: runtime.source.type === "distribution" ? runtime.source : ofHost(runtime.source),
      pauseImage: pauseImage(version),
      registryMirrors,
      hasGpu: role === "gpu-worker"
    }),
    kubeadmReady({ version, newestMinor: import_kubeadm_range.newestKubernetes, source: ofHost(packages2) })
  ];
}
function firewallOfHost(spec, name) {
  return firewallStep(whoReaches(spec, name));
}
function whoReaches({ network, hosts }, name) {
  const nodes2 = hosts.filter((one) => one.name !== name).map(({ nodeIp }) => nodeIp);
  return { podRange: network.podRange, nodes: nodes2 };
}
function stepBeforeUpgrade(spec, { arch, version }) {
  const source = sourceOf(spec.kubeadm.packages, arch);
  return kubeadmAhead({ version, newestMinor: import_kubeadm_range.newestKubernetes, source });
}
function filesForHost({ kubeadm: { runtime, packages: packages2 } }, arch) {
  const sources = [
    ...runtime.source.type === "distribution" ? [] : [runtime.source],
    packages2
  ];
  return sources.flatMap(
    (source) => source.type === "files" ? source.files.filter((file) => file.arch === arch && !isAddress(file.from)) : []
  );
}
function hostPathOf({ name, sha256: sha2562 }) {
  return `${hostFilesFolder}/${sha2562.slice(0, 16)}-${name}`;
}
function sourceOf(source, arch) {
  if (source.type !== "files") return source;
  const files = source.files.filter((file) => file.arch === arch).map(
    (file) => ({
      name: file.name,
      sha256: file.sha256,
      at: isAddress(file.from) ? file.from : hostPathOf(file)
    })
  );
  return { type: "files", files };
}
function isAddress(from) {
  return /^https?:\/\//.test(from);
}
var import_kubeadm_range, hostFilesFolder;
var init_steps_of_host = __esm({
  "src/kubeadm/host/steps-of-host.ts"() {
    "use strict";
    import_kubeadm_range = __toESM(require_kubeadm_range(), 1);
    init_kubeadm_ready();
    init_os_ready();
    init_pause_image();
    init_runtime_ready();
    hostFilesFolder = "/var/lib/hcloud-talos/files";
  }
});

// src/run/kubeadm/look-at-host.ts
async function lookAtHost(remote, { spec, host, version, calendar }) {
  const { endpoint } = spec.kubeadm;
  const from = calendar.now();
  const printed2 = await scriptOutput(remote, {
    title: "look at the host",
    text: lookScript,
    args: [endpoint.type === "virtualIp" ? endpoint.address : ""],
    withinMs: lookMs,
    isRepeatable: true
  });
  const look3 = readLook(printed2, { from, to: calendar.now() });
  const { arch } = look3.traces;
  const steps = stepsOfHost(spec, host, { arch, version });
  const prepared = preparedHost(remote);
  const evidence = await Promise.all(steps.map((step2) => probeStep(prepared, step2)));
  return { ...look3, name: host.name, evidence: evidence.flat() };
}
function preparedHost(remote, withinMs5 = lookMs) {
  return {
    name: remote.host.name,
    clock: remote.clock,
    runScript: (text, args) => (0, import_run_script4.runScript)(remote, { title: "prepare the host", text, args, withinMs: withinMs5, isRepeatable: true })
  };
}
var import_run_script4, lookMs;
var init_look_at_host = __esm({
  "src/run/kubeadm/look-at-host.ts"() {
    "use strict";
    init_look_script();
    init_prepare_host();
    init_read_look();
    init_steps_of_host();
    import_run_script4 = __toESM(require_run_script(), 1);
    init_host_script();
    lookMs = 12e4;
  }
});

// part:src/store/trust/state-damage.ts
var require_state_damage = __commonJS({
  "part:src/store/trust/state-damage.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/store/trust/state-damage.ts"]();
  }
});

// part:src/run/cluster-unknown.ts
var require_cluster_unknown = __commonJS({
  "part:src/run/cluster-unknown.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/cluster-unknown.ts"]();
  }
});

// src/run/kubeadm/refuse-unknown-cluster.ts
function refuseUnknownCluster(spec, looks) {
  const marked = [...looks.values()].flatMap(
    (look3) => look3.kind === "seen" && look3.host.mark?.cluster === spec.clusterName && !look3.host.mark.hasLeft ? [look3.host.name] : []
  );
  refuseMarkedHosts(spec, marked);
}
function refuseMarkedHosts({ clusterName, state: { branch } }, marked) {
  const [first] = marked;
  if (first === void 0) return;
  throw new import_cluster_error6.ClusterError(
    "state-missing",
    `${marked.length === 1 ? `${first} is a host` : `${first} and ${marked.length - 1} more are hosts`} of a cluster ${clusterName}, and the branch ${branch} knows nothing of it`,
    {
      operation: "read the state of",
      target: clusterName,
      hint: (0, import_cluster_unknown.lostState)(clusterName, branch)
    }
  );
}
function refuseOtherHosts({ manifest: { cluster, uid } }, looks) {
  const other = [...looks.values()].flatMap((look3) => {
    if (look3.kind !== "seen") return [];
    const { mark, name } = look3.host;
    return mark && mark.cluster === cluster && mark.uid !== uid && !mark.hasLeft ? [{ name, uid: mark.uid }] : [];
  });
  const [first] = other;
  if (first === void 0) return;
  throw (0, import_state_damage.stateDamage)(
    "state-other-cluster",
    cluster,
    `the state is that of the cluster ${cluster} with the uid ${uid}, and ${first.name} is of another cluster of this name, with the uid ${first.uid}`
  );
}
var import_cluster_error6, import_state_damage, import_cluster_unknown;
var init_refuse_unknown_cluster = __esm({
  "src/run/kubeadm/refuse-unknown-cluster.ts"() {
    "use strict";
    import_cluster_error6 = __toESM(require_cluster_error(), 1);
    import_state_damage = __toESM(require_state_damage(), 1);
    import_cluster_unknown = __toESM(require_cluster_unknown(), 1);
  }
});

// src/run/kubeadm/observe-hosts.ts
async function observeHosts(session, environment = /* @__PURE__ */ new Map()) {
  const { store, spec } = session;
  const generation = await store.read();
  const inventory = generation?.inventory;
  const neighbours = generation ? void 0 : await store.clusters();
  const known = knownHosts(spec, inventory);
  const looks = await lookAtHosts(session, known, inventory);
  for (const mark of marksOf(looks, inventory?.uid)) {
    if (generation) (0, import_refuse_older.refuseOlder)(generation, mark, "a host remembers");
  }
  if (!generation) refuseUnknownCluster(spec, looks);
  const { secrets, versions } = await (0, import_named_secrets2.viewSecrets)(spec, generation, { store, environment });
  const reached = await seeCluster(session, { known, looks, inventory });
  return {
    spec: (0, import_secret_references.withSecretVersions)(spec, versions),
    secrets,
    generation,
    neighbours,
    hosts: looks,
    ...reached,
    nodes: hostNodes(spec, inventory)
  };
}
async function lookAtHosts(session, known, inventory) {
  const looks = await Promise.allSettled(
    known.map(async (host) => [host.name, await look(session, host, inventory)])
  );
  return new Map(
    looks.map((one) => {
      if (one.status === "rejected") throw one.reason;
      return one.value;
    })
  );
}
async function look({ hosts, spec, tools: { calendar }, signal }, host, inventory) {
  const { name } = host;
  const remote = await hosts.to(host);
  const late = Promise.withResolvers();
  const timer = setTimeout(
    () => late.reject(new import_cluster_error7.ClusterError("ssh-failed", `no answer in ${answerWithinMs / 1e3} s`)),
    answerWithinMs
  );
  try {
    await Promise.race([remote.connect(), late.promise]);
    const version = versionOfHost(name, spec, inventory);
    const seen = await lookAtHost(remote, { spec, host, version, calendar });
    return { kind: "seen", host: seen, hostKey: remote.host.hostKey.text ?? "" };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof import_cluster_error7.ClusterError) || !isPassing(error)) throw error;
    return { kind: "unreached", name, because: error.message };
  } finally {
    clearTimeout(timer);
  }
}
function isPassing({ code }) {
  return passing.has(code);
}
function marksOf(looks, uid) {
  return [...looks.values()].flatMap(
    (one) => one.kind === "seen" && one.host.mark?.uid === uid && one.host.mark ? [one.host.mark] : []
  );
}
async function seeCluster(session, { known, looks, inventory }) {
  const controlPlanes = known.filter(({ name }) => isControlPlane(looks.get(name), inventory));
  if (controlPlanes.length > 0) return askThrough(session, controlPlanes, looks);
  if (!inventory?.bootstrapped) return { cluster: void 0 };
  const isUnmarked = [...looks.values()].some((one) => lacksMark(one, inventory));
  return {
    cluster: void 0,
    unasked: isUnmarked ? "its control planes are not marked as its own: an adoption was cut off, and `hcloud-talos adopt` ends it" : "no control plane of it answers"
  };
}
async function askThrough(session, controlPlanes, looks) {
  var _stack = [];
  try {
    const { tools, signal } = session;
    const reach2 = __using(_stack, new HostsReach({ ...tools, signal }));
    reach2.use(controlPlanes.map((host) => reachedBy(session, host)));
    const late = AbortSignal.timeout(clusterWithinMs);
    try {
      return { cluster: await askCluster(reach2, looks, AbortSignal.any([signal, late])) };
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) return { cluster: void 0, unasked: "it took too long to answer" };
      if (error instanceof import_cluster_error7.ClusterError) return { cluster: void 0, unasked: error.message };
      throw error;
    }
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    __callDispose(_stack, _error, _hasError);
  }
}
function isControlPlane(look3, inventory) {
  if (look3?.kind !== "seen" || inventory === void 0) return false;
  const { mark, traces } = look3.host;
  if (!traces.hasAdminConf || mark?.uid !== inventory.uid || mark.hasLeft) return false;
  return inventory.authority === void 0 || inventory.authority === traces.caHash;
}
function lacksMark(look3, { authority: authority2 }) {
  if (look3.kind !== "seen" || authority2 === void 0) return false;
  const { mark, traces } = look3.host;
  return mark === void 0 && traces.hasAdminConf && traces.caHash === authority2;
}
function reachedBy(session, host) {
  return { name: host.name, nodeIp: host.nodeIp, remote: () => session.hosts.to(host) };
}
async function kept(kubernetes, name, key2) {
  const ref = { apiVersion: "v1", kind: "ConfigMap", namespace: "kube-system", name };
  const map = await kubernetes.get(ref);
  const text = map && (0, import_kubernetes_object.textAt)(map, "data", key2);
  return text === void 0 ? void 0 : readConfiguration(text);
}
async function askCluster(reach2, looks, signal) {
  const { through, members } = await reach2.members();
  const kubernetes = reach2.kubernetesOnce(signal);
  const [nodes2, configuration, kubeletConfiguration2] = await Promise.all([
    (0, import_nodes.listNodes)(kubernetes),
    kept(kubernetes, "kubeadm-config", "ClusterConfiguration"),
    kept(kubernetes, "kubelet-config", "kubelet")
  ]);
  const look3 = looks.get(through);
  return {
    through,
    caHash: (look3?.kind === "seen" ? look3.host.traces.caHash : void 0) ?? "",
    configuration,
    kubeletConfiguration: kubeletConfiguration2,
    members,
    nodes: nodes2.map((node) => ({
      name: node.name,
      isControlPlane: node.controlPlane,
      isReady: node.ready,
      notReadyBecause: node.notReadyBecause,
      kubeletVersion: node.kubeletVersion.replace(/^v/, ""),
      machineId: node.machineId,
      internalIp: node.internalIp,
      isCordoned: node.unschedulable,
      cordonedBy: node.cordonedBy,
      labels: node.labels,
      taints: node.taints.map(({ key: key2, value, effect }) => ({
        key: key2,
        ...value !== void 0 && { value },
        effect
      }))
    }))
  };
}
var import_nodes, import_cluster_error7, import_kubernetes_object, import_secret_references, import_refuse_older, import_named_secrets2, answerWithinMs, clusterWithinMs, passing;
var init_observe_hosts = __esm({
  "src/run/kubeadm/observe-hosts.ts"() {
    "use strict";
    init_read_configuration();
    import_nodes = __toESM(require_nodes(), 1);
    import_cluster_error7 = __toESM(require_cluster_error(), 1);
    import_kubernetes_object = __toESM(require_kubernetes_object(), 1);
    init_host_nodes();
    init_running_version();
    import_secret_references = __toESM(require_secret_references(), 1);
    import_refuse_older = __toESM(require_refuse_older(), 1);
    import_named_secrets2 = __toESM(require_named_secrets(), 1);
    init_hosts_reach();
    init_known_hosts();
    init_look_at_host();
    init_refuse_unknown_cluster();
    answerWithinMs = 3e4;
    clusterWithinMs = 45e3;
    passing = /* @__PURE__ */ new Set([
      "ssh-failed",
      "ssh-interrupted",
      "script-timeout",
      "wait-timeout"
    ]);
  }
});

// src/run/kubeadm/reach-in-view.ts
function reachInView(session, view) {
  const reach2 = new HostsReach({ ...session.tools, signal: session.signal });
  const { hosts, cluster } = foundIn(view);
  const controlPlanes = new Set(
    (cluster?.nodes ?? []).flatMap(({ name, isControlPlane: isControlPlane3 }) => isControlPlane3 ? [name] : [])
  );
  reach2.use(
    knownHosts(view.spec, view.generation?.inventory).filter(({ name }) => controlPlanes.has(name) && hosts.has(name)).map((host) => reachedBy(session, host))
  );
  return reach2;
}
var init_reach_in_view = __esm({
  "src/run/kubeadm/reach-in-view.ts"() {
    "use strict";
    init_found_in_view();
    init_hosts_reach();
    init_known_hosts();
    init_observe_hosts();
  }
});

// part:src/run/render-for-people.ts
var require_render_for_people = __commonJS({
  "part:src/run/render-for-people.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/render-for-people.ts"]();
  }
});

// part:src/run/run-phase.ts
var require_run_phase = __commonJS({
  "part:src/run/run-phase.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/run-phase.ts"]();
  }
});

// src/commands/modes/kubeadm/hosts-addons.ts
var import_catalogue2, import_compare_installed, import_addon_cluster, import_addon_renderer, import_named_secrets3, import_render_for_people, import_run_phase, answerWithinMs2, hostsAddons;
var init_hosts_addons = __esm({
  "src/commands/modes/kubeadm/hosts-addons.ts"() {
    "use strict";
    import_catalogue2 = __toESM(require_catalogue(), 1);
    import_compare_installed = __toESM(require_compare_installed(), 1);
    import_addon_cluster = __toESM(require_addon_cluster(), 1);
    init_addons_of_hosts();
    import_addon_renderer = __toESM(require_addon_renderer(), 1);
    init_reach_in_view();
    import_named_secrets3 = __toESM(require_named_secrets(), 1);
    import_render_for_people = __toESM(require_render_for_people(), 1);
    import_run_phase = __toESM(require_run_phase(), 1);
    answerWithinMs2 = 6e4;
    hostsAddons = {
      namesOf: (spec) => (0, import_catalogue2.enabledAddons)(spec, addonsOfHosts).map(({ name }) => name),
      render: (context, from, chosen) => (0, import_render_for_people.renderForPeople)(context, from, { addonsOf: addonsOfHosts, chosen }),
      async compare(context, { session, view }, chosen) {
        var _stack = [];
        try {
          const { uid, addons: recorded } = view.generation.inventory;
          const reach2 = __using(_stack, reachInView(session, view));
          return await (0, import_run_phase.runPhase)(context.progress, "Compare the objects of the addons", async (phase) => {
            const client = await reach2.kubernetes(answerWithinMs2, (reason) => phase.step(reason));
            const { clock: clock2, signal } = context;
            const cluster = (0, import_addon_cluster.createAddonCluster)(client, { clock: clock2, signal });
            const given2 = (0, import_named_secrets3.givenSecrets)(context, session.spec);
            const renderer = (0, import_addon_renderer.addonRenderer)(
              context,
              async () => new Map([...await (0, import_named_secrets3.readKept)(session.store), ...given2])
            );
            const compared = { addonsOf: addonsOfHosts, cluster, renderer, recorded, chosen };
            return await (0, import_compare_installed.compareInstalled)(view.spec, { uid }, compared);
          });
        } catch (_) {
          var _error = _, _hasError = true;
        } finally {
          __callDispose(_stack, _error, _hasError);
        }
      }
    };
  }
});

// part:src/lib/findings-error.ts
var require_findings_error = __commonJS({
  "part:src/lib/findings-error.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/findings-error.ts"]();
  }
});

// src/kubeadm/cluster/compared-configuration.ts
function comparedConfiguration(configuration) {
  const networking = objectIn(configuration, "networking");
  const apiServer = objectIn(configuration, "apiServer");
  const sans = apiServer["certSANs"];
  return {
    version: textIn(configuration, "kubernetesVersion")?.replace(/^v/, ""),
    endpoint: textIn(configuration, "controlPlaneEndpoint"),
    podRange: textIn(networking, "podSubnet"),
    serviceRange: textIn(networking, "serviceSubnet"),
    dnsDomain: textIn(networking, "dnsDomain"),
    hasKubeProxy: objectIn(configuration, "proxy")["disabled"] !== true,
    certSans: (Array.isArray(sans) ? sans : []).map(String).sort(),
    apiServer: argumentsOf(apiServer),
    controllerManager: argumentsOf(objectIn(configuration, "controllerManager")),
    scheduler: argumentsOf(objectIn(configuration, "scheduler"))
  };
}
function argumentsOf(component) {
  const list = component["extraArgs"];
  const named = (Array.isArray(list) ? list : []).flatMap((one) => {
    const name = (0, import_json2.isJsonObject)(one) ? textIn(one, "name") : void 0;
    return (0, import_json2.isJsonObject)(one) && name !== void 0 ? [[name, one["value"] ?? ""]] : [];
  });
  return Object.fromEntries(named);
}
function objectIn(object, key2) {
  const value = object[key2];
  return (0, import_json2.isJsonObject)(value) ? value : {};
}
function textIn(object, key2) {
  const value = object[key2];
  return typeof value === "string" ? value : void 0;
}
var import_json2;
var init_compared_configuration = __esm({
  "src/kubeadm/cluster/compared-configuration.ts"() {
    "use strict";
    import_json2 = __toESM(require_json(), 1);
  }
});

// src/planner/kubeadm/describe-adoption.ts
function describeAdoption(view, { clusterName, uid, authority: authority2, nodes: nodes2 }, findings) {
  const { configuration } = view.cluster ?? {};
  const { endpoint } = configuration ? comparedConfiguration(configuration) : {};
  const namesOf = (role) => nodes2.filter((node) => node.role === role).map(({ name }) => name).toSorted(byName).join(", ") || "none";
  const known = new Set(nodes2.map(({ name }) => name));
  const names = view.spec.hosts.map(({ name }) => name);
  const added = names.filter((name) => !known.has(name)).join(", ");
  return [
    `cluster ${clusterName}, from now on known by the uid ${uid}`,
    `authority ${authority2 ?? "unknown"}`,
    `Kubernetes ${runningKubernetes(foundIn(view)) ?? "unknown"} at ${endpoint ?? "the address of its control plane"}`,
    `control planes: ${namesOf("control-plane")}`,
    `workers: ${namesOf("worker")}`,
    ...added === "" ? [] : [`in the file and no node yet, so that an apply joins them: ${added}`],
    ...findings.map(({ message }) => `note: ${message}`),
    `a mark is written on each of its hosts (/var/lib/hcloud-talos), and what was found onto the branch ${view.spec.state.branch}; nothing else is changed`
  ];
}
var init_describe_adoption = __esm({
  "src/planner/kubeadm/describe-adoption.ts"() {
    "use strict";
    init_compared_configuration();
    init_found_cluster();
    init_found_in_view();
  }
});

// src/kubeadm/cluster/stray-members.ts
function strayMembers(found, wanted) {
  const members = found.cluster?.members ?? [];
  const isKnown = ({ name }) => wanted.has(name) || knownNode(found, name) !== void 0 || seenNode(found, name)?.isControlPlane === true;
  const strays = members.filter((member) => !hasStarted(member) || !isKnown(member)).toSorted(byId);
  return {
    removable: strays.filter((member) => !hasStarted(member) || member.isHealthy === false),
    foreign: strays.filter((member) => hasStarted(member) && member.isHealthy !== false)
  };
}
function hasStarted({ name }) {
  return name !== "";
}
function describeMember({ id, name, peerUrls }) {
  return name === "" ? `${id} at ${peerUrls.join(", ")}, which never started` : `${id} (${name})`;
}
function byId(a, b) {
  return a.id < b.id ? -1 : 1;
}
var init_stray_members = __esm({
  "src/kubeadm/cluster/stray-members.ts"() {
    "use strict";
    init_found_cluster();
  }
});

// src/kubeadm/cluster/certificate-ends.ts
function certificatesField(found, name, now) {
  const end = found.hosts.get(name)?.traces.certificatesEnd;
  if (end === void 0 || !isMember(found, name)) return {};
  if (runningRole(found, name) !== "control-plane") return {};
  const isDue = now !== void 0 && end - now <= endsSoonMs;
  return { certificates: isDue ? "renewed" : `until ${dayOf(end)}` };
}
function dayOf(time) {
  return new Date(time).toISOString().slice(0, 10);
}
var endsSoonMs;
var init_certificate_ends = __esm({
  "src/kubeadm/cluster/certificate-ends.ts"() {
    "use strict";
    init_found_cluster();
    endsSoonMs = 30 * 24 * 36e5;
  }
});

// src/planner/kubeadm/hosts-finding.ts
function hostsFinding(severity, message, hint, path = ["hosts"]) {
  return { severity, path, message, hint };
}
var init_hosts_finding = __esm({
  "src/planner/kubeadm/hosts-finding.ts"() {
    "use strict";
  }
});

// src/planner/kubeadm/cluster-findings.ts
function clusterFindings(view, now) {
  return [...shapeFindings(view), ...certificateEnds(view, now), ...missingInterfaces(view)];
}
function shapeFindings(view) {
  return [...strangers(view), ...evenMembers(view), ...addressHolders(view), ...kubeletSkew(view)];
}
function strangers(view) {
  const found = foundIn(view);
  const wanted = new Set(view.spec.hosts.map(({ name }) => name));
  const nodes2 = (view.cluster?.nodes ?? []).map(({ name }) => name).filter((name) => !wanted.has(name) && knownNode(found, name) === void 0).toSorted().map(
    (name) => hostsFinding(
      "warning",
      `the cluster has a node ${name}, which neither hosts nor the state knows: it is left alone`,
      "Add its host to hosts, or remove the node by hand."
    )
  );
  const members = strayMembers(found, wanted).foreign.map(
    (member) => hostsFinding(
      "error",
      `etcd has a member ${describeMember(member)} of no host that is known, and it answers`,
      "Add its host to hosts, or remove the member by hand."
    )
  );
  return [...nodes2, ...members];
}
function evenMembers({ cluster, spec }) {
  const voting = (cluster?.members ?? []).filter(({ isLearner }) => !isLearner);
  const wanted = spec.hosts.filter(({ role }) => role === "control-plane").length;
  if (voting.length < 2 || voting.length % 2 === 1) return [];
  return [
    hostsFinding(
      "warning",
      `etcd has ${voting.length} members, which bear the loss of no more than ${voting.length - 1} do; the file has ${wanted} control planes`,
      "Let an apply end, so that there are as many as the file names."
    )
  ];
}
function addressHolders(view) {
  const { endpoint } = view.spec.kubeadm;
  if (endpoint.type !== "virtualIp" || view.cluster === void 0) return [];
  const holders = [...foundIn(view).hosts.values()].filter(({ traces }) => traces.holdsVip).map(({ name }) => name).toSorted();
  const isSeen = [...view.hosts.values()].every(({ kind }) => kind === "seen");
  if (holders.length === 1 || holders.length === 0 && !isSeen) return [];
  return [
    hostsFinding(
      "warning",
      holders.length === 0 ? `no host has the virtual IP ${endpoint.address}` : `the virtual IP ${endpoint.address} is on ${holders.join(" and ")} at once`,
      "Look at kube-vip on these hosts: one of them alone may have the address.",
      ["kubeadm", "endpoint"]
    )
  ];
}
function missingInterfaces(view) {
  const { endpoint } = view.spec.kubeadm;
  if (endpoint.type !== "virtualIp" || endpoint.interface !== void 0) return [];
  const found = foundIn(view);
  return view.spec.hosts.filter(({ role }) => role === "control-plane").filter(({ name }) => found.hosts.get(name)?.traces.vipInterface === void 0).filter(({ name }) => found.hosts.has(name)).map(
    ({ name }) => hostsFinding(
      "error",
      `${name} has no interface by which it reaches the virtual IP ${endpoint.address}`,
      "Write kubeadm.endpoint.virtualIp.interface, or choose an address in the network of the control planes.",
      ["kubeadm", "endpoint"]
    )
  );
}
function kubeletSkew(view) {
  const server = (0, import_version_matrix3.parseVersion)(runningKubernetes(foundIn(view)) ?? "");
  if (server === void 0) return [];
  const path = ["kubernetes", "version"];
  return (view.cluster?.nodes ?? []).flatMap(({ name, kubeletVersion }) => {
    const kubelet = (0, import_version_matrix3.parseVersion)(kubeletVersion);
    if (kubelet === void 0) return [];
    const text = `${server.major}.${server.minor}.${server.patch}`;
    if ((0, import_version_matrix3.compareVersions)(kubelet, server) > 0) {
      return [
        hostsFinding(
          kubelet.minor > server.minor ? "error" : "warning",
          `the kubelet of ${name} is ${kubeletVersion}, newer than the API server, which is ${text}`,
          "Upgrade the cluster (`hcloud-talos upgrade`), or replace the node by name (--replace).",
          path
        )
      ];
    }
    if (server.minor - kubelet.minor <= mostMinorsBehind) return [];
    return [
      hostsFinding(
        "error",
        `the kubelet of ${name} is ${kubeletVersion}, more than ${mostMinorsBehind} minors older than the API server, which is ${text}`,
        `Replace the node by name: --replace ${name}.`,
        path
      )
    ];
  });
}
function certificateEnds(view, now) {
  const hosts = [...foundIn(view).hosts.values()].toSorted((a, b) => byName(a.name, b.name));
  const isDue = (end) => end !== void 0 && end - now <= endsSoonMs;
  return hosts.flatMap(({ name, traces }) => {
    const { certificatesEnd, authoritiesEnd, hasFixedKubeletClient } = traces;
    const ends = (end) => `${end <= now ? "ended" : "ends"} on ${dayOf(end)}`;
    return [
      ...isDue(authoritiesEnd) ? [
        hostsFinding(
          "warning",
          `the first authority of ${name} ${ends(authoritiesEnd)}`,
          "Move to a new cluster before that day: no command of kubeadm renews an authority."
        )
      ] : [],
      ...isDue(certificatesEnd) && view.cluster === void 0 ? [
        hostsFinding(
          "warning",
          `the first certificate of ${name} ${ends(certificatesEnd)}, and the cluster cannot be asked`,
          "Run kubeadm certs renew all on the host, restart its static pods, and apply again."
        )
      ] : [],
      ...hasFixedKubeletClient && knownNode(foundIn(view), name)?.host?.membership === "member" ? [
        hostsFinding(
          "warning",
          `the kubelet of ${name} has a client certificate in its kubelet.conf, which it does not renew`,
          "Name /var/lib/kubelet/pki/kubelet-client-current.pem there as its certificate and key, and restart the kubelet."
        )
      ] : []
    ];
  });
}
var import_version_matrix3, mostMinorsBehind;
var init_cluster_findings = __esm({
  "src/planner/kubeadm/cluster-findings.ts"() {
    "use strict";
    init_certificate_ends();
    init_found_cluster();
    init_stray_members();
    import_version_matrix3 = __toESM(require_version_matrix(), 1);
    init_found_in_view();
    init_hosts_finding();
    mostMinorsBehind = 3;
  }
});

// src/planner/kubeadm/guard-beginning.ts
function guardBeginning({ spec, generation, neighbours }) {
  if (generation || !neighbours) return [];
  const { clusterName, state } = spec;
  const unnamed = neighbours.filter((name) => !state.alongside.includes(name));
  const [first] = unnamed;
  if (first === void 0) return [];
  const named = [...state.alongside, ...unnamed].join(", ");
  return [
    {
      severity: "error",
      path: ["clusterName"],
      message: `the branch ${state.branch} has no cluster ${clusterName}, but ${unnamed.join(", ")}: an apply would begin a second cluster`,
      hint: `If this file is that of ${first}, write clusterName: ${first} again: a cluster keeps its name for life. If both are wanted, write state.alongside: [${named}].`
    }
  ];
}
var init_guard_beginning = __esm({
  "src/planner/kubeadm/guard-beginning.ts"() {
    "use strict";
  }
});

// part:src/spec/oidc-arguments.ts
var require_oidc_arguments = __commonJS({
  "part:src/spec/oidc-arguments.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/oidc-arguments.ts"]();
  }
});

// src/kubeadm/config/cluster-configuration.ts
function clusterConfiguration(spec) {
  const { clusterName, kubernetes, network, cni } = spec;
  const certSans = [.../* @__PURE__ */ new Set([endpointHost(spec), ...kubernetes.certSans])].sort();
  const apiServerArguments = { ...(0, import_oidc_arguments.oidcArguments)(kubernetes.oidc), ...kubernetes.apiServerExtraArgs };
  return {
    apiVersion: kubeadmApi,
    kind: "ClusterConfiguration",
    clusterName,
    kubernetesVersion: `v${kubernetes.version}`,
    controlPlaneEndpoint: controlPlaneEndpoint(spec),
    networking: {
      podSubnet: network.podRange,
      serviceSubnet: network.serviceRange,
      dnsDomain: network.dnsDomain
    },
    apiServer: { certSANs: certSans, ...extraArguments("extraArgs", apiServerArguments) },
    controllerManager: extraArguments("extraArgs", kubernetes.controllerManagerExtraArgs),
    scheduler: extraArguments("extraArgs", kubernetes.schedulerExtraArgs),
    // Cilium does what kube-proxy would.
    proxy: { disabled: cni.type === "cilium" }
  };
}
var import_oidc_arguments;
var init_cluster_configuration = __esm({
  "src/kubeadm/config/cluster-configuration.ts"() {
    "use strict";
    import_oidc_arguments = __toESM(require_oidc_arguments(), 1);
    init_control_plane_endpoint();
    init_kubeadm_paths();
    init_named_arguments();
  }
});

// src/planner/kubeadm/guard-fixed-configuration.ts
function guardFixedConfiguration(view, replace = []) {
  const { cluster, spec } = view;
  if (cluster?.configuration === void 0) return [];
  const running = comparedConfiguration(cluster.configuration);
  const wanted = comparedConfiguration(clusterConfiguration(spec));
  return [
    ...allFixed.flatMap((fixed) => refuse(fixed, running, wanted)),
    ...guardKubeProxy(running, wanted),
    ...guardAddresses(view, replace)
  ];
}
function refuse({ setting, path, would }, running, wanted) {
  const before = running[setting];
  if (before === void 0 || before === wanted[setting]) return [];
  return [
    {
      severity: "error",
      path,
      message: `${path.join(".")} of the running cluster is ${before} and cannot become ${wanted[setting] ?? "nothing"}: ${would}`,
      hint: `Keep ${before}; another value takes a new cluster.`
    }
  ];
}
function guardKubeProxy(running, wanted) {
  if (running.hasKubeProxy === wanted.hasKubeProxy) return [];
  const message = running.hasKubeProxy ? "the running cluster has kube-proxy, and Cilium would do its work a second time" : "the running cluster has no kube-proxy, and without Cilium nobody would do its work";
  const hint = "Keep cni.type as it was; another one takes a new cluster.";
  return [{ severity: "error", path: ["cni", "type"], message, hint }];
}
function guardAddresses(view, replace) {
  const found = foundIn(view);
  return view.spec.hosts.flatMap(({ name, nodeIp }) => {
    const node = seenNode(found, name);
    if (node?.internalIp === void 0 || node.internalIp === nodeIp) return [];
    if (replace.includes(name)) return [];
    return [
      hostsFinding(
        "error",
        `the node ${name} has the address ${node.internalIp}, and the file has ${nodeIp}: its certificates, and its member of etcd, name the former one`,
        `Keep ${node.internalIp} as its nodeIp, or let it join again with the other one: --replace ${name}.`
      )
    ];
  });
}
var allFixed;
var init_guard_fixed_configuration = __esm({
  "src/planner/kubeadm/guard-fixed-configuration.ts"() {
    "use strict";
    init_compared_configuration();
    init_found_cluster();
    init_cluster_configuration();
    init_found_in_view();
    init_hosts_finding();
    allFixed = [
      {
        setting: "endpoint",
        path: ["kubeadm", "endpoint"],
        would: "certificates and every kubeconfig name the former address"
      },
      {
        setting: "podRange",
        path: ["network", "podRange"],
        would: "each node keeps the part of the former range that it was given"
      },
      {
        setting: "serviceRange",
        path: ["network", "serviceRange"],
        would: "Services keep their addresses, those of DNS and of the Kubernetes API among them"
      },
      {
        setting: "dnsDomain",
        path: ["network", "dnsDomain"],
        would: "pods that run keep the former domain, and certificates name it"
      }
    ];
  }
});

// src/planner/kubeadm/guard-foreign-nodes.ts
function guardForeignNodes(view) {
  const found = foundIn(view);
  const { spec, cluster } = view;
  const pairs = spec.hosts.flatMap((host) => {
    const seen = found.hosts.get(host.name);
    return seen === void 0 ? [] : [{ host, seen, node: nodeOf(view, host, seen) }];
  });
  const matched = new Set(pairs.flatMap(({ node }) => node?.name ?? []));
  const named = new Set(spec.hosts.map(({ name }) => name));
  const others = (cluster?.nodes ?? []).filter(({ name }) => !matched.has(name) && !named.has(name));
  return [
    ...pairs.flatMap(
      ({ host, seen, node }) => node === void 0 ? withoutNode(view, host, seen) : asNode(host, node)
    ),
    ...others.map(notInFile)
  ];
}
function nodeOf({ cluster }, { name }, { machineId: machineId2 }) {
  const nodes2 = cluster?.nodes ?? [];
  const byMachine = nodes2.find((node) => machineId2 !== "" && node.machineId === machineId2);
  return byMachine ?? nodes2.find((node) => node.name === name && !(machineId2 && node.machineId));
}
function asNode({ name, address, role }, node) {
  if (node.name !== name) {
    return [
      hostsFinding(
        "error",
        `the host ${name} (${address}) is the node ${node.name} of the running cluster, by its machine id`,
        `Write name: ${node.name} for it: a node keeps its name.`
      )
    ];
  }
  if (node.isControlPlane === (role === "control-plane")) return [];
  const running = node.isControlPlane ? "control-plane" : "worker";
  return [
    hostsFinding(
      "error",
      `the node ${name} of the running cluster is ${node.isControlPlane ? "a control plane" : "a worker"}, and the file has it as ${role}`,
      `Write role: ${running} for it; another role is a change of its own afterwards.`
    )
  ];
}
function withoutNode(view, { name, address }, { traces }) {
  if (seenNode(foundIn(view), name) !== void 0) {
    return [
      hostsFinding(
        "error",
        `the node ${name} of the running cluster is another machine than the host at ${address}`,
        `Check the address of ${name}.`
      )
    ];
  }
  if (traces.caHash === void 0) return [];
  return [
    hostsFinding(
      "error",
      `${name} has files of the running cluster, which has no node of it`,
      `Restart the kubelet of ${name}, so that it registers its node; or take it out of hosts, or run kubeadm reset on it.`
    )
  ];
}
function notInFile({ name, isControlPlane: isControlPlane3, internalIp }) {
  const place = internalIp === void 0 ? "" : ` (${internalIp})`;
  return isControlPlane3 ? hostsFinding(
    "error",
    `the control plane ${name}${place} of the running cluster is not in hosts`,
    `Add its host to hosts as ${name} with role: control-plane; remove its node and its member of etcd first if it is gone for good.`
  ) : hostsFinding(
    "warning",
    `the node ${name}${place} of the running cluster is not in hosts: it is left alone`,
    `Add its host to hosts as ${name}, if it is to be one of this file.`
  );
}
var init_guard_foreign_nodes = __esm({
  "src/planner/kubeadm/guard-foreign-nodes.ts"() {
    "use strict";
    init_found_cluster();
    init_found_in_view();
    init_hosts_finding();
  }
});

// src/planner/kubeadm/guard-foreign-cluster.ts
function guardForeignCluster(view) {
  const { cluster, unasked } = view;
  if (cluster === void 0) {
    return [
      hostsFinding(
        "error",
        `the cluster of these hosts cannot be asked: ${unasked ?? "no control plane of it answers"}`,
        "Bring its control planes back, so that etcd and the API answer."
      )
    ];
  }
  const { configuration } = cluster;
  const ofConfiguration = configuration === void 0 ? [
    hostsFinding(
      "error",
      "the cluster has no kubeadm-config in kube-system: nobody knows how kubeadm made it",
      `Write it again on a control plane: ${uploadConfig}.`
    )
  ] : configurationFindings(view, configuration);
  return [
    ...guardBeginning(view),
    ...ofConfiguration,
    ...guardFixedConfiguration(view),
    ...guardMinor(view),
    ...guardForeignNodes(view),
    ...guardMembers(view),
    ...shapeFindings(view).filter(({ severity }) => severity === "error")
  ];
}
function configurationFindings(view, configuration) {
  const { apiVersion, certificatesDir, controlPlaneEndpoint: endpoint } = configuration;
  const etcd = objectIn2(configuration, "etcd");
  const { dataDir } = objectIn2(etcd, "local");
  const folders = [
    { name: "certificatesDir", value: certificatesDir, only: `${kubernetesFolder}/pki` },
    { name: "etcd.local.dataDir", value: dataDir, only: "/var/lib/etcd" }
  ];
  return [
    ...apiVersion === kubeadmApi ? [] : [
      hostsFinding(
        "error",
        `kubeadm-config is of ${String(apiVersion)}, and ${kubeadmApi} is the one that is read`,
        `Let the kubeadm of the version that runs write it again: kubeadm config migrate, then ${uploadConfig}.`
      )
    ],
    ...(0, import_json3.isJsonObject)(etcd["external"] ?? null) ? [
      hostsFinding(
        "error",
        "the cluster uses an etcd outside of it (etcd.external in kubeadm-config), which is not adopted",
        "Move etcd onto the control planes first, or leave this cluster as it is."
      )
    ] : [],
    ...folders.flatMap(
      ({ name, value, only }) => value === void 0 || value === "" || value === only ? [] : hostsFinding(
        "error",
        `${name} in kubeadm-config is ${String(value)}, and ${only} is the only one that is looked at`,
        "Leave this cluster as it is: its files are where nobody of us looks."
      )
    ),
    ...endpoint === void 0 || endpoint === "" ? guardNoEndpoint(view) : []
  ];
}
function guardNoEndpoint({ spec, cluster }) {
  const addresses = (cluster?.nodes ?? []).flatMap(
    ({ isControlPlane: isControlPlane3, internalIp }) => isControlPlane3 && internalIp !== void 0 ? [`${internalIp}:6443`] : []
  );
  const wanted = controlPlaneEndpoint(spec);
  const [only] = addresses;
  if (only === void 0 || addresses.length === 1 && wanted === only) return [];
  return [
    hostsFinding(
      "error",
      `the running cluster has no endpoint that its control planes share, and the file has ${wanted}: certificates and every kubeconfig name ${only}`,
      `Write kubeadm.endpoint.host: ${only}; another endpoint takes a new cluster.`,
      ["kubeadm", "endpoint"]
    )
  ];
}
function guardMinor(view) {
  const running = runningKubernetes(foundIn(view));
  const [found, wanted] = [running, view.spec.kubernetes.version].map(
    (text) => (0, import_version_matrix4.parseVersion)(text ?? "")
  );
  if (!found || !wanted || found.major === wanted.major && found.minor === wanted.minor) return [];
  return [
    {
      severity: "error",
      path: ["kubernetes", "version"],
      message: `the running cluster is Kubernetes ${running}, and the file has ${view.spec.kubernetes.version}`,
      hint: `Write ${running}, adopt the cluster, then upgrade.`
    }
  ];
}
function guardMembers(view) {
  const { cluster } = view;
  const found = foundIn(view);
  const members = new Set((cluster?.members ?? []).map(({ name }) => name));
  const without = (cluster?.nodes ?? []).flatMap(
    ({ name, isControlPlane: isControlPlane3 }) => isControlPlane3 && !members.has(name) ? [name] : []
  );
  const wanted = new Set(view.spec.hosts.map(({ name }) => name));
  const dead = strayMembers(found, wanted).removable;
  return [
    ...without.map(
      (name) => hostsFinding(
        "error",
        `the control plane ${name} has no member of etcd under its name`,
        "Look at etcd on it: kubeadm gives each control plane a member that is called as its node."
      )
    ),
    ...dead.map(
      ({ id, name }) => hostsFinding(
        "warning",
        `etcd has a member ${name || id} of no host that is known, which does not answer: the next plan takes it out`,
        "Look at that plan before you apply it."
      )
    )
  ];
}
function objectIn2(object, key2) {
  const value = object[key2] ?? null;
  return (0, import_json3.isJsonObject)(value) ? value : {};
}
var import_json3, import_version_matrix4, uploadConfig;
var init_guard_foreign_cluster = __esm({
  "src/planner/kubeadm/guard-foreign-cluster.ts"() {
    "use strict";
    init_found_cluster();
    init_stray_members();
    init_control_plane_endpoint();
    init_kubeadm_paths();
    import_json3 = __toESM(require_json(), 1);
    import_version_matrix4 = __toESM(require_version_matrix(), 1);
    init_cluster_findings();
    init_found_in_view();
    init_guard_beginning();
    init_guard_fixed_configuration();
    init_guard_foreign_nodes();
    init_hosts_finding();
    uploadConfig = "kubeadm init phase upload-config kubeadm --config <the file that the cluster was made with>";
  }
});

// src/planner/kubeadm/guard-foreign-hosts.ts
function guardForeignHosts(view, by) {
  const seen = [...foundIn(view).hosts.values()].toSorted((a, b) => byName(a.name, b.name));
  return [
    ...unreached(view),
    ...seen.flatMap((host) => markFindings(view, host, by)),
    ...authorityFindings(seen, by),
    ...seen.some(isControlPlane2) ? [] : [withoutCluster()],
    ...seen.flatMap((host) => partFindings(host))
  ];
}
function isControlPlane2({ traces }) {
  return traces.hasAdminConf && traces.caHash !== void 0;
}
function authoritiesOf(seen) {
  return [...new Set(seen.flatMap(({ traces: { caHash } }) => caHash ?? []))];
}
function unreached({ hosts }) {
  return [...hosts.values()].flatMap(
    (look3) => look3.kind === "seen" ? [] : hostsFinding(
      "error",
      `${look3.name} is not reached (${look3.because}): nobody knows of which cluster it is`,
      "Bring it back; take one that is gone for good out of hosts, and its node and its member of etcd out of the cluster."
    )
  );
}
function markFindings({ spec }, { name, mark }, { uid }) {
  if (mark === void 0 || mark.hasLeft || mark.uid === uid) return [];
  return [
    hostsFinding(
      "error",
      `${name} is marked as a host of the cluster ${mark.cluster} (uid ${mark.uid})`,
      mark.cluster === spec.clusterName ? "Run `hcloud-talos recover`: this cluster is one of ours, and its state is lost." : `Take it out of hosts, or give this run the file of ${mark.cluster}.`
    )
  ];
}
function authorityFindings(seen, { authority: authority2 }) {
  const all = authoritiesOf(seen);
  const [first] = all;
  if (all.length > 1) {
    const reports = seen.flatMap(
      ({ name, traces: { caHash } }) => caHash === void 0 ? [] : [`${name} has ${caHash}`]
    );
    return [
      hostsFinding(
        "error",
        `the hosts are of more than one cluster, by their authorities: ${reports.join(", ")}`,
        "Take the hosts of the other cluster out of hosts."
      )
    ];
  }
  if (first === void 0 || authority2 === void 0 || first === authority2) return [];
  return [
    hostsFinding(
      "error",
      `the hosts have the authority ${first}, and the state is of a cluster with ${authority2}`,
      "Check the addresses of the hosts, or write another clusterName."
    )
  ];
}
function withoutCluster() {
  return hostsFinding(
    "error",
    "no host of the file is a control plane that kubeadm made: there is nothing to adopt",
    "Check the addresses in hosts; to begin a new cluster on them, run `hcloud-talos apply`."
  );
}
function partFindings(host) {
  const { name, traces } = host;
  const isNode = traces.hasKubeletConf && traces.caHash !== void 0;
  return [
    ...isControlPlane2(host) && traces.staticPods["etcd"] === void 0 ? [
      hostsFinding(
        "error",
        `${name} is a control plane without the static pod of etcd that kubeadm makes: etcd outside of the control planes is not adopted`,
        "Move etcd onto the control planes first, or leave this cluster as it is."
      )
    ] : [],
    ...isNode && traces.versions.containerd === void 0 ? [
      hostsFinding(
        "error",
        `${name} has no containerd: a cluster with another container runtime is not adopted`,
        "Change the runtime of this node to containerd first."
      )
    ] : []
  ];
}
var init_guard_foreign_hosts = __esm({
  "src/planner/kubeadm/guard-foreign-hosts.ts"() {
    "use strict";
    init_found_in_view();
    init_hosts_finding();
  }
});

// src/kubeadm/kinds/node/node-taints.ts
function taintKey({ key: key2, effect }) {
  return `${key2}:${effect}`;
}
function taintsByKey(taints) {
  return Object.fromEntries(taints.map((taint) => [taintKey(taint), taint.value ?? ""]));
}
var init_node_taints = __esm({
  "src/kubeadm/kinds/node/node-taints.ts"() {
    "use strict";
  }
});

// part:src/spec/component.ts
var require_component = __commonJS({
  "part:src/spec/component.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/component.ts"]();
  }
});

// src/planner/kubeadm/record-hosts.ts
function firstInventory({ spec }, uid) {
  return { clusterName: spec.clusterName, uid, nodes: [], addons: {}, bootstrapped: false };
}
function recordHosts(inventory, view) {
  const slots = new Map(hostNodes(view.spec, inventory).map((node) => [node.name, node.slot]));
  const former = new Map(inventory.nodes.map((node) => [node.name, node]));
  const wanted = new Set(view.spec.hosts.map(({ name }) => name));
  const nodes2 = view.spec.hosts.flatMap(
    (host) => recordHost(view, host, slots.get(host.name) ?? 1, former.get(host.name))
  );
  const left = inventory.nodes.filter(({ name }) => !wanted.has(name));
  const authority2 = inventory.authority ?? view.cluster?.caHash;
  return {
    ...inventory,
    nodes: [...nodes2, ...left],
    ...authority2 !== void 0 && { authority: authority2 }
  };
}
function recordHost(view, host, slot, former) {
  const found = foundIn(view);
  const look3 = view.hosts.get(host.name);
  if (look3?.kind !== "seen") return former ? [former] : [];
  const { traces, machineId: machineId2 } = look3.host;
  const isNode = isMember(found, host.name);
  const kubelet = seenNode(found, host.name)?.kubeletVersion ?? traces.versions.kubelet;
  const components = host.role === "control-plane" ? (0, import_running_kubernetes3.differingComponents)(componentsOf(traces.staticPods), kubelet) : void 0;
  const recorded = {
    login: recordLogin(host.login),
    address: host.address,
    hostKey: look3.hostKey,
    machineId: machineId2 || former?.host?.machineId,
    onRemove: host.onRemove,
    ...isNode && {
      membership: "member",
      given: {
        labels: Object.keys(host.labels).sort(),
        taints: nodeTaints(view.spec, host).map(taintKey).sort()
      }
    }
  };
  return [
    {
      name: host.name,
      role: host.role === "control-plane" ? "control-plane" : "worker",
      pool: host.role,
      slot,
      privateIp: host.nodeIp,
      ...isNode && kubelet !== void 0 && { kubernetesVersion: kubelet },
      ...isNode && components && { components },
      host: recorded
    }
  ];
}
function componentsOf(staticPods) {
  const known = import_component.components.flatMap((component) => {
    const version = staticPods[component];
    return version === void 0 ? [] : [[component, version]];
  });
  return Object.fromEntries(known);
}
var import_running_kubernetes3, import_component;
var init_record_hosts = __esm({
  "src/planner/kubeadm/record-hosts.ts"() {
    "use strict";
    init_found_cluster();
    init_node_registration();
    init_node_taints();
    import_running_kubernetes3 = __toESM(require_running_kubernetes(), 1);
    import_component = __toESM(require_component(), 1);
    init_recorded_login();
    init_found_in_view();
    init_host_nodes();
  }
});

// part:src/spec/yaml/locate-findings.ts
var require_locate_findings = __commonJS({
  "part:src/spec/yaml/locate-findings.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/yaml/locate-findings.ts"]();
  }
});

// src/run/kubeadm/find-foreign-cluster.ts
async function findForeignCluster(session, { uid, generation }) {
  const { spec, store } = session;
  const known = knownHosts(spec, generation?.inventory);
  const hosts = await lookAtHosts(session, known, void 0);
  const bare = {
    spec,
    generation: void 0,
    neighbours: generation ? void 0 : await store.clusters(),
    hosts,
    cluster: void 0,
    nodes: hostNodes(spec, void 0)
  };
  const ofHosts = guardForeignHosts(bare, { uid, authority: generation?.inventory.authority });
  const seen = foundIn(bare).hosts;
  const controlPlanes = known.filter(({ name }) => {
    const host = seen.get(name);
    return host !== void 0 && isControlPlane2(host);
  });
  const canAsk = controlPlanes.length > 0 && authoritiesOf([...seen.values()]).length === 1;
  if (!canAsk) refuse2(session, ofHosts);
  const view = { ...bare, ...await askThrough(session, controlPlanes, hosts) };
  const findings = [...ofHosts, ...guardForeignCluster(view)];
  refuse2(session, findings);
  const { secrets, recipients } = generation?.inventory ?? {};
  const begun = {
    ...firstInventory(view, uid),
    ...secrets && { secrets },
    ...recipients && { recipients }
  };
  const recorded = recordHosts(begun, view);
  const nodes2 = recorded.nodes.filter(({ host }) => host?.membership === "member");
  const inventory = { ...recorded, nodes: nodes2, bootstrapped: true };
  return { uid, view, inventory, shown: describeAdoption(view, inventory, findings) };
}
function refuse2({ file }, findings) {
  (0, import_findings_error.refuseErrors)("plan-refused", (0, import_locate_findings.locateFindings)(file.text, findings), file.path);
}
var import_findings_error, import_locate_findings;
var init_find_foreign_cluster = __esm({
  "src/run/kubeadm/find-foreign-cluster.ts"() {
    "use strict";
    import_findings_error = __toESM(require_findings_error(), 1);
    init_describe_adoption();
    init_found_in_view();
    init_guard_foreign_cluster();
    init_guard_foreign_hosts();
    init_host_nodes();
    init_record_hosts();
    import_locate_findings = __toESM(require_locate_findings(), 1);
    init_known_hosts();
    init_observe_hosts();
  }
});

// src/commands/modes/kubeadm/hosts-adoption.ts
var hostsAdoption;
var init_hosts_adoption = __esm({
  "src/commands/modes/kubeadm/hosts-adoption.ts"() {
    "use strict";
    init_find_foreign_cluster();
    hostsAdoption = {
      isPossible: true,
      find: findForeignCluster
    };
  }
});

// part:src/backup/snapshot-place.ts
var require_snapshot_place = __commonJS({
  "part:src/backup/snapshot-place.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/backup/snapshot-place.ts"]();
  }
});

// part:src/engine/etcd-sources.ts
var require_etcd_sources = __commonJS({
  "part:src/engine/etcd-sources.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/etcd-sources.ts"]();
  }
});

// src/kubeadm/acts/etcd-scripts.ts
var etcdFolder, restoreFolder, restoredSnapshot, restoreTool, podNames, podPattern, neededFiles, allNeeded, lookAtEtcdScript, printSnapshotScript, printDatabaseScript, stopControlPlaneScript, wipeEtcdScript, fetchToolScript, restoreDataScript, startControlPlaneScript;
var init_etcd_scripts = __esm({
  "src/kubeadm/acts/etcd-scripts.ts"() {
    "use strict";
    init_ask_etcd();
    init_kubeadm_paths();
    etcdFolder = "/var/lib/etcd";
    restoreFolder = `${etcdFolder}/.hcloud-talos`;
    restoredSnapshot = `${restoreFolder}/snapshot.db`;
    restoreTool = "/var/lib/hcloud-talos/etcdutl";
    podNames = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kube-vip"];
    podPattern = `^(${podNames.join("|")})$`;
    neededFiles = [
      "admin.conf",
      "kubelet.conf",
      "controller-manager.conf",
      "scheduler.conf",
      ...["ca", "apiserver", "apiserver-kubelet-client", "apiserver-etcd-client", "front-proxy-ca"],
      ...["front-proxy-client", "etcd/ca", "etcd/server", "etcd/peer"]
    ].flatMap((name) => name.endsWith(".conf") ? [name] : [`pki/${name}.crt`, `pki/${name}.key`]);
    allNeeded = [...neededFiles, "pki/sa.key", "pki/sa.pub"];
    lookAtEtcdScript = `${askEtcd}
if [ -n "$container" ] && status=$(ask --command-timeout 10s endpoint status --write-out json 2>/dev/null); then
  printf 'status\\t%s\\n' "\${status//$'\\n'/}"
fi
if [ -f ${etcdFolder}/member/snap/db ]; then
  printf 'database\\t%s\\n' "$(stat -c '%s %Y' ${etcdFolder}/member/snap/db)"
elif [ -d ${etcdFolder}/member ]; then
  printf 'database\\tnone\\n'
fi
for name in ${allNeeded.join(" ")}; do
  [ -s "${kubernetesFolder}/$name" ] || printf 'missing\\t%s\\n' "${kubernetesFolder}/$name"
done
for name in ${podNames.slice(0, 4).join(" ")}; do
  [ -s "${kubernetesFolder}/manifests/$name.yaml" ] || [ -s "${stoppedFolder}/$name.yaml" ] ||
    printf 'missing\\t%s\\n' "${kubernetesFolder}/manifests/$name.yaml"
done
`;
    printSnapshotScript = `${askEtcd}
file=${etcdFolder}/.hcloud-talos-snapshot
trap 'rm -f -- "$file" "$file.part"' EXIT
rm -f -- "$file" "$file.part"
require_etcd
# Without a timeout of its own: it may take as long as its bytes come.
ask snapshot save "$file" >&2
exec 5<"$file"
rm -f -- "$file"
cat <&5
`;
    printDatabaseScript = `cat -- ${etcdFolder}/member/snap/db`;
    stopControlPlaneScript = `
mkdir -p -- ${stoppedFolder}
for name in ${podNames.join(" ")}; do
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
`;
    wipeEtcdScript = `
if [ -n "$(crictl ps --name '^etcd$' --state running --quiet)" ]; then
  echo "etcd runs on this host" >&2
  exit 1
fi
rm -rf --one-file-system -- ${etcdFolder}/member ${restoreFolder}
`;
    fetchToolScript = `
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
`;
    restoreDataScript = `
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
`;
    startControlPlaneScript = `
for file in ${stoppedFolder}/*.yaml; do
  [ -f "$file" ] || continue
  mv -fT -- "$file" "${kubernetesFolder}/manifests/$(basename -- "$file")"
done
rm -rf -- ${stoppedFolder}
systemctl enable kubelet 2>/dev/null || true
systemctl restart kubelet
`;
  }
});

// src/kubeadm/cluster/etcd-status.ts
function readMemberStatus(json) {
  const [{ Status: status }] = printed.parse(JSON.parse(exactNumbers(json, exact2)));
  const { header, leader, dbSize, dbSizeInUse, dbSizeQuota } = status;
  return {
    id: header.member_id.toString(16),
    leads: leader !== 0n && leader === header.member_id,
    hasLeader: leader !== 0n,
    isLearner: status.isLearner ?? false,
    applied: status.raftAppliedIndex,
    size: dbSize,
    inUse: dbSizeInUse ?? dbSize,
    // A quota that is not known is printed as none.
    quota: dbSizeQuota || void 0,
    errors: status.errors ?? []
  };
}
function readEtcdStatus(text) {
  const [first = "", ...alarms] = text.split("\n");
  return { ...readMemberStatus(first), alarms: alarms.flatMap(readAlarm) };
}
function readAlarm(line) {
  const [, member, kind] = /memberID:\s*(\d+)\s+alarm:\s*(NOSPACE|CORRUPT)/.exec(line) ?? [];
  if (member === void 0) return [];
  const isCorrupt = kind === "CORRUPT";
  return [{ member: BigInt(member).toString(16), kind: isCorrupt ? "corrupt" : "nospace" }];
}
var import_zod3, size, number, exact2, printed;
var init_etcd_status = __esm({
  "src/kubeadm/cluster/etcd-status.ts"() {
    "use strict";
    import_zod3 = __toESM(require_zod(), 1);
    init_exact_numbers();
    size = import_zod3.z.coerce.number().int().nonnegative();
    number = import_zod3.z.string().regex(/^\d+$/).default("0").transform((text) => BigInt(text));
    exact2 = ["member_id", "leader", "raftAppliedIndex"];
    printed = import_zod3.z.tuple([
      import_zod3.z.looseObject({
        Status: import_zod3.z.looseObject({
          header: import_zod3.z.looseObject({ member_id: number }),
          leader: number,
          raftAppliedIndex: number,
          isLearner: import_zod3.z.boolean().nullish(),
          errors: import_zod3.z.array(import_zod3.z.string()).nullish(),
          dbSize: size.default(0),
          dbSizeInUse: size.optional(),
          dbSizeQuota: size.optional()
        })
      })
    ]);
  }
});

// src/kubeadm/cluster/read-etcd-look.ts
function readEtcdLook(printed2) {
  const lines = printed2.split("\n").flatMap((line) => {
    const [, name = "", value = ""] = /^(\w+)\t(.*)$/.exec(line) ?? [];
    return name === "" ? [] : [{ name, value }];
  });
  const firstOf = (wanted) => lines.find(({ name }) => name === wanted)?.value;
  const status = firstOf("status");
  const database = firstOf("database");
  return {
    status: status === void 0 ? void 0 : readMemberStatus(status),
    database: database === void 0 ? void 0 : readDatabase(database),
    missing: lines.flatMap(({ name, value }) => name === "missing" ? [value] : [])
  };
}
function readDatabase(text) {
  const [, size2, modified] = /^(\d+) (\d+)$/.exec(text) ?? [];
  return size2 === void 0 ? "none" : { size: Number(size2), modified: Number(modified) };
}
var init_read_etcd_look = __esm({
  "src/kubeadm/cluster/read-etcd-look.ts"() {
    "use strict";
    init_etcd_status();
  }
});

// src/ssh/read-output.ts
async function* readOutput(remote, script) {
  const output = new PassedOutput();
  const left = new AbortController();
  const run = (0, import_run_script5.runInto)(remote, { ...script, signal: left.signal }, () => output).then(
    ({ code, stderr }) => {
      const { title } = script;
      if (code !== 0) throw failedScript(remote, { title, code, stderr: stderr.text() });
    }
  );
  run.then(
    () => output.end(),
    () => output.end()
  );
  try {
    for (; ; ) {
      const chunk = await output.next();
      if (chunk === void 0) break;
      yield chunk;
    }
    await run;
  } finally {
    left.abort(new Error("nobody reads what the script prints any more"));
    output.drop();
    await run.catch(() => void 0);
  }
}
var import_run_script5, PassedOutput;
var init_read_output = __esm({
  "src/ssh/read-output.ts"() {
    "use strict";
    init_failed_script();
    import_run_script5 = __toESM(require_run_script(), 1);
    PassedOutput = class {
      #chunks = [];
      #wake = () => void 0;
      #resume = () => void 0;
      #isOver = false;
      add(bytes) {
        if (this.#isOver) return;
        this.#chunks.push(bytes);
        this.#wake();
      }
      /** Resolves when all that has come was taken. */
      async taken() {
        while (this.#chunks.length > 0) {
          await new Promise((resolve3) => {
            this.#resume = resolve3;
          });
        }
      }
      /** No more comes; what has come can still be taken. */
      end() {
        this.#isOver = true;
        this.#wake();
      }
      /** Nobody takes any of it any more. */
      drop() {
        this.#isOver = true;
        this.#chunks = [];
        this.#resume();
      }
      /** Undefined at the end. */
      async next() {
        while (this.#chunks.length === 0 && !this.#isOver) {
          await new Promise((resolve3) => {
            this.#wake = resolve3;
          });
        }
        const chunk = this.#chunks.shift();
        this.#resume();
        return chunk;
      }
    };
  }
});

// src/engine/kubeadm/etcd-source.ts
async function lookAtEtcd(name, remote) {
  const printed2 = await scriptOutput(remote, {
    title: "look at etcd",
    text: lookAtEtcdScript,
    withinMs: lookMs2,
    isRepeatable: true
  });
  return { name, remote, look: readEtcdLook(printed2) };
}
function sourceOf2({ name, remote, look: look3 }) {
  const { status, database } = look3;
  if (status?.isLearner) return { reason: `${name} has no vote in etcd yet`, isEmpty: false };
  if (status !== void 0) {
    return {
      name,
      remote,
      kind: status.hasLeader ? "quorum" : "alone",
      progress: status.applied,
      mark: { applied: String(status.applied) },
      leads: status.leads,
      errors: status.errors
    };
  }
  if (database === void 0) return { reason: `${name} has no data of etcd`, isEmpty: true };
  if (database === "none") {
    return { reason: `${name} has data of etcd without a database`, isEmpty: false };
  }
  const { size: size2, modified } = database;
  return {
    name,
    remote,
    kind: "file",
    progress: BigInt(modified),
    mark: { database: `${name}: ${size2} bytes at ${modified}` },
    leads: false,
    errors: []
  };
}
function readSource({
  remote,
  kind
}) {
  return kind === "file" ? readDatabase2(remote) : readOutput(remote, {
    title: "take a snapshot of etcd",
    text: printSnapshotScript,
    withinMs: readMs
  });
}
async function* readDatabase2(remote) {
  const hash = (0, import_node_crypto.createHash)("sha256");
  const script = { title: "read the database of etcd", text: printDatabaseScript, withinMs: readMs };
  for await (const bytes of readOutput(remote, script)) {
    hash.update(bytes);
    yield bytes;
  }
  yield hash.digest();
}
var import_node_crypto, lookMs2, readMs;
var init_etcd_source = __esm({
  "src/engine/kubeadm/etcd-source.ts"() {
    "use strict";
    import_node_crypto = require("node:crypto");
    init_etcd_scripts();
    init_read_etcd_look();
    init_host_script();
    init_read_output();
    lookMs2 = 6e4;
    readMs = 6 * 36e5;
  }
});

// part:src/planner/etcd-beginning.ts
var require_etcd_beginning = __commonJS({
  "part:src/planner/etcd-beginning.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/planner/etcd-beginning.ts"]();
  }
});

// part:src/addons/desire.ts
var require_desire = __commonJS({
  "part:src/addons/desire.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/addons/desire.ts"]();
  }
});

// part:src/addons/diff.ts
var require_diff = __commonJS({
  "part:src/addons/diff.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/addons/diff.ts"]();
  }
});

// part:src/addons/observe.ts
var require_observe = __commonJS({
  "part:src/addons/observe.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/addons/observe.ts"]();
  }
});

// part:src/plan/diff-records.ts
var require_diff_records = __commonJS({
  "part:src/plan/diff-records.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/plan/diff-records.ts"]();
  }
});

// part:src/plan/change.ts
var require_change = __commonJS({
  "part:src/plan/change.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/plan/change.ts"]();
  }
});

// src/kubeadm/host/host-check.ts
var hostStepIds;
var init_host_check = __esm({
  "src/kubeadm/host/host-check.ts"() {
    "use strict";
    hostStepIds = ["os_ready", "runtime_ready", "kubeadm_ready"];
  }
});

// src/kubeadm/host/host-phase.ts
function hostPhase(evidence) {
  let phase = "unprepared";
  for (const step2 of hostStepIds) {
    const own = evidence.filter((one) => one.step === step2);
    if (own.length === 0 || own.some(({ state }) => state !== "passed")) return phase;
    phase = step2;
  }
  return phase;
}
var init_host_phase = __esm({
  "src/kubeadm/host/host-phase.ts"() {
    "use strict";
    init_host_check();
  }
});

// src/kubeadm/kinds/host/check-effects.ts
function riskOnNode({ check, seen }) {
  if (!drained.has(check)) return "live";
  const isStopped = check === containerdService.id && !seen.startsWith("active");
  return isStopped ? "restart" : "drain";
}
var ids, drained, kubernetesVersionChecks, containerdVersionChecks;
var init_check_effects = __esm({
  "src/kubeadm/kinds/host/check-effects.ts"() {
    "use strict";
    init_containerd_binaries();
    init_containerd_files();
    init_containerd_package();
    init_kubernetes_files();
    init_kubernetes_packages();
    init_swap();
    ids = (checks) => new Set(checks.map(({ id }) => id));
    drained = ids([
      swap,
      containerdFile,
      containerdService,
      containerdVersion,
      containerdBinaries,
      kubernetesPackages,
      kubernetesBinaries
    ]);
    kubernetesVersionChecks = ids([
      kubernetesRepository,
      kubernetesPackages,
      kubernetesBinaries
    ]);
    containerdVersionChecks = ids([containerdVersion, containerdBinaries]);
  }
});

// src/kubeadm/kinds/host/host-kind.ts
function desiredHost(host, seen, request) {
  const failed = heldChecks(seen, request).byApply;
  return {
    kind: "host",
    name: host.name,
    spec: {
      role: nodeRole(host),
      machineId: seen.machineId || (knownNode(request.found, host.name)?.host?.machineId ?? ""),
      phase: "kubeadm_ready",
      checks: Object.fromEntries(failed.map(({ check }) => [check, "passed"])),
      ...containerdField(seen, request, request.goal),
      ...replacedField(host.name, request, "prepared")
    },
    needs: []
  };
}
function liveHost(name, request) {
  const { spec, found } = request;
  const known = knownNode(found, name);
  const seen = found.hosts.get(name);
  if (seen === void 0 || known?.host?.machineId === void 0) return [];
  const isWanted2 = spec.hosts.some((host) => host.name === name);
  if (!isWanted2 && seen.machineId !== known.host.machineId) return [];
  const failed = heldChecks(seen, request);
  return [
    {
      kind: "host",
      name,
      spec: {
        role: known.role,
        machineId: known.host.machineId,
        phase: failed.byApply.length === 0 ? "kubeadm_ready" : hostPhase(judged(seen, request)),
        checks: Object.fromEntries(failed.byApply.map(({ check, seen: text }) => [check, text])),
        ...containerdField(seen, request, "running"),
        ...replacedField(name, request, "leaves"),
        ...!isWanted2 && { onRemove: known.host.onRemove }
      },
      needs: []
    }
  ];
}
function nodeRole({ role }) {
  return role === "control-plane" ? "control-plane" : "worker";
}
function heldChecks(seen, request) {
  return failedChecks(judged(seen, request));
}
function judged(seen, { spec, found }) {
  if (!isMember(found, seen.name)) return [...seen.evidence];
  const { kubeadm, kubelet, containerd } = seen.traces.versions;
  const isOther = (one, wanted) => wanted !== void 0 && one !== wanted;
  const running = runningKubernetes(found);
  const waits = /* @__PURE__ */ new Set([
    ...[kubeadm, kubelet, running].some((one) => isOther(one, spec.kubernetes.version)) ? kubernetesVersionChecks : [],
    ...isOther(containerd, spec.kubeadm.runtime.version) ? containerdVersionChecks : []
  ]);
  return seen.evidence.filter(({ check }) => !waits.has(check));
}
function containerdField({ name, traces }, { spec, found }, goal) {
  const wanted = spec.kubeadm.runtime.version;
  const running = traces.versions.containerd;
  if (wanted === void 0 || running === void 0 || !isMember(found, name)) return {};
  if (!spec.hosts.some((host) => host.name === name)) return {};
  return { containerd: goal === "spec" ? wanted : running };
}
function replacedField(name, { replaced, spec }, value) {
  const isWanted2 = spec.hosts.some((host) => host.name === name);
  return isWanted2 && replaced.has(name) ? { replacement: value } : {};
}
function rules(request) {
  return {
    create: () => ({ risk: "additive", reason: "it is prepared for kubeadm" }),
    update: (before, after, fields) => {
      const paths = new Set(fields.map(({ path }) => path));
      const { name } = after;
      const isNode = isMember(request.found, name);
      const replaced = whyReplaced(before, after, request);
      if (replaced !== void 0) {
        const isMemberOfEtcd = before.spec["role"] === "control-plane" && isNode;
        return {
          action: "replace",
          risk: isMemberOfEtcd ? "quorum" : "replace",
          reason: replaced
        };
      }
      if (paths.has("containerd")) {
        const reason = "it is drained, and its containerd restarts in another version";
        return { action: "update", risk: "drain", reason };
      }
      const seen = request.found.hosts.get(name);
      const failed = seen ? heldChecks(seen, request).byApply : [];
      const risk = isNode ? (0, import_change.worstRisk)(failed.map(riskOnNode)) ?? "live" : "live";
      return { action: "update", risk, reason: describeUpdate(failed.length, risk) };
    },
    delete: ({ spec: { onRemove } }) => {
      switch (onRemove) {
        case "purge":
          return {
            risk: "data-loss",
            reason: "it is reset, and packages of Kubernetes and containerd are removed with their data"
          };
        case "reset":
          return { risk: "drain", reason: "what kubeadm did on it is undone" };
        default:
          return { risk: "live", reason: "it is left as it is, and forgotten" };
      }
    }
  };
}
function whyReplaced({ spec: before }, { spec: after, name }, { replaced, found }) {
  if (before["machineId"] !== after["machineId"]) {
    return "another machine has its name: the former one leaves the cluster";
  }
  const asked = replaced.get(name);
  if (asked !== void 0) return `it leaves the cluster, is reset and joins again: ${asked}`;
  if (before["role"] === after["role"]) return void 0;
  return standingOf(found, name) === "none" ? void 0 : `it leaves the cluster as a ${before["role"]}, is reset and joins as a ${after["role"]}`;
}
function describeUpdate(failed, risk) {
  if (failed === 0) return "what the state records of it is brought up to date";
  const what = failed === 1 ? "a check of it fails" : `${failed} checks of it fail`;
  return risk === "drain" ? `${what}: it is drained while that is fixed` : `${what}: that is fixed`;
}
var import_change, hostKind;
var init_host_kind = __esm({
  "src/kubeadm/kinds/host/host-kind.ts"() {
    "use strict";
    import_change = __toESM(require_change(), 1);
    init_found_cluster();
    init_failed_checks();
    init_host_phase();
    init_check_effects();
    hostKind = {
      name: "host",
      desire: (request) => request.spec.hosts.flatMap((host) => {
        const seen = request.found.hosts.get(host.name);
        return seen ? [desiredHost(host, seen, request)] : [];
      }),
      live: (request) => (request.found.inventory?.nodes ?? []).flatMap(({ name }) => liveHost(name, request)),
      rules,
      versionFields: /* @__PURE__ */ new Set(["containerd"])
    };
  }
});

// src/kubeadm/kinds/etcd/etcd-kind.ts
function liveEtcd({ spec, found }) {
  const wanted = new Set(spec.hosts.map(({ name }) => name));
  const { removable } = strayMembers(found, wanted);
  const strays = removable.map(
    ({ id, name, peerUrls }) => [id, name === "" ? peerUrls.join(", ") : name]
  );
  return {
    kind: "etcd",
    name: spec.clusterName,
    spec: { strays: Object.fromEntries(strays) },
    needs: []
  };
}
var etcdKind;
var init_etcd_kind = __esm({
  "src/kubeadm/kinds/etcd/etcd-kind.ts"() {
    "use strict";
    init_stray_members();
    init_host_kind();
    etcdKind = {
      name: "etcd",
      desire: ({ spec, found }) => [
        {
          kind: "etcd",
          name: spec.clusterName,
          spec: { strays: {} },
          needs: spec.hosts.filter((host) => nodeRole(host) === "control-plane" && found.hosts.has(host.name)).map(({ name }) => `node/${name}`)
        }
      ],
      live: (request) => request.found.inventory?.bootstrapped ? [liveEtcd(request)] : [],
      rules: () => ({
        create: () => ({
          risk: "additive",
          reason: "it begins with the first control plane, and has a member on each of them"
        }),
        update: () => ({
          action: "update",
          risk: "live",
          reason: "members that never started, or belong to no host, are removed"
        }),
        delete: () => ({ risk: "data-loss", reason: "the cluster goes" })
      }),
      versionFields: /* @__PURE__ */ new Set()
    };
  }
});

// part:src/lib/canonical-json.ts
var require_canonical_json = __commonJS({
  "part:src/lib/canonical-json.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/canonical-json.ts"]();
  }
});

// src/kubeadm/config/render-documents.ts
function renderDocuments(documents) {
  return documents.map(
    (document) => (0, import_yaml2.stringify)(document, {
      lineWidth: 0,
      defaultKeyType: "PLAIN",
      defaultStringType: "QUOTE_DOUBLE",
      aliasDuplicateObjects: false
    })
  ).join("---\n");
}
var import_yaml2;
var init_render_documents = __esm({
  "src/kubeadm/config/render-documents.ts"() {
    "use strict";
    import_yaml2 = __toESM(require_dist(), 1);
  }
});

// src/kubeadm/config/kube-vip-manifest.ts
function kubeVipManifest(endpoint, place) {
  const environment = {
    vip_arp: "true",
    port: String(import_api_server_port3.apiServerPort),
    vip_interface: place.interface,
    vip_subnet: "32",
    cp_enable: "true",
    cp_namespace: "kube-system",
    vip_leaderelection: "true",
    vip_leasename: "plndr-cp-lock",
    vip_leaseduration: "5",
    vip_renewdeadline: "3",
    vip_retryperiod: "1",
    address: endpoint.address,
    prometheus_server: ":2112"
  };
  const mountPath = `${kubernetesFolder}/admin.conf`;
  return renderDocuments([
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "kube-vip", namespace: "kube-system" },
      spec: {
        containers: [
          {
            name: "kube-vip",
            image: `ghcr.io/kube-vip/kube-vip:${endpoint.kubeVip}`,
            imagePullPolicy: "IfNotPresent",
            args: ["manager"],
            env: [
              ...Object.entries(environment).map(([name, value]) => ({ name, value })),
              { name: "vip_nodename", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }
            ],
            securityContext: { capabilities: { add: ["NET_ADMIN", "NET_RAW"], drop: ["ALL"] } },
            volumeMounts: [{ name: "kubeconfig", mountPath }]
          }
        ],
        // The kubeconfig names the virtual IP, which only this pod brings: it asks its own host instead.
        hostAliases: [{ ip: "127.0.0.1", hostnames: ["kubernetes"] }],
        hostNetwork: true,
        // Without a type, a file that is not there yet would become a folder.
        volumes: [{ name: "kubeconfig", hostPath: { path: kubeconfigOf(place), type: "File" } }]
      }
    }
  ]);
}
function kubeconfigOf({ kubernetesVersion, stage }) {
  const minor = (0, import_version_matrix5.parseVersion)(kubernetesVersion)?.minor ?? 0;
  const name = stage === "before-init" && minor < firstWithLocalInit ? "super-admin" : "admin";
  return `${kubernetesFolder}/${name}.conf`;
}
var import_api_server_port3, import_version_matrix5, firstWithLocalInit;
var init_kube_vip_manifest = __esm({
  "src/kubeadm/config/kube-vip-manifest.ts"() {
    "use strict";
    import_api_server_port3 = __toESM(require_api_server_port(), 1);
    import_version_matrix5 = __toESM(require_version_matrix(), 1);
    init_kubeadm_paths();
    init_render_documents();
    firstWithLocalInit = 36;
  }
});

// src/kubeadm/config/kubelet-configuration.ts
function kubeletConfiguration({ addons }) {
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    cgroupDriver: "systemd",
    rotateCertificates: true,
    serverTLSBootstrap: addons.csrApprover.enabled
  };
}
var init_kubelet_configuration = __esm({
  "src/kubeadm/config/kubelet-configuration.ts"() {
    "use strict";
  }
});

// src/kubeadm/cluster/compared-kubelet.ts
function sharedKubelet(spec) {
  if (spec.kubeadm.patches.some(({ target }) => target === "kubeletconfiguration")) return void 0;
  const { rotateCertificates = false, serverTLSBootstrap = false } = kubeletConfiguration(spec);
  return { rotateCertificates, serverTLSBootstrap };
}
function sharedKubeletIn(config, spec) {
  const wanted = sharedKubelet(spec);
  if (wanted === void 0 || config === void 0) return wanted;
  return Object.fromEntries(Object.keys(wanted).map((key2) => [key2, config[key2] ?? false]));
}
function wantedKubelet(spec, host) {
  return { ...sharedKubelet(spec), ...withDashes(kubeletArguments(spec, host)) };
}
function runningKubelet(spec, host, { kubelet: { config, flags } }) {
  const given2 = Object.entries(flags ?? kubeletArguments(spec, host));
  const own = given2.filter(([name]) => !ownArguments.has(name));
  return { ...sharedKubeletIn(config, spec), ...withDashes(Object.fromEntries(own)) };
}
function withDashes(args) {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [`--${name}`, value]));
}
var ownArguments;
var init_compared_kubelet = __esm({
  "src/kubeadm/cluster/compared-kubelet.ts"() {
    "use strict";
    init_kubelet_configuration();
    init_node_registration();
    ownArguments = /* @__PURE__ */ new Set([
      "container-runtime-endpoint",
      "hostname-override",
      "pod-infra-container-image",
      "register-with-taints"
    ]);
  }
});

// src/kubeadm/config/patch-files.ts
function patchFiles({ kubeadm: { patches } }) {
  return patches.map(({ target, type, text }, index) => {
    const order = String(index).padStart(4, "0");
    return { path: `${patchesFolder}/${target}${order}+${type}.yaml`, text };
  });
}
function patchesField({ kubeadm: { patches } }) {
  return patches.length === 0 ? {} : { patches: { directory: patchesFolder } };
}
function patchesDigest(spec) {
  const lines = patchFiles(spec).map(({ path, text }) => [path.slice(patchesFolder.length + 1), (0, import_canonical_json.textDigest)(text)]).sort(([a], [b]) => a < b ? -1 : 1).map(([name, digest]) => `${digest}  ${name}
`);
  return lines.length === 0 ? void 0 : (0, import_canonical_json.textDigest)(lines.join(""));
}
var import_canonical_json;
var init_patch_files = __esm({
  "src/kubeadm/config/patch-files.ts"() {
    "use strict";
    import_canonical_json = __toESM(require_canonical_json(), 1);
    init_kubeadm_paths();
  }
});

// src/kubeadm/kinds/node/node-kind.ts
function desiredNode(host, request) {
  const { spec, first, replaced } = request;
  const { name } = host;
  return {
    kind: "node",
    name,
    spec: {
      role: nodeRole(host),
      membership: replaced.has(name) ? "again" : "member",
      labels: { ...host.labels },
      taints: taintsByKey(nodeTaints(spec, host)),
      patches: patchesDigest(spec) ?? "none",
      kubelet: wantedKubelet(spec, host),
      ...certificatesField(request.found, name, request.now)
    },
    needs: needsOf(name, first)
  };
}
function needsOf(name, first) {
  return [
    `host/${name}`,
    ...first !== void 0 && first !== name ? [`node/${first}`] : []
  ];
}
function liveNode(host, request) {
  const { found, first } = request;
  const { name } = host;
  const seen = found.hosts.get(name);
  const standing = standingOf(found, name);
  if (seen === void 0 || standing === "none" || standing === "begun") return [];
  const isLost = standing === "lost" || standing === "leaving";
  return [
    {
      kind: "node",
      name,
      spec: {
        role: runningRole(found, name) ?? nodeRole(host),
        membership: isLost ? standing : "member",
        ...liveSettings(host, seen, request),
        kubelet: runningKubelet(request.spec, host, seen.traces),
        ...certificatesField(found, name)
      },
      needs: needsOf(name, first)
    }
  ];
}
function liveSettings(host, seen, { spec, found }) {
  const node = seenNode(found, host.name);
  const given2 = knownNode(found, host.name)?.host?.given;
  const wanted = nodeTaints(spec, host);
  const patches = seen.traces.patchesDigest ?? "none";
  if (node === void 0)
    return { labels: { ...host.labels }, taints: taintsByKey(wanted), patches };
  const ownLabels = /* @__PURE__ */ new Set([...Object.keys(host.labels), ...given2?.labels ?? []]);
  const ownTaints = /* @__PURE__ */ new Set([
    ...[...wanted, controlPlaneTaint].map(taintKey),
    ...given2?.taints ?? []
  ]);
  return {
    labels: Object.fromEntries(Object.entries(node.labels).filter(([key2]) => ownLabels.has(key2))),
    taints: taintsByKey(node.taints.filter((taint) => ownTaints.has(taintKey(taint)))),
    patches
  };
}
function isReplaced(host, { found, replaced }) {
  return replaced.has(host.name) || ["lost", "leaving"].includes(standingOf(found, host.name)) || (runningRole(found, host.name) ?? nodeRole(host)) !== nodeRole(host);
}
function leftNodes({ spec, found }) {
  const wanted = new Set(spec.hosts.map(({ name }) => name));
  return (found.inventory?.nodes ?? []).flatMap(({ name, role }) => {
    if (wanted.has(name) || !canBeForgotten(found, name)) return [];
    const standing = standingOf(found, name);
    if (standing === "none") return [];
    return [
      {
        kind: "node",
        name,
        spec: { role: runningRole(found, name) ?? role, membership: standing },
        needs: [`host/${name}`]
      }
    ];
  });
}
function canBeForgotten(found, name) {
  return found.hosts.has(name) || found.cluster !== void 0 && !seenNode(found, name)?.isReady;
}
function rules2(request) {
  const { found, first } = request;
  const isRunning = first === void 0;
  const isControlPlane3 = ({ spec }) => spec["role"] === "control-plane";
  return {
    create: (after) => ({
      risk: isRunning && isControlPlane3(after) ? "quorum" : "additive",
      reason: describeJoin(after.name, isControlPlane3(after), request)
    }),
    update: (before, after, fields) => {
      const reason = whyReplaced2(before, after, standingOf(found, after.name), request);
      if (reason === void 0) return { action: "update", ...describeUpdate2(fields) };
      const touchesEtcd = isControlPlane3(before) || isControlPlane3(after);
      return { action: "replace", risk: touchesEtcd ? "quorum" : "drain", reason };
    },
    delete: (before) => {
      const { name } = before;
      if (isControlPlane3(before)) {
        const reason = found.hosts.has(name) ? "it leaves etcd and the cluster" : "its host is not reached: its member leaves etcd, and its node is deleted";
        return { risk: "quorum", reason };
      }
      return found.hosts.has(name) ? { risk: "drain", reason: "it is drained and leaves the cluster" } : { risk: "drain", reason: "its host is not reached: its node is deleted" };
    }
  };
}
function describeJoin(name, isControlPlane3, request) {
  const { found, first } = request;
  const traces = found.hosts.get(name)?.traces;
  const hasRemains = traces !== void 0 && (traces.hasKubeletConf || traces.caHash !== void 0);
  if (name === first) {
    return hasRemains ? "kubeadm init was started on it and did not end: it is reset, and the cluster starts on it" : "the cluster starts on it (kubeadm init)";
  }
  const joins = isControlPlane3 ? "it joins as a member of etcd" : "it joins";
  if (standingOf(found, name) === "begun") return `a former join of it did not end: ${joins} again`;
  return hasRemains ? `it is reset, since it was a node before, and ${joins.slice(3)}` : joins;
}
function whyReplaced2({ spec: before }, { spec: after, name }, standing, { replaced }) {
  const isMemberOfEtcd = before["role"] === "control-plane";
  if (standing === "lost") {
    return isMemberOfEtcd ? "its host is not that node any more: its former member leaves etcd, and a new one joins" : "its host is not that node any more: it joins again";
  }
  const asked = replaced.get(name);
  if (asked !== void 0) return `it joins again: ${asked}`;
  if (before["role"] === after["role"]) return void 0;
  return isMemberOfEtcd ? "it leaves etcd and joins as a worker" : "it joins as a member of etcd";
}
function changedSettings(fields) {
  return new Set(fields.map(({ path }) => path.replace(/\..*$/s, "")));
}
function describeUpdate2(fields) {
  const changed = changedSettings(fields);
  if (changed.has("kubelet")) {
    return { risk: "drain", reason: "it is drained, and its kubelet restarts with other settings" };
  }
  const certificates = fields.find(({ path }) => path === "certificates");
  if (certificates !== void 0) {
    const end = String(certificates.before).replace("until ", "");
    const reason = `its certificates end on ${end}: they are renewed, and its components restart`;
    return { risk: "restart", reason };
  }
  if (changed.has("patches")) {
    return { risk: "restart", reason: "kubeadm writes its parts again, with other patches" };
  }
  return { risk: "live", reason: "its labels or taints are other ones" };
}
var nodeKind;
var init_node_kind = __esm({
  "src/kubeadm/kinds/node/node-kind.ts"() {
    "use strict";
    init_certificate_ends();
    init_compared_kubelet();
    init_found_cluster();
    init_node_registration();
    init_patch_files();
    init_host_kind();
    init_node_taints();
    nodeKind = {
      name: "node",
      desire: (request) => request.spec.hosts.flatMap(
        (host) => request.found.hosts.has(host.name) ? [desiredNode(host, request)] : []
      ),
      live: (request) => [
        ...request.spec.hosts.flatMap((host) => liveNode(host, request)),
        ...leftNodes(request)
      ],
      rules: rules2,
      versionFields: /* @__PURE__ */ new Set()
    };
  }
});

// src/kubeadm/kinds/kube-vip/kube-vip-kind.ts
function lastingManifest({ kubeadm: { endpoint }, kubernetes }, host, { traces }) {
  if (endpoint.type !== "virtualIp" || nodeRole(host) !== "control-plane") return void 0;
  const name = endpoint.interface ?? traces.vipInterface;
  if (name === void 0) return void 0;
  const place = { kubernetesVersion: kubernetes.version, interface: name, stage: "after" };
  return kubeVipManifest(endpoint, place);
}
function liveKubeVip(seen, request) {
  const { name, traces } = seen;
  const { found, spec } = request;
  if (traces.kubeVipDigest === void 0) return [];
  const host = spec.hosts.find((one) => one.name === name);
  const isThere2 = host === void 0 ? knownNode(found, name) !== void 0 && standingOf(found, name) !== "none" : isMember(found, name) && !isReplaced(host, request);
  return isThere2 ? [toRecord(name, traces.kubeVipDigest)] : [];
}
function toRecord(name, manifest) {
  return { kind: "kube-vip", name, spec: { manifest }, needs: [`node/${name}`] };
}
var import_canonical_json2, kubeVipKind;
var init_kube_vip_kind = __esm({
  "src/kubeadm/kinds/kube-vip/kube-vip-kind.ts"() {
    "use strict";
    import_canonical_json2 = __toESM(require_canonical_json(), 1);
    init_found_cluster();
    init_kube_vip_manifest();
    init_host_kind();
    init_node_kind();
    kubeVipKind = {
      name: "kube-vip",
      desire: ({ spec, found }) => spec.hosts.flatMap((host) => {
        const seen = found.hosts.get(host.name);
        const manifest = seen && lastingManifest(spec, host, seen);
        return manifest === void 0 ? [] : [toRecord(host.name, (0, import_canonical_json2.textDigest)(manifest))];
      }),
      live: (request) => [...request.found.hosts.values()].flatMap((seen) => liveKubeVip(seen, request)),
      rules: () => ({
        create: () => ({ risk: "live", reason: "it may hold the virtual IP from then on" }),
        update: () => ({
          action: "update",
          risk: "live",
          reason: "kube-vip restarts on it, and the virtual IP may move to another control plane"
        }),
        delete: () => ({
          risk: "live",
          reason: "it gives up the virtual IP before it leaves the control plane"
        })
      }),
      versionFields: /* @__PURE__ */ new Set()
    };
  }
});

// src/kubeadm/kinds/kubelet/kubelet-kind.ts
function nodes({ spec, found }) {
  if (runningKubernetes(found) === void 0) return [];
  return spec.hosts.flatMap(({ name }) => {
    const seen = found.hosts.get(name);
    if (seen === void 0 || !isMember(found, name)) return [];
    const version = seenNode(found, name)?.kubeletVersion ?? seen.traces.versions.kubelet;
    return version === void 0 ? [] : [{ name, version }];
  });
}
function toRecord2(name, version) {
  return { kind: "kubelet", name, spec: { version }, needs: [] };
}
function notByItself() {
  throw new Error("a kubelet is never created or removed by itself");
}
var kubeletKind;
var init_kubelet_kind = __esm({
  "src/kubeadm/kinds/kubelet/kubelet-kind.ts"() {
    "use strict";
    init_found_cluster();
    kubeletKind = {
      name: "kubelet",
      desire: (request) => nodes(request).map(
        ({ name, version }) => toRecord2(name, request.goal === "spec" ? request.spec.kubernetes.version : version)
      ),
      live: (request) => nodes(request).map(({ name, version }) => toRecord2(name, version)),
      rules: () => ({
        create: notByItself,
        update: () => ({
          action: "update",
          risk: "drain",
          reason: "it is drained, and its kubelet restarts in another version"
        }),
        delete: notByItself
      }),
      versionFields: /* @__PURE__ */ new Set(["version"])
    };
  }
});

// src/kubeadm/kinds/kubernetes/kubernetes-kind.ts
function runningVersion2({ found }) {
  return found.cluster?.configuration === void 0 ? void 0 : runningKubernetes(found);
}
function toRecord3({ spec: { clusterName } }, version, configuration, kubelet) {
  const { certSans, apiServer, controllerManager, scheduler } = comparedConfiguration(configuration);
  return {
    kind: "kubernetes",
    name: clusterName,
    spec: {
      version,
      certSans,
      apiServer,
      controllerManager,
      scheduler,
      ...kubelet && { kubelet }
    },
    needs: []
  };
}
function describeUpdate3(fields) {
  if (fields.some(({ path }) => path === "version")) {
    const reason2 = "kubeadm upgrades one control plane after the other";
    return { risk: "restart", reason: reason2 };
  }
  if (isOfKubeletsAlone(fields)) {
    return { risk: "live", reason: "kubelets that join are given other settings" };
  }
  const reason = "its configuration changes, and one control plane after the other takes it over";
  return { risk: "restart", reason };
}
function isOfKubeletsAlone(fields) {
  return fields.every(({ path }) => path.startsWith("kubelet"));
}
function notByItself2() {
  throw new Error("the control plane of a cluster is never created or removed by itself");
}
var kubernetesKind;
var init_kubernetes_kind = __esm({
  "src/kubeadm/kinds/kubernetes/kubernetes-kind.ts"() {
    "use strict";
    init_compared_configuration();
    init_compared_kubelet();
    init_found_cluster();
    init_cluster_configuration();
    kubernetesKind = {
      name: "kubernetes",
      desire: (request) => {
        const { spec, goal } = request;
        const running = runningVersion2(request);
        if (running === void 0) return [];
        const version = goal === "spec" ? spec.kubernetes.version : running;
        return [toRecord3(request, version, clusterConfiguration(spec), sharedKubelet(spec))];
      },
      live: (request) => {
        const { configuration, kubeletConfiguration: kubeletConfiguration2 } = request.found.cluster ?? {};
        const running = runningVersion2(request);
        if (running === void 0 || configuration === void 0) return [];
        const kubelet = sharedKubeletIn(kubeletConfiguration2, request.spec);
        return [toRecord3(request, running, configuration, kubelet)];
      },
      rules: () => ({
        create: notByItself2,
        update: (_before, _after, fields) => ({ action: "update", ...describeUpdate3(fields) }),
        delete: notByItself2
      }),
      versionFields: /* @__PURE__ */ new Set(["version"])
    };
  }
});

// src/kubeadm/kinds/kubeadm-kinds.ts
var kubeadmKinds;
var init_kubeadm_kinds = __esm({
  "src/kubeadm/kinds/kubeadm-kinds.ts"() {
    "use strict";
    init_etcd_kind();
    init_host_kind();
    init_kube_vip_kind();
    init_kubelet_kind();
    init_kubernetes_kind();
    init_node_kind();
    kubeadmKinds = {
      host: hostKind,
      node: nodeKind,
      etcd: etcdKind,
      kubernetes: kubernetesKind,
      kubelet: kubeletKind,
      "kube-vip": kubeVipKind
    };
  }
});

// src/kubeadm/diff.ts
function compareKubeadm(request, kinds = kubeadmKinds) {
  const all = Object.values(kinds);
  const desired = all.flatMap((kind) => kind.desire(request));
  const live = all.flatMap((kind) => kind.live(request));
  return { changes: diffKubeadm(desired, live, request, kinds), desired, live };
}
function diffKubeadm(desired, live, request, kinds = kubeadmKinds) {
  return (0, import_diff_records.diffRecords)(desired, live, rulesOf(kinds, request));
}
function rulesOf(kinds, request) {
  const rules3 = new Map(
    Object.values(kinds).map((kind) => [kind.name, kind.rules(request)])
  );
  const of = ({ kind }) => {
    const found = rules3.get(kind);
    if (!found) throw new Error(`kubeadm has no ${kind}`);
    return found;
  };
  return {
    create: (after) => of(after).create(after),
    update: (before, after, fields) => of(after).update(before, after, fields),
    delete: (before) => of(before).delete(before)
  };
}
var import_diff_records;
var init_diff = __esm({
  "src/kubeadm/diff.ts"() {
    "use strict";
    import_diff_records = __toESM(require_diff_records(), 1);
    init_kubeadm_kinds();
  }
});

// part:src/plan/plan.ts
var require_plan = __commonJS({
  "part:src/plan/plan.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/plan/plan.ts"]();
  }
});

// part:src/planner/compare-addons.ts
var require_compare_addons = __commonJS({
  "part:src/planner/compare-addons.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/planner/compare-addons.ts"]();
  }
});

// part:src/planner/register-nodes.ts
var require_register_nodes = __commonJS({
  "part:src/planner/register-nodes.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/planner/register-nodes.ts"]();
  }
});

// src/planner/kubeadm/compare-versions.ts
function compareVersions2(request) {
  const running = compareKubeadm({ ...request, goal: "running" }).desired;
  const wanted = compareKubeadm({ ...request, goal: "spec" }).desired;
  const changes = diffKubeadm(wanted, running, request).filter(({ action }) => action === "update");
  const turnOf = ({ after }) => turns.indexOf(after?.kind ?? "");
  const isWorker = ({ after }) => after && runningRole(request.found, after.name) === "worker" ? 1 : 0;
  const sorted = changes.toSorted(
    (a, b) => turnOf(a) - turnOf(b) || isWorker(a) - isWorker(b) || byName(a.key, b.key)
  );
  return sorted.map((change, index) => {
    const previous = sorted[index - 1]?.key;
    return { ...change, needs: previous ? [previous] : [] };
  });
}
var turns;
var init_compare_versions = __esm({
  "src/planner/kubeadm/compare-versions.ts"() {
    "use strict";
    init_found_cluster();
    init_diff();
    init_found_in_view();
    turns = ["host", "kubernetes", "kubelet"];
  }
});

// part:src/plan/order-control-planes.ts
var require_order_control_planes = __commonJS({
  "part:src/plan/order-control-planes.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/plan/order-control-planes.ts"]();
  }
});

// src/planner/kubeadm/order-hosts.ts
function orderHosts(unordered, known) {
  const changes = unordered.toSorted((a, b) => byName(a.key, b.key));
  const { isRunning, first, members } = known;
  if (!isRunning) return chainFirstJoins(changes, first);
  const freed = changes.map(freeHead);
  const ordered = (0, import_order_control_planes.orderControlPlanes)(freed, { running: true, members });
  return chainWorkers(followHead(ordered), known);
}
function chainFirstJoins(changes, first) {
  const joins = changes.filter((change) => isMade(change) && (0, import_change2.changedPart)(change) === "node" && isControlPlanes(change)).toSorted((a, b) => rank(a, first) - rank(b, first) || byName(a.key, b.key)).map(({ key: key2 }) => key2);
  return changes.map((change) => {
    const previous = joins[joins.indexOf(change.key) - 1];
    return joins.includes(change.key) ? follow(change, previous) : change;
  });
}
function rank({ after }, first) {
  return after?.name === first ? 0 : 1;
}
function freeHead(change) {
  return isHead(change) ? { ...change, needs: [] } : change;
}
function isHead({ action, after }) {
  return action === "update" && after !== void 0 && heads.includes(after.kind);
}
function followHead(changes) {
  const kindOf = ({ after }) => heads.indexOf(after?.kind ?? "");
  const head = changes.filter(isHead).toSorted((a, b) => kindOf(a) - kindOf(b) || byName(a.key, b.key)).map(({ key: key2 }) => key2);
  return changes.map((change) => {
    const at = head.indexOf(change.key);
    if (at >= 0) return follow(change, head[at - 1]);
    const isStep = isDisruptive(change) && isControlPlanes(change);
    return isStep ? follow(change, head.at(-1)) : change;
  });
}
function isDisruptive(change) {
  const part = (0, import_change2.changedPart)(change);
  if (part !== "machine" && part !== "node") return false;
  if (part === "machine" && change.action !== "replace" && change.action !== "update") return false;
  return change.action !== "update" || !["additive", "live"].includes(change.risk);
}
function chainWorkers(changes, { maxUnavailable: lanes, outOfService: outOfService2 }) {
  const rankOf = ({ name }) => outOfService2.has(name) ? 0 : 1;
  const isLeaving = (change) => isDisruptive(change) && !isControlPlanes(change) && change.action !== "create";
  const byWorker = Map.groupBy(changes.filter(isLeaving), (change) => nameOf2(change));
  const steps = [...byWorker.entries()].map(([name, own]) => ({ name, keys: own.map(({ key: key2 }) => key2) })).toSorted((a, b) => rankOf(a) - rankOf(b) || byName(a.name, b.name));
  const previous = new Map(
    steps.flatMap(({ keys }, index) => {
      const before = index === 0 ? [] : (steps[index - lanes] ?? steps[0])?.keys ?? [];
      return keys.map((key2) => [key2, before]);
    })
  );
  return changes.map((change) => ({
    ...change,
    ...previous.has(change.key) && {
      follows: [...change.follows ?? [], ...previous.get(change.key) ?? []]
    }
  }));
}
function follow(change, key2) {
  return key2 === void 0 ? change : { ...change, follows: [...change.follows ?? [], key2] };
}
function isMade({ after, action }) {
  return after !== void 0 && action !== "update";
}
function isControlPlanes({ after, before }) {
  return [after, before].some((record) => record?.spec["role"] === "control-plane");
}
function nameOf2({ after, before }) {
  const record = after ?? before;
  return record ? record.name : "";
}
var import_change2, import_order_control_planes, heads;
var init_order_hosts = __esm({
  "src/planner/kubeadm/order-hosts.ts"() {
    "use strict";
    import_change2 = __toESM(require_change(), 1);
    import_order_control_planes = __toESM(require_order_control_planes(), 1);
    init_found_in_view();
    heads = ["etcd", "kubernetes", "kube-vip"];
  }
});

// part:src/planner/out-of-service.ts
var require_out_of_service = __commonJS({
  "part:src/planner/out-of-service.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/planner/out-of-service.ts"]();
  }
});

// src/planner/kubeadm/out-of-service.ts
function outOfService(view, changes) {
  const { spec, generation, cluster } = view;
  const bringsNetwork = changes.some(
    ({ key: key2, action }) => key2 === `addon/${spec.cni.type}` && action === "create"
  );
  if (!generation?.inventory.bootstrapped || cluster === void 0 || bringsNetwork) {
    return import_out_of_service.allInService;
  }
  const away2 = workersAway(view);
  const cordoned = cluster.nodes.flatMap(
    ({ name, isCordoned, cordonedBy }) => isCordoned && cordonedBy !== void 0 ? [[name, cordonedBy]] : []
  );
  const known = new Set(generation.inventory.nodes.map(({ name }) => name));
  return { away: away2, cordoned: (0, import_out_of_service.leftCordoned)(new Map(cordoned), { known, away: away2, changes }) };
}
function workersAway(view) {
  const found = foundIn(view);
  const names = (found.inventory?.nodes ?? []).map(({ name }) => name);
  return new Set(
    names.filter(
      (name) => runningRole(found, name) === "worker" && ["lost", "leaving"].includes(standingOf(found, name))
    )
  );
}
function workersToSeeFirst(view) {
  const { away: away2, cordoned } = outOfService(view, []);
  return /* @__PURE__ */ new Set([...away2, ...cordoned.keys()]);
}
var import_out_of_service;
var init_out_of_service = __esm({
  "src/planner/kubeadm/out-of-service.ts"() {
    "use strict";
    init_found_cluster();
    import_out_of_service = __toESM(require_out_of_service(), 1);
    init_found_in_view();
  }
});

// src/planner/kubeadm/unregistered-nodes.ts
function unregisteredNodes(view) {
  const found = foundIn(view);
  const names = view.spec.hosts.map(({ name }) => name);
  return new Set(
    names.filter((name) => found.hosts.has(name) && standingOf(found, name) === "unregistered")
  );
}
var init_unregistered_nodes = __esm({
  "src/planner/kubeadm/unregistered-nodes.ts"() {
    "use strict";
    init_found_cluster();
    init_found_in_view();
  }
});

// src/planner/kubeadm/compare-hosts.ts
function compareHosts(view, options = {}) {
  const request = requestOf(view, options);
  const { changes, desired, live } = compareKubeadm(request);
  const registered = (0, import_register_nodes.registerNodes)(changes, unregisteredNodes(view), { desired, live });
  return {
    changes: orderHosts([...registered, ...changesOfAddons(view)], {
      isRunning: request.first === void 0,
      first: request.first,
      members: view.cluster?.members.length ?? 0,
      maxUnavailable: view.spec.upgrade.maxUnavailable,
      outOfService: workersToSeeFirst(view)
    }),
    versions: compareVersions2(request),
    desired,
    live
  };
}
function changesOfAddons(view) {
  const inventory = view.generation?.inventory;
  const uid = inventory?.uid ?? import_plan.unmintedUid;
  const records = {
    desired: (0, import_desire.desireAddons)(view.spec, { uid }, addonsOfHosts),
    live: inventory ? (0, import_observe.observeAddons)(inventory) : []
  };
  return (0, import_compare_addons.compareAddons)(view, (0, import_diff2.diffAddons)(records.desired, records.live), records);
}
function requestOf(view, { replace = [], now }) {
  return {
    spec: view.spec,
    found: foundIn(view),
    goal: "running",
    first: firstControlPlane(view),
    replaced: replacedHosts(view, replace),
    now
  };
}
var import_desire, import_diff2, import_observe, import_plan, import_compare_addons, import_register_nodes;
var init_compare_hosts = __esm({
  "src/planner/kubeadm/compare-hosts.ts"() {
    "use strict";
    import_desire = __toESM(require_desire(), 1);
    import_diff2 = __toESM(require_diff(), 1);
    import_observe = __toESM(require_observe(), 1);
    init_diff();
    import_plan = __toESM(require_plan(), 1);
    import_compare_addons = __toESM(require_compare_addons(), 1);
    import_register_nodes = __toESM(require_register_nodes(), 1);
    init_addons_of_hosts();
    init_compare_versions();
    init_found_in_view();
    init_order_hosts();
    init_out_of_service();
    init_unregistered_nodes();
  }
});

// src/planner/kubeadm/guard-authority.ts
function guardAuthority(view) {
  const { spec, cluster } = view;
  const found = foundIn(view);
  const authority2 = found.inventory?.authority;
  const own = cluster && authority2 !== void 0 && cluster.caHash !== authority2 ? [
    hostsFinding(
      "error",
      `the cluster that ${cluster.through} shows has the authority ${cluster.caHash}, and that of ${spec.clusterName} is ${authority2}`,
      "Check the addresses of the hosts, and that the state branch is that of this cluster."
    )
  ] : [];
  const first = firstControlPlane(view);
  const ofHosts = spec.hosts.flatMap(({ name }) => {
    const host = found.hosts.get(name);
    if (host === void 0) return [];
    return authority2 === void 0 ? beforeCluster(view, host, first) : inCluster(host, authority2);
  });
  return [...own, ...ofHosts];
}
function beforeCluster(view, host, first) {
  const { name, traces } = host;
  const found = foundIn(view);
  const remains = remainsOf(traces);
  if (remains.length === 0) return [];
  const isOurs = knownNode(found, name)?.host?.membership === "joining";
  const others = (view.cluster?.members ?? []).filter((member) => member.name !== name);
  if (isOurs && name === first && others.length === 0) return [];
  if (isOurs && name === first) {
    return [
      hostsFinding(
        "error",
        `kubeadm init was started on ${name} and did not end, and etcd there has ${others.length} more members: it is not reset`,
        "Restore the state branch as it was when these joined; without it, reset these hosts by hand."
      )
    ];
  }
  const what = traces.caHash === void 0 ? remains.join(", ") : `the authority ${traces.caHash}`;
  return [
    hostsFinding(
      "error",
      `${name} shows a cluster (${what}), and the state knows none: no second authority is made`,
      `If somebody made it by hand, run \`hcloud-talos adopt\`. Restore the state branch where it is the cluster of this file; where nobody needs it any more, run kubeadm reset on ${name}.`
    )
  ];
}
function inCluster(host, authority2) {
  const { name, traces } = host;
  if (traces.caHash !== void 0 && traces.caHash !== authority2) {
    return [
      hostsFinding(
        "error",
        `${name} is of another cluster: its authority is ${traces.caHash}`,
        `Take it out of hosts; where nobody needs that cluster any more, run kubeadm reset on ${name}.`
      )
    ];
  }
  return [];
}
function remainsOf(traces) {
  return [
    ...traces.caHash === void 0 ? [] : ["ca.crt"],
    ...traces.hasCaKey ? ["ca.key"] : [],
    ...traces.hasAdminConf ? ["admin.conf"] : [],
    ...traces.hasKubeletConf ? ["kubelet.conf"] : [],
    ...traces.hasEtcdData ? ["data of etcd"] : []
  ];
}
function guardRemains(view) {
  const found = foundIn(view);
  if (found.inventory?.authority === void 0) return [];
  return view.spec.hosts.flatMap(({ name }) => {
    const host = found.hosts.get(name);
    if (host === void 0 || standingOf(found, name) !== "none") return [];
    if (host.traces.caHash !== void 0) return [];
    const remains = remainsOf(host.traces);
    if (remains.length === 0) return [];
    return [
      hostsFinding(
        "error",
        `${name} has what kubeadm left of a cluster that nobody can name: ${remains.join(", ")}`,
        `Run kubeadm reset on ${name} where nobody needs it any more, and run again.`
      )
    ];
  });
}
var init_guard_authority = __esm({
  "src/planner/kubeadm/guard-authority.ts"() {
    "use strict";
    init_found_cluster();
    init_found_in_view();
    init_hosts_finding();
  }
});

// src/planner/kubeadm/plan-restore.ts
function restoredHosts(view) {
  const found = foundIn(view);
  const { spec } = view;
  const known = (found.inventory?.nodes ?? []).filter(({ host }) => host?.membership !== void 0);
  const names = known.filter(({ name }) => runningRole(found, name) === "control-plane").map(({ name }) => name).toSorted(byName);
  const wanted = new Set(
    spec.hosts.flatMap(({ name, role }) => role === "control-plane" ? [name] : [])
  );
  const there = names.filter((name) => isThere(found, name));
  const ofFile = names.filter((name) => wanted.has(name));
  const reached = ofFile.filter((name) => found.hosts.has(name));
  const bare = reached.filter((name) => isBare(found, name));
  return {
    there,
    beginning: there.filter(
      (name) => wanted.has(name) && !bare.includes(name) && knownNode(found, name)?.host?.membership === "member"
    ),
    silent: ofFile.filter((name) => !found.hosts.has(name)),
    bare,
    joining: reached
  };
}
function isThere(found, name) {
  const host = found.hosts.get(name);
  if (host?.mark === void 0 || host.mark.hasLeft) return false;
  if (host.mark.uid !== found.inventory?.uid) return false;
  const { caHash, hasEtcdData, hasAdminConf } = host.traces;
  if (caHash !== void 0 && caHash !== found.inventory?.authority) return false;
  return hasEtcdData || hasAdminConf;
}
function isBare(found, name) {
  const host = found.hosts.get(name);
  if (host === void 0) return false;
  return standingOf(found, name) === "lost" || !hasKeys(found, host);
}
function hasKeys({ inventory }, { traces }) {
  return traces.hasCaKey && traces.hasAdminConf && traces.hasKubeletConf && traces.caHash !== void 0 && traces.caHash === inventory?.authority;
}
function planRestore(view) {
  const { bare, beginning, silent } = restoredHosts(view);
  const creates = compareHosts(view).changes.filter(({ after }) => {
    if (after === void 0) return false;
    return (after.kind === "host" || after.kind === "node") && bare.includes(after.name);
  });
  const findings = [
    ...guardAuthority(view),
    // One that does not answer may have them: that is asked about first.
    ...beginning.length === 0 && silent.length === 0 ? [withoutKeys(view)] : []
  ];
  return { creates, findings };
}
function withoutKeys(view) {
  const found = foundIn(view);
  const names = view.spec.hosts.filter(({ name }) => knownNode(found, name) !== void 0 && found.hosts.has(name)).filter(({ role }) => role === "control-plane").map(({ name }) => name);
  return hostsFinding(
    "error",
    `no control plane has the keys of the cluster's authority any more (${names.join(", ") || "none was reached"}): they were on the control planes alone, neither the snapshot nor the state holds them, and what the snapshot holds can be served by no other authority`,
    "Put a copy of /etc/kubernetes of a control plane (pki, manifests and the .conf files) back on it if you have one, then run again. Without one, begin a new cluster with another clusterName, and take your objects into it."
  );
}
var init_plan_restore = __esm({
  "src/planner/kubeadm/plan-restore.ts"() {
    "use strict";
    init_found_cluster();
    init_compare_hosts();
    init_found_in_view();
    init_guard_authority();
    init_hosts_finding();
  }
});

// part:src/planner/restore-plan.ts
var require_restore_plan = __commonJS({
  "part:src/planner/restore-plan.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/planner/restore-plan.ts"]();
  }
});

// part:src/engine/refuse-unlost.ts
var require_refuse_unlost = __commonJS({
  "part:src/engine/refuse-unlost.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/refuse-unlost.ts"]();
  }
});

// src/engine/kubeadm/look-at-control-planes.ts
function lookAtControlPlanes(session, { spec, generation }, names) {
  const known = knownHosts(spec, generation?.inventory);
  return Promise.all(
    names.map(async (name) => {
      const host = known.find((one) => one.name === name);
      if (!host) throw new Error(`${name} is no host of the file or of the state`);
      return lookAtEtcd(name, await session.hosts.to(host));
    })
  );
}
var init_look_at_control_planes = __esm({
  "src/engine/kubeadm/look-at-control-planes.ts"() {
    "use strict";
    init_known_hosts();
    init_etcd_source();
  }
});

// src/engine/kubeadm/judge-hosts-restore.ts
async function judgeHostsRestore(context, { session, view, snapshot, discardEtcd }) {
  const { generation } = view;
  if (!generation) throw (0, import_cluster_unknown2.clusterUnknown)(session.spec, "restore");
  const { there, silent, beginning } = restoredHosts(view);
  const seen = await (0, import_run_phase2.runPhase)(
    context.progress,
    "Look at etcd",
    () => lookAtControlPlanes(session, view, there),
    (all) => all.map((one) => `${one.name}: ${conditionOf(one)}`).join(", ") || "none"
  );
  const begun = (0, import_restore_plan.recoveryBegun)(generation.journal, snapshot.digest);
  const having = seen.filter((one) => conditionOf(one) !== "empty");
  const resumes = having.some(({ name }) => name === begun);
  const wiped = resumes ? [] : having;
  const newer = wiped.filter(
    (one) => (0, import_etcd_beginning.mayBeNewer)(sourceOf2(one), snapshot.metadata, generation.journal)
  );
  const names = (all) => all.map(({ name }) => name);
  const judged2 = [
    ...silent.map((name) => ({ name, condition: "unreachable" })),
    ...seen.map((one) => ({ name: one.name, condition: conditionOf(one) }))
  ];
  (0, import_refuse_unlost.refuseUnlost)(judged2, { resumes, discardEtcd, newer: names(newer), aboutSilent });
  beginningOf(seen, beginning, { begun, resumes });
  return {
    wipes: names(wiped),
    alive: names(wiped.filter((one) => conditionOf(one) === "alive")),
    newer: names(newer),
    resumes
  };
}
function conditionOf({ look: { status, database } }) {
  if (status?.hasLeader) return "alive";
  return status === void 0 && database === void 0 ? "empty" : "data";
}
function beginningOf(seen, beginning, { begun, resumes }) {
  const able = seen.filter(({ name }) => resumes ? name === begun : beginning.includes(name));
  const complete = able.filter(({ look: look3 }) => look3.missing.length === 0);
  const chosen = complete.find(({ name }) => name === begun) ?? complete[0];
  if (chosen) return chosen;
  const lacks = able.map(({ name, look: { missing: missing2 } }) => `${name} lacks ${missing2.join(", ")}`);
  throw new import_cluster_error8.ClusterError(
    "etcd-unhealthy",
    `no control plane has all that etcd and the API server start with: ${lacks.join("; ")}`,
    {
      operation: "restore etcd",
      hint: "Put these files back on one of them: certificates of its own are made by `kubeadm init phase certs` there, kubeconfigs by `kubeadm init phase kubeconfig`, manifests by `kubeadm init phase control-plane` and `kubeadm init phase etcd`; then run again."
    }
  );
}
var import_cluster_error8, import_etcd_beginning, import_restore_plan, import_cluster_unknown2, import_run_phase2, import_refuse_unlost, aboutSilent;
var init_judge_hosts_restore = __esm({
  "src/engine/kubeadm/judge-hosts-restore.ts"() {
    "use strict";
    import_cluster_error8 = __toESM(require_cluster_error(), 1);
    import_etcd_beginning = __toESM(require_etcd_beginning(), 1);
    init_plan_restore();
    import_restore_plan = __toESM(require_restore_plan(), 1);
    import_cluster_unknown2 = __toESM(require_cluster_unknown(), 1);
    import_run_phase2 = __toESM(require_run_phase(), 1);
    import_refuse_unlost = __toESM(require_refuse_unlost(), 1);
    init_etcd_source();
    init_look_at_control_planes();
    aboutSilent = "See that it answers, or take it out of hosts in the cluster file if its machine is gone for good: make sure then that it never starts again.";
  }
});

// src/kubeadm/acts/act-scripts.ts
var withFile, validated, initScript, uploadCertsScript, userKubeconfigScript, joinScript, resetScript, stopScript, purgeScript, renewControlPlaneScript, uploadConfigScript, uploadKubeletScript, configureKubeletScript, renewCertificatesScript, upgradeApplyScript, upgradeNodeScript, forgetSourceScript, restartKubeletScript;
var init_act_scripts = __esm({
  "src/kubeadm/acts/act-scripts.ts"() {
    "use strict";
    init_kubeadm_paths();
    init_firewall();
    withFile = `
umask 077
config=$(mktemp /run/hcloud-talos-kubeadm.XXXXXXXXXX)
trap 'rm -f -- "$config"' EXIT
printf '%s' "$1" >"$config"
shift
umask 022
`;
    validated = `${withFile}
kubeadm config validate --config "$config"
`;
    initScript = `${validated}
kubeadm init --config "$config"
`;
    uploadCertsScript = `${validated}
kubeadm init phase upload-certs --upload-certs --config "$config"
`;
    userKubeconfigScript = `${withFile}
kubeadm kubeconfig user --config "$config" --client-name "$1" --org "$2" --validity-period "$3"
`;
    joinScript = `${validated}
kubeadm join --config "$config"
`;
    resetScript = `${withFile}
stop_vip() {
  rm -f -- ${kubernetesFolder}/manifests/kube-vip.yaml
  command -v crictl >/dev/null || return 0
  crictl ps --name '^kube-vip$' --quiet | xargs -r crictl stop
}
stop_vip || true
if command -v kubeadm >/dev/null; then kubeadm reset --config "$config"; fi
systemctl stop kubelet || true
for path in ${kubernetesFolder}/pki ${kubernetesFolder}/manifests ${kubernetesFolder}/patches ${kubernetesFolder}/*.conf ${stoppedFolder} \\
  /var/lib/etcd /var/lib/kubelet /etc/cni/net.d /var/lib/cni /var/run/cilium /var/run/flannel; do
  [ ! -e "$path" ] || rm -rf --one-file-system -- "$path" || true
done
if command -v ip >/dev/null; then
  for link in cilium_host cilium_net cilium_vxlan cni0 flannel.1; do
    ip link delete "$link" 2>/dev/null || true
  done
fi
rm -rf -- /root/.kube/cache
${forgetSource}
if [ -f ${firewallFile} ]; then
  while read -r source; do forget_source "$source" </dev/null; done <${firewallFile}
  rm -f -- ${firewallFile}
fi
`;
    stopScript = `
rm -f -- ${kubernetesFolder}/manifests/kube-vip.yaml
systemctl disable --now kubelet
if command -v crictl >/dev/null; then crictl ps --quiet | xargs -r crictl stop; fi
`;
    purgeScript = `
export DEBIAN_FRONTEND=noninteractive
rm -f -- /etc/apt/sources.list.d/hcloud-talos-*.list /etc/apt/keyrings/hcloud-talos-*.gpg /etc/yum.repos.d/hcloud-talos-*.repo
if command -v apt-get >/dev/null; then
  apt-mark unhold kubelet kubeadm kubectl containerd.io containerd >/dev/null 2>&1 || true
  apt-get -q -y -o DPkg::Lock::Timeout=300 purge kubelet kubeadm kubectl </dev/null
elif command -v dnf >/dev/null; then
  dnf -q -y remove kubelet kubeadm kubectl </dev/null
fi
rm -f -- /etc/sysctl.d/*hcloud-talos*.conf /etc/modules-load.d/*hcloud-talos*.conf
rm -rf -- /var/lib/hcloud-talos/files
`;
    renewControlPlaneScript = `${validated}
rm -f -- ${kubernetesFolder}/pki/apiserver.crt ${kubernetesFolder}/pki/apiserver.key
kubeadm init phase certs apiserver --config "$config"
kubeadm init phase control-plane all --config "$config"
container=$(crictl ps --name '^kube-apiserver$' --quiet | head -n 1)
[ -z "$container" ] || crictl stop "$container"
`;
    uploadConfigScript = `${validated}
kubeadm init phase upload-config kubeadm --config "$config"
`;
    uploadKubeletScript = `${validated}
kubeadm init phase upload-config kubelet --config "$config"
`;
    configureKubeletScript = `${validated}
kubeadm init phase kubelet-start --config "$config"
started() { systemctl show --timestamp=utc --property=ExecMainStartTimestamp --value kubelet; }
first=$(started)
for _ in 1 2 3 4 5 6; do
  sleep 5
  state=$(systemctl is-active kubelet || true)
  if [ "$state" != active ] || [ "$(started)" != "$first" ]; then
    echo "the kubelet does not stay up with these settings: $state" >&2
    journalctl --unit kubelet --lines 20 --no-pager >&2 || true
    exit 1
  fi
done
`;
    renewCertificatesScript = `
running() { crictl ps --name "^$1$" --state running --quiet | head -n 1; }
kubeadm certs renew all
for pod in etcd kube-apiserver kube-controller-manager kube-scheduler kube-vip; do
  former=$(running "$pod")
  [ -n "$former" ] || continue
  crictl stop "$former"
  for _ in $(seq 60); do
    now=$(running "$pod" || true)
    if [ -n "$now" ] && [ "$now" != "$former" ]; then continue 2; fi
    sleep 2
  done
  echo "$pod did not start again" >&2
  exit 1
done
`;
    upgradeApplyScript = `${withFile}
kubeadm upgrade apply --config "$config" --yes
`;
    upgradeNodeScript = `${withFile}
kubeadm upgrade node --config "$config"
`;
    forgetSourceScript = `
${forgetSource}
forget_source "$1"
if [ -f ${firewallFile} ]; then
  left=$(grep -Fxv -- "$1" ${firewallFile} || true)
  printf '%s\\n' "$left" >${firewallFile}
fi
`;
    restartKubeletScript = `
systemctl daemon-reload
systemctl restart kubelet
`;
  }
});

// part:src/kubernetes/wait-for-registration.ts
var require_wait_for_registration = __commonJS({
  "part:src/kubernetes/wait-for-registration.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/kubernetes/wait-for-registration.ts"]();
  }
});

// part:src/run/state-recorder.ts
var require_state_recorder = __commonJS({
  "part:src/run/state-recorder.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/state-recorder.ts"]();
  }
});

// src/ssh/job-scripts.ts
var jobPlace, lockJob, jobState, runJobScript, endJobScript, startJobScript, showJobScript, removeJobScript;
var init_job_scripts = __esm({
  "src/ssh/job-scripts.ts"() {
    "use strict";
    jobPlace = `
base=$1 name=$2
shift 2
unit=hcloud-talos-$name.service
folder=$base/$name
`;
    lockJob = `
mkdir -p -- "$base"
exec 8>"$base/$name.lock"
flock 8
`;
    jobState = `
state=$(systemctl show --property=ActiveState --value -- "$unit")
case $state in
  active | activating | deactivating | reloading) isRunning=yes ;;
  *) isRunning=no ;;
esac
`;
    runJobScript = `
export LC_ALL=C HOME=\${HOME:-/root}
folder=$(dirname -- "$0")
exec >"$folder/log" 2>&1 </dev/null
echo started >"$folder/started"
sync -- "$folder/started"
arguments=()
[ ! -e "$folder/arguments" ] || mapfile -d '' -t arguments <"$folder/arguments"
rm -f -- "$folder/arguments"
set -- "\${arguments[@]}"
set -euo pipefail
. "$folder/script"
`;
    endJobScript = `
folder=$(dirname -- "$0")
if [ "$SERVICE_RESULT $EXIT_CODE $EXIT_STATUS" != "success exited 0" ]; then
  if [ "$(systemctl is-system-running)" = stopping ]; then
    rm -f -- "$folder/script" "$folder/arguments"
    exit 0
  fi
fi
printf '%s %s %s\\n' "$SERVICE_RESULT" "$EXIT_CODE" "$EXIT_STATUS" >"$folder/end.new"
rm -f -- "$folder/script" "$folder/arguments"
sync -- "$folder/end.new"
mv -f -- "$folder/end.new" "$folder/end"
`;
    startJobScript = `
umask 077
${jobPlace}
seconds=$1 digest=$2 size=$3 run=$4 end=$5
shift 5
${lockJob}
${jobState}
isSame=no
if [ -e "$folder/digest" ] && [ "$(cat -- "$folder/digest")" = "$digest" ]; then isSame=yes; fi
if [ "$isRunning" = yes ]; then
  [ "$isSame" = yes ] || exit 66
  echo running
  exit 0
fi
if [ "$isSame" = yes ] && [ -e "$folder/end" ]; then
  echo ended
  exit 0
fi
if [ "$isSame" = yes ] && [ -e "$folder/started" ]; then
  echo lost
  exit 0
fi
rm -rf -- "$folder"
mkdir -- "$folder"
cat >"$folder/script"
if [ "$(stat -c %s -- "$folder/script")" != "$size" ]; then
  rm -rf -- "$folder"
  exit 67
fi
printf '%s' "$run" >"$folder/run"
printf '%s' "$end" >"$folder/finish"
[ "$#" -eq 0 ] || printf '%s\\0' "$@" >"$folder/arguments"
printf '%s\\n' "$digest" >"$folder/digest"
sync
if ! systemd-run --quiet --collect --unit="$unit" --property=RuntimeMaxSec="$seconds" \\
  --property=ExecStopPost="/bin/bash $folder/finish" -- /bin/bash "$folder/run" 8>&-; then
  # It may have been started all the same, with an answer that was lost.
  ${jobState.trim().replaceAll("\n", "\n  ")}
  if [ "$isRunning" = no ] && [ ! -e "$folder/started" ]; then
    rm -rf -- "$folder"
    exit 1
  fi
fi
echo started
`;
    showJobScript = `
${jobPlace}
${jobState}
offset=$1 most=$2
if [ "$isRunning" = yes ]; then
  echo running
elif [ -e "$folder/end" ]; then
  echo "ended $(cat -- "$folder/end")"
elif [ -e "$folder/started" ]; then
  echo lost
else
  echo absent
fi
if [ ! -e "$folder/log" ]; then
  echo 0
  exit 0
fi
stat -c %s -- "$folder/log"
dd if="$folder/log" iflag=skip_bytes,count_bytes skip="$offset" count="$most" bs=64K status=none
`;
    removeJobScript = `
${jobPlace}
${lockJob}
${jobState}
[ "$isRunning" = no ] || systemctl stop -- "$unit"
rm -rf -- "$folder"
`;
  }
});

// src/ssh/job.ts
async function startJob(remote, job, folder = jobsFolder) {
  const { name, text, args = [], withinMs: withinMs5 } = job;
  const digest = (0, import_node_crypto2.createHash)("sha256").update(JSON.stringify([text, args])).digest("hex");
  const input = Buffer.from(text);
  const size2 = String(input.length);
  const seconds = String(Math.ceil(withinMs5 / 1e3));
  const { code, stdout, stderr } = await (0, import_run_script6.runScript)(remote, {
    title: `start the job ${name}`,
    text: startJobScript,
    args: [folder, jobName(job), seconds, digest, size2, runJobScript, endJobScript, ...args],
    input,
    withinMs: askWithinMs,
    // The second time it finds what the first one started.
    isRepeatable: true
  });
  const found = stdout.trim();
  if (code === 0 && found !== "lost")
    return found === "running" || found === "ended" ? found : "started";
  if (code === 0) throw lostJob(remote, name);
  const isOther = code === 66;
  throw new import_cluster_error9.ClusterError(
    "script-failed",
    isOther ? `another job of the name ${name} is running` : `the job ${name} could not be started`,
    {
      operation: `start the job ${name}`,
      target: (0, import_ssh_host3.describeHost)(remote.host),
      evidence: (0, import_run_script6.lastLines)(stderr),
      hint: isOther ? "Run again when it has ended." : "Check that the host runs systemd and that the user may become root."
    }
  );
}
async function removeJob(remote, name, folder = jobsFolder) {
  const { code, stderr } = await (0, import_run_script6.runScript)(remote, {
    title: `remove the job ${name}`,
    text: removeJobScript,
    args: [folder, jobName({ name })],
    withinMs: askWithinMs,
    isRepeatable: true
  });
  if (code === 0) return;
  throw new import_cluster_error9.ClusterError("script-failed", `the job ${name} could not be removed`, {
    target: (0, import_ssh_host3.describeHost)(remote.host),
    evidence: (0, import_run_script6.lastLines)(stderr),
    hint: "Look at the reason above, then run again."
  });
}
function lostJob({ host }, name) {
  return new import_cluster_error9.ClusterError(
    "ssh-interrupted",
    `the job ${name} was ended together with its host: it is unknown how far it came`,
    {
      operation: `run the job ${name}`,
      target: (0, import_ssh_host3.describeHost)(host),
      hint: "Look at what there is on the host, then run again: the job was not started a second time, since it may have run."
    }
  );
}
function jobName({ name }) {
  if (/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/.test(name)) return name;
  throw new Error(`no name of a job: ${name}`);
}
var import_node_crypto2, import_cluster_error9, import_run_script6, import_ssh_host3, jobsFolder, askWithinMs;
var init_job = __esm({
  "src/ssh/job.ts"() {
    "use strict";
    import_node_crypto2 = require("node:crypto");
    import_cluster_error9 = __toESM(require_cluster_error(), 1);
    init_job_scripts();
    import_run_script6 = __toESM(require_run_script(), 1);
    import_ssh_host3 = __toESM(require_ssh_host(), 1);
    jobsFolder = "/var/lib/hcloud-talos/jobs";
    askWithinMs = 6e4;
  }
});

// src/ssh/job-log.ts
var longestLine, keptLines, JobLog;
var init_job_log = __esm({
  "src/ssh/job-log.ts"() {
    "use strict";
    longestLine = 64 * 1024;
    keptLines = 20;
    JobLog = class {
      #redactor;
      #onLine;
      #rest = new Uint8Array();
      #lastLines = [];
      #offset = 0;
      constructor(redactor, onLine) {
        this.#redactor = redactor;
        this.#onLine = onLine;
      }
      /** How many bytes were read. */
      get offset() {
        return this.#offset;
      }
      get lastLines() {
        return this.#lastLines;
      }
      add(piece) {
        this.#offset += piece.length;
        const all = Buffer.concat([this.#rest, piece]);
        const end = this.#endOf(all);
        this.#rest = all.subarray(end);
        this.#take(all.subarray(0, end));
      }
      /** Takes what stands after the last line feed: the job has ended. */
      end() {
        this.#take(Buffer.from(this.#rest));
        this.#rest = new Uint8Array();
      }
      /** How much can be taken: whole lines, or so much of a line that is too long that no secret is cut in two. */
      #endOf(all) {
        const lines = all.lastIndexOf("\n") + 1;
        if (lines > 0 || all.length <= longestLine) return lines;
        let end = Math.max(0, all.length - this.#redactor.longestSecret);
        for (let across = this.#redactor.secretAcross(all, end); across !== void 0; ) {
          end = across[0];
          across = this.#redactor.secretAcross(all, end);
        }
        return end;
      }
      #take(whole) {
        if (whole.length === 0) return;
        const lines = this.#redactor.redact(whole.toString("utf8").replace(/\n$/, "")).split("\n");
        this.#lastLines = [...this.#lastLines, ...lines].slice(-keptLines);
        for (const line of lines) this.#onLine?.(line);
      }
    };
  }
});

// src/ssh/follow-job.ts
async function followJob(remote, name, { withinMs: withinMs5, onLine, folder = jobsFolder }) {
  const log = new JobLog(remote.redactor, onLine);
  return (0, import_wait_for2.waitFor)(
    `the job ${name} to end`,
    async () => {
      let shown = await showJobUnlessBusy(remote, name, folder, log.offset);
      if (!shown) return busy;
      log.add(shown.piece);
      while (shown.state.startsWith("ended") && log.offset < shown.size && shown.piece.length > 0) {
        shown = await showJob(remote, name, folder, log.offset);
        log.add(shown.piece);
      }
      if (shown.state === "running") return { pending: "it is running" };
      log.end();
      const { lastLines: lastLines7 } = log;
      return { done: { code: exitCodeOf(shown.state, remote, name, lastLines7), lastLines: lastLines7 } };
    },
    { clock: remote.clock, signal: remote.signal, everyMs, withinMs: withinMs5 }
  );
}
async function outliveJob(remote, name, { withinMs: withinMs5, folder = jobsFolder }) {
  await (0, import_wait_for2.waitFor)(
    `the job ${name} of a former run to end`,
    async () => {
      const shown = await showJobUnlessBusy(remote, name, folder, 0);
      if (!shown) return busy;
      return shown.state === "running" ? { pending: "it is running" } : { done: void 0 };
    },
    { clock: remote.clock, signal: remote.signal, everyMs, withinMs: withinMs5 }
  );
  await removeJob(remote, name, folder);
}
async function showJobUnlessBusy(...asked) {
  try {
    return await showJob(...asked);
  } catch (error) {
    if ((0, import_cluster_error10.isClusterError)(error, "script-timeout")) return void 0;
    throw error;
  }
}
async function showJob(remote, name, folder, offset) {
  const script = {
    title: `look at the job ${name}`,
    text: showJobScript,
    args: [folder, jobName({ name }), String(offset), String(mostLog)],
    withinMs: askWithinMs,
    isRepeatable: true
  };
  const { code, stdout, stderr } = await (0, import_run_script7.runInto)(remote, script, () => new AllOutput(2 * mostLog));
  const bytes = stdout.bytes();
  const [header = "", state = "", size2 = ""] = /^(.*)\n(\d+)\n/.exec(bytes.toString("latin1")) ?? [];
  if (code === 0 && state !== "") {
    return { state, size: Number(size2), piece: bytes.subarray(header.length) };
  }
  throw new import_cluster_error10.ClusterError("script-failed", `the host does not show the job ${name}`, {
    operation: script.title,
    target: (0, import_ssh_host4.describeHost)(remote.host),
    evidence: (0, import_run_script7.lastLines)(stderr.text()),
    hint: "Check that systemd of the host answers (systemctl status), then run again: the job goes on."
  });
}
function exitCodeOf(state, remote, name, evidence) {
  const [what, result = "", how = "", status = ""] = state.split(" ");
  if (what === "ended" && how === "exited" && /^\d+$/.test(status)) return Number(status);
  if (what === "lost") throw lostJob(remote, name);
  const context = { operation: `run the job ${name}`, target: (0, import_ssh_host4.describeHost)(remote.host), evidence };
  if (what === "absent") {
    throw new import_cluster_error10.ClusterError("script-failed", `there is no job ${name}`, {
      ...context,
      hint: "Run again: it is started."
    });
  }
  if (result === "timeout") {
    throw new import_cluster_error10.ClusterError("script-timeout", `the job ${name} took too long and was ended`, {
      ...context,
      hint: "Look at what the host is busy with, then run again."
    });
  }
  throw new import_cluster_error10.ClusterError("script-failed", `the job ${name} was ended: ${result} (${status})`, {
    ...context,
    hint: "Look at the log of the host: it may be out of memory, or somebody stopped the unit."
  });
}
var import_cluster_error10, import_wait_for2, import_run_script7, import_ssh_host4, mostLog, everyMs, busy;
var init_follow_job = __esm({
  "src/ssh/follow-job.ts"() {
    "use strict";
    import_cluster_error10 = __toESM(require_cluster_error(), 1);
    import_wait_for2 = __toESM(require_wait_for(), 1);
    init_all_output();
    init_job();
    init_job_log();
    init_job_scripts();
    import_run_script7 = __toESM(require_run_script(), 1);
    import_ssh_host4 = __toESM(require_ssh_host(), 1);
    mostLog = 48 * 1024;
    everyMs = 2e3;
    busy = { pending: "the host takes long to show it" };
  }
});

// src/ssh/write-pieces.ts
async function writePieces(remote, path, chunks) {
  let offset = 0;
  let held = [];
  let size2 = 0;
  const write = async () => {
    const input = Buffer.concat(held);
    await writePiece(remote, { path, offset, input });
    offset += input.length;
    held = [];
    size2 = 0;
  };
  for await (const chunk of chunks) {
    held.push(chunk);
    size2 += chunk.length;
    if (size2 >= pieceBytes) await write();
  }
  if (size2 > 0 || offset === 0) await write();
}
async function writePiece(remote, { path, offset, input }) {
  const title = `write ${path}`;
  const { code, stderr } = await (0, import_run_script8.runScript)(remote, {
    title,
    text: writePieceScript,
    args: [path, String(offset), String(offset + input.length)],
    input,
    withinMs: pieceMs,
    isRepeatable: true
  });
  if (code === 0) return;
  const hint = "Look at the reason above: make space on the host, then run again.";
  throw failedScript(remote, { title, code, stderr, hint });
}
var import_run_script8, pieceBytes, pieceMs, writePieceScript;
var init_write_pieces = __esm({
  "src/ssh/write-pieces.ts"() {
    "use strict";
    init_failed_script();
    import_run_script8 = __toESM(require_run_script(), 1);
    pieceBytes = 4 * 1024 * 1024;
    pieceMs = 10 * 6e4;
    writePieceScript = `
path=$1 offset=$2 end=$3
umask 077
if [ "$offset" -eq 0 ]; then
  mkdir -p -- "$(dirname -- "$path")"
  rm -f -- "$path"
  : >"$path"
fi
size=$(stat -c %s -- "$path")
if [ "$size" -lt "$offset" ]; then
  echo "the file has $size bytes where $offset were written" >&2
  exit 1
fi
truncate -s "$offset" -- "$path"
cat >>"$path"
size=$(stat -c %s -- "$path")
if [ "$size" -ne "$end" ]; then
  echo "the file has $size bytes where $end were written" >&2
  exit 1
fi
`;
  }
});

// part:src/engine/keep-etcd-copies.ts
var require_keep_etcd_copies = __commonJS({
  "part:src/engine/keep-etcd-copies.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/keep-etcd-copies.ts"]();
  }
});

// part:src/engine/remove-cluster-node.ts
var require_remove_cluster_node = __commonJS({
  "part:src/engine/remove-cluster-node.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/remove-cluster-node.ts"]();
  }
});

// part:src/engine/wait-for-nodes.ts
var require_wait_for_nodes = __commonJS({
  "part:src/engine/wait-for-nodes.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/wait-for-nodes.ts"]();
  }
});

// src/ssh/write-file.ts
async function writeFile(remote, file) {
  const { path, mode, owner = "", withinMs: withinMs5 } = file;
  const input = Buffer.from(file.content);
  const digest = (0, import_node_crypto3.createHash)("sha256").update(input).digest("hex");
  const result = await (0, import_run_script9.runScript)(remote, {
    title: `write ${path}`,
    text: writeFileScript,
    args: [path, mode.toString(8), owner, digest],
    input,
    withinMs: withinMs5,
    isRepeatable: true
  });
  if (result.code === 0) return result.stdout.trim() !== "unchanged";
  throw new import_cluster_error11.ClusterError("script-failed", `cannot write ${path}`, {
    operation: `write ${path}`,
    target: (0, import_ssh_host5.describeHost)(remote.host),
    evidence: (0, import_run_script9.lastLines)(result.stderr),
    hint: "Look at the reason above: the file is as it was. Make space or give the user the right to write there, then run again."
  });
}
var import_node_crypto3, import_cluster_error11, import_run_script9, import_ssh_host5, writeFileScript;
var init_write_file = __esm({
  "src/ssh/write-file.ts"() {
    "use strict";
    import_node_crypto3 = require("node:crypto");
    import_cluster_error11 = __toESM(require_cluster_error(), 1);
    import_run_script9 = __toESM(require_run_script(), 1);
    import_ssh_host5 = __toESM(require_ssh_host(), 1);
    writeFileScript = `
path=$1 mode=$2 owner=$3 digest=$4
folder=$(dirname -- "$path")
isOwned() {
  [ -z "$owner" ] || [ "$(stat -c %U:%G -- "$path")" = "$owner" ] || [ "$(stat -c %u:%g -- "$path")" = "$owner" ]
}
if [ -f "$path" ] && [ ! -L "$path" ] && [ "$(stat -c %a -- "$path")" = "$mode" ] && isOwned; then
  if [ "$(sha256sum <"$path")" = "$digest  -" ]; then
    cat >/dev/null
    echo unchanged
    exit 0
  fi
fi
find "$folder" -maxdepth 1 -type f -name '.hcloud-talos.??????????' -mmin +60 -delete
temporary=$(mktemp -- "$folder/.hcloud-talos.XXXXXXXXXX")
trap 'rm -f -- "$temporary"' EXIT
cat >"$temporary"
if [ "$(sha256sum <"$temporary")" != "$digest  -" ]; then
  echo "the content did not arrive as it was sent" >&2
  exit 1
fi
[ -z "$owner" ] || chown -- "$owner" "$temporary"
chmod -- "$mode" "$temporary"
sync -- "$temporary"
mv -fT -- "$temporary" "$path"
trap - EXIT
sync -- "$folder"
echo written
`;
  }
});

// src/run/kubeadm/upload-file.ts
async function uploadFile(remote, clusterFile, file, path) {
  const { code } = await (0, import_run_script10.runScript)(remote, {
    title: `look for ${file.name}`,
    text: 'printf "%s  %s\\n" "$1" "$2" | sha256sum --check --status',
    args: [file.sha256, path],
    withinMs: askMs2,
    isRepeatable: true
  });
  if (code === 0) return;
  const content = await readBeside(clusterFile, file);
  await scriptOutput(remote, {
    title: "make the folder of files",
    text: 'mkdir -p -- "$(dirname -- "$1")"',
    args: [path],
    withinMs: askMs2,
    isRepeatable: true
  });
  await writeFile(remote, { path, content, mode: 420, owner: "root:root", withinMs: uploadMs });
}
async function readBeside(clusterFile, { name, from, sha256: sha2562 }) {
  const wrong = (why, cause) => new import_cluster_error12.ClusterError("spec-invalid", `the file for ${name} ${why}: ${from}`, {
    operation: "read a file beside the cluster file",
    target: from,
    hint: "Check the path, which is relative to the folder of the cluster file, and its sha256.",
    cause
  });
  let content;
  try {
    content = await (0, import_promises2.readFile)((0, import_node_path2.resolve)((0, import_node_path2.dirname)(clusterFile), from));
  } catch (cause) {
    throw wrong("cannot be read", cause);
  }
  const found = (0, import_node_crypto4.createHash)("sha256").update(content).digest("hex");
  if (found !== sha2562) throw wrong(`has the checksum ${found}, and the cluster file has ${sha2562}`);
  return content;
}
var import_node_crypto4, import_promises2, import_node_path2, import_cluster_error12, import_run_script10, uploadMs, askMs2;
var init_upload_file = __esm({
  "src/run/kubeadm/upload-file.ts"() {
    "use strict";
    import_node_crypto4 = require("node:crypto");
    import_promises2 = require("node:fs/promises");
    import_node_path2 = require("node:path");
    import_cluster_error12 = __toESM(require_cluster_error(), 1);
    import_run_script10 = __toESM(require_run_script(), 1);
    init_write_file();
    init_host_script();
    uploadMs = 10 * 6e4;
    askMs2 = 6e4;
  }
});

// src/run/kubeadm/write-host-file.ts
async function writeHostFile(remote, path, content, mode) {
  await scriptOutput(remote, {
    title: `make the folder of ${path}`,
    text: 'mkdir -p -- "$(dirname -- "$1")"',
    args: [path],
    withinMs: fileMs,
    isRepeatable: true
  });
  await writeFile(remote, { path, content, mode, owner: "root:root", withinMs: fileMs });
}
var fileMs;
var init_write_host_file = __esm({
  "src/run/kubeadm/write-host-file.ts"() {
    "use strict";
    init_write_file();
    init_host_script();
    fileMs = 6e4;
  }
});

// src/engine/kubeadm/cluster-hosts.ts
var fileMs2, ClusterHosts, removeOthersScript;
var init_cluster_hosts = __esm({
  "src/engine/kubeadm/cluster-hosts.ts"() {
    "use strict";
    init_act_scripts();
    init_kubeadm_paths();
    init_patch_files();
    init_prepare_host();
    init_steps_of_host();
    init_running_version();
    init_host_script();
    init_known_hosts();
    init_look_at_host();
    init_upload_file();
    init_write_host_file();
    fileMs2 = 6e4;
    ClusterHosts = class {
      #work;
      #known;
      constructor(work) {
        this.#work = work;
        const known = knownHosts(work.view.spec, work.recorder.inventory);
        this.#known = new Map(known.map((host) => [host.name, host]));
      }
      /** One that the file or the state knows. */
      known(name) {
        const host = this.#known.get(name);
        if (!host) throw new Error(`the plan has a host ${name} that nobody knows`);
        return host;
      }
      /** One that the file asks for. */
      wanted(name) {
        const host = this.#work.view.spec.hosts.find((one) => one.name === name);
        if (!host) throw new Error(`the plan makes a node of ${name}, which the file does not have`);
        return host;
      }
      remote(name) {
        return this.#work.session.hosts.to(this.known(name));
      }
      /**
       * Brings a host to where kubeadm can use it. Safe to run again. `version` is that of its Kubernetes, where that is not
       * what it runs; what a node would feel is refused unless it is drained.
       */
      async prepare(name, progress, { isDrained = false, version = this.#versionOf(name) } = {}) {
        const { spec } = this.#work.view;
        const { arch, withinMs: withinMs5 } = await this.#ready(name, progress);
        const steps = stepsOfHost(spec, this.wanted(name), { arch, version });
        progress.step(`${name}: preparing`);
        await prepareHost(preparedHost(await this.remote(name), withinMs5), steps, { isDrained });
      }
      /** Gives a host the kubeadm that upgrades it to a version; nothing else of it changes. */
      async prepareUpgrade(name, version, progress) {
        const { arch, withinMs: withinMs5 } = await this.#ready(name, progress);
        const step2 = stepBeforeUpgrade(this.#work.view.spec, { arch, version });
        progress.step(`${name}: kubeadm ${version}`);
        await prepareHost(preparedHost(await this.remote(name), withinMs5), [step2]);
      }
      /** A node lets in all others of the file, also those that are none yet. */
      async openFirewall(name) {
        const { spec } = this.#work.view;
        const withinMs5 = spec.kubeadm.timeoutMinutes.prepare * 6e4;
        const host = preparedHost(await this.remote(name), withinMs5);
        await prepareHost(host, [firewallOfHost(spec, name)]);
      }
      /** A node no longer lets in one that has left, unless somebody else wanted that. */
      async closeFirewall(name, source) {
        await scriptOutput(await this.remote(name), {
          title: `close the firewall to ${source}`,
          text: forgetSourceScript,
          args: [source],
          withinMs: fileMs2,
          isRepeatable: true
        });
      }
      #versionOf(name) {
        return versionOfHost(name, this.#work.view.spec, this.#work.recorder.inventory);
      }
      /** Files that stand beside the cluster file are on the host before its steps name them. */
      async #ready(name, progress) {
        const { view, session } = this.#work;
        const look3 = view.hosts.get(name);
        const arch = look3?.kind === "seen" ? look3.host.traces.arch : "amd64";
        for (const file of filesForHost(view.spec, arch)) {
          progress.step(`${name}: ${file.name}`);
          await uploadFile(await this.remote(name), session.file.path, file, hostPathOf(file));
        }
        return { arch, withinMs: view.spec.kubeadm.timeoutMinutes.prepare * 6e4 };
      }
      /** Writes down on the host which cluster it is of, before anything of it is made there. */
      async mark(name) {
        const { spec, generation } = this.#work.view;
        const known = this.#work.session.store.known ?? generation;
        const { manifest } = known ?? {};
        const mark = {
          cluster: spec.clusterName,
          uid: this.#work.recorder.inventory.uid,
          generation: manifest?.generation ?? 0,
          keyEpoch: manifest?.keyEpoch ?? 0
        };
        await writeHostFile(await this.remote(name), markFile, `${JSON.stringify(mark)}
`, 420);
      }
      /** The static pod that may hold the virtual IP; the kubelet takes it up. */
      async writeKubeVip(name, manifest) {
        await writeHostFile(await this.remote(name), kubeVipFile, manifest, 384);
      }
      /** The patches of the file for kubeadm, and no others. */
      async writePatches(name) {
        const remote = await this.remote(name);
        const files = patchFiles(this.#work.view.spec);
        for (const { path, text } of files) await writeHostFile(remote, path, text, 420);
        await scriptOutput(remote, {
          title: "remove former patches",
          text: removeOthersScript,
          args: [patchesFolder, ...files.map(({ path }) => path)],
          withinMs: fileMs2,
          isRepeatable: true
        });
      }
    };
    removeOthersScript = `
folder=$1
shift
[ -d "$folder" ] || exit 0
for path in "$folder"/*; do
  [ -f "$path" ] || continue
  for kept in "$@"; do [ "$kept" != "$path" ] || continue 2; done
  rm -f -- "$path"
done
`;
  }
});

// src/kubeadm/config/bootstrap-token.ts
function mintToken(random) {
  const bytes = [...random.bytes(idLength + secretLength)];
  const text = bytes.map((byte) => letters.charAt(byte % letters.length)).join("");
  return { id: text.slice(0, idLength), secret: text.slice(idLength) };
}
function tokenText({ id, secret: secret2 }) {
  return `${id}.${secret2}`;
}
function tokenSecret(token, { expires, description }) {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: `bootstrap-token-${token.id}`, namespace: "kube-system" },
    type: "bootstrap.kubernetes.io/token",
    stringData: {
      "token-id": token.id,
      "token-secret": token.secret,
      expiration: new Date(expires).toISOString().replace(/\.\d+Z$/, "Z"),
      "usage-bootstrap-authentication": "true",
      "usage-bootstrap-signing": "true",
      "auth-extra-groups": groups.join(","),
      description
    }
  };
}
function tokensField(token, { minutes, description }) {
  return {
    bootstrapTokens: [
      {
        token: tokenText(token),
        ttl: `${minutes}m0s`,
        description,
        usages: ["signing", "authentication"],
        groups
      }
    ]
  };
}
var letters, idLength, secretLength, groups;
var init_bootstrap_token = __esm({
  "src/kubeadm/config/bootstrap-token.ts"() {
    "use strict";
    letters = "abcdefghijklmnopqrstuvwxyz234567";
    [idLength, secretLength] = [6, 16];
    groups = ["system:bootstrappers:kubeadm:default-node-token"];
  }
});

// src/kubeadm/config/kubeadm-timeouts.ts
function kubeadmTimeouts({ kubeadm: { timeoutMinutes } }, step2) {
  const limit = `${timeoutMinutes[step2]}m0s`;
  return {
    timeouts: {
      controlPlaneComponentHealthCheck: limit,
      kubeletHealthCheck: limit,
      ...step2 === "join" && { discovery: limit, tlsBootstrap: limit },
      ...step2 === "upgrade" && { upgradeManifests: limit }
    }
  };
}
var init_kubeadm_timeouts = __esm({
  "src/kubeadm/config/kubeadm-timeouts.ts"() {
    "use strict";
  }
});

// src/kubeadm/config/on-kept.ts
function onKeptConfiguration(wanted, kept2) {
  if (kept2?.["apiVersion"] !== kubeadmApi) return wanted;
  const parts = Object.entries(decided).map(([part, keys]) => {
    const others = Object.entries(objectIn3(kept2, part)).filter(([key2]) => !keys.includes(key2));
    return [part, { ...Object.fromEntries(others), ...objectIn3(wanted, part) }];
  });
  const { clusterName, networking } = kept2;
  return {
    ...kept2,
    ...wanted,
    ...Object.fromEntries(parts),
    ...clusterName !== void 0 && { clusterName },
    ...networking !== void 0 && { networking }
  };
}
function onKeptKubelet(wanted, kept2) {
  return { ...kept2, ...wanted };
}
function objectIn3(object, key2) {
  const value = object[key2];
  return (0, import_json4.isJsonObject)(value) ? value : {};
}
var import_json4, decided;
var init_on_kept = __esm({
  "src/kubeadm/config/on-kept.ts"() {
    "use strict";
    import_json4 = __toESM(require_json(), 1);
    init_kubeadm_paths();
    decided = {
      apiServer: ["certSANs", "extraArgs"],
      controllerManager: ["extraArgs"],
      scheduler: ["extraArgs"],
      proxy: ["disabled"]
    };
  }
});

// src/kubeadm/config/init-configuration.ts
function initFile(spec, host, material, kept2 = {}) {
  return renderDocuments([
    initConfiguration(spec, host, material),
    onKeptConfiguration(clusterConfiguration(spec), kept2.configuration),
    onKeptKubelet(kubeletConfiguration(spec), kept2.kubeletConfiguration)
  ]);
}
function initConfiguration(spec, host, { token, certificateKey }) {
  return {
    apiVersion: kubeadmApi,
    kind: "InitConfiguration",
    ...tokensField(token, { minutes: tokenMinutes, description: "joins of one run" }),
    nodeRegistration: nodeRegistration(spec, host),
    localAPIEndpoint: { advertiseAddress: host.nodeIp, bindPort: import_api_server_port4.apiServerPort },
    certificateKey,
    ...patchesField(spec),
    ...kubeadmTimeouts(spec, "init")
  };
}
var import_api_server_port4, tokenMinutes;
var init_init_configuration = __esm({
  "src/kubeadm/config/init-configuration.ts"() {
    "use strict";
    import_api_server_port4 = __toESM(require_api_server_port(), 1);
    init_bootstrap_token();
    init_cluster_configuration();
    init_kubeadm_paths();
    init_kubeadm_timeouts();
    init_kubelet_configuration();
    init_node_registration();
    init_on_kept();
    init_patch_files();
    init_render_documents();
    tokenMinutes = 120;
  }
});

// src/kubeadm/config/join-configuration.ts
function workerJoinFile(spec, host, discovery) {
  return renderDocuments([joinConfiguration(spec, host, discovery, {})]);
}
function controlPlaneJoinFile(spec, host, { certificateKey, ...discovery }) {
  const localAPIEndpoint = { advertiseAddress: host.nodeIp, bindPort: import_api_server_port5.apiServerPort };
  const controlPlane = { localAPIEndpoint, certificateKey };
  return renderDocuments([joinConfiguration(spec, host, discovery, { controlPlane })]);
}
function joinConfiguration(spec, host, { token, caCertHashes: caCertHashes2 }, role) {
  if (caCertHashes2.length === 0) throw new Error("a host joins only what it knows the authority of");
  return {
    apiVersion: kubeadmApi,
    kind: "JoinConfiguration",
    discovery: {
      bootstrapToken: {
        token: tokenText(token),
        apiServerEndpoint: controlPlaneEndpoint(spec),
        caCertHashes: caCertHashes2
      }
    },
    nodeRegistration: nodeRegistration(spec, host),
    ...role,
    ...patchesField(spec),
    ...kubeadmTimeouts(spec, "join")
  };
}
var import_api_server_port5;
var init_join_configuration = __esm({
  "src/kubeadm/config/join-configuration.ts"() {
    "use strict";
    import_api_server_port5 = __toESM(require_api_server_port(), 1);
    init_bootstrap_token();
    init_control_plane_endpoint();
    init_kubeadm_paths();
    init_kubeadm_timeouts();
    init_node_registration();
    init_patch_files();
    init_render_documents();
  }
});

// part:src/lib/random.ts
var require_random = __commonJS({
  "part:src/lib/random.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/random.ts"]();
  }
});

// src/kubeadm/config/join-material.ts
function mintJoinMaterial(random) {
  return { token: mintToken(random), certificateKey: (0, import_random.randomHex)(random, 32) };
}
var import_random;
var init_join_material = __esm({
  "src/kubeadm/config/join-material.ts"() {
    "use strict";
    import_random = __toESM(require_random(), 1);
    init_bootstrap_token();
  }
});

// part:src/lib/limit.ts
var require_limit = __commonJS({
  "part:src/lib/limit.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/limit.ts"]();
  }
});

// src/engine/kubeadm/etcd-members.ts
function unhealthyMembers(members, names, away2) {
  const missing2 = names.find((name) => !members.some((member) => member.name === name));
  if (missing2 !== void 0) return `etcd has no member of ${missing2}`;
  const learner = members.find(({ isLearner }) => isLearner);
  if (learner) return `the member of ${learner.name || learner.id} has no vote yet`;
  const silent = members.find(({ isHealthy, name }) => isHealthy === false && !away2.has(name));
  return silent && `the member of ${silent.name || silent.id} does not answer`;
}
async function etcdProblem(reach2, away2 = nobody) {
  const { members } = await reach2.members();
  const names = reach2.controlPlanes.map(({ name }) => name);
  return unhealthyMembers(members, names, away2);
}
async function waitForMembers({ context, reach: reach2, progress }) {
  const { clock: clock2, signal } = context;
  await (0, import_wait_for3.waitFor)(
    "etcd to be healthy",
    async () => {
      try {
        const reason = await etcdProblem(reach2);
        return reason === void 0 ? { done: void 0 } : { pending: reason };
      } catch (error) {
        if (!(0, import_cluster_error13.isClusterError)(error)) throw error;
        return { pending: error.message };
      }
    },
    {
      clock: clock2,
      signal,
      everyMs: 2e3,
      withinMs,
      onPending: (reason) => progress.step(reason),
      hint: "Look at the log of etcd on the control planes (crictl logs), then run again."
    }
  );
}
function isMemberOf({ name, peerUrls }, host) {
  return name === host.name || peerUrls.some((url) => url.includes(`//${host.nodeIp}:`));
}
async function removeEtcdMember({ id, name }, owner, {
  recorder,
  reach: reach2,
  progress
}) {
  progress.step(`${owner || name || id}: its member ${id} of etcd is removed`);
  recorder.record("Remove a member of etcd", (known) => known, {}, [
    {
      fact: "member-removed",
      ...owner !== "" && { node: owner },
      detail: { member: id }
    }
  ]);
  await recorder.flush();
  await reach2.removeMember(id, owner);
}
var import_cluster_error13, import_wait_for3, withinMs, nobody;
var init_etcd_members = __esm({
  "src/engine/kubeadm/etcd-members.ts"() {
    "use strict";
    import_cluster_error13 = __toESM(require_cluster_error(), 1);
    import_wait_for3 = __toESM(require_wait_for(), 1);
    withinMs = 10 * 6e4;
    nobody = /* @__PURE__ */ new Set();
  }
});

// src/kubeadm/config/reset-configuration.ts
function resetFile() {
  return renderDocuments([
    {
      apiVersion: kubeadmApi,
      kind: "ResetConfiguration",
      cleanupTmpDir: true,
      criSocket,
      force: true
    }
  ]);
}
var init_reset_configuration = __esm({
  "src/kubeadm/config/reset-configuration.ts"() {
    "use strict";
    init_kubeadm_paths();
    init_render_documents();
  }
});

// src/engine/kubeadm/run-job.ts
async function runJob(remote, job) {
  const { name, title, script, args = [], minutes, onLine, hint } = job;
  const withinMs5 = minutes * 6e4;
  await outliveJob(remote, name, { withinMs: withinMs5 + spareMs });
  await startJob(remote, { name, text: script, args, withinMs: withinMs5 });
  const { code, lastLines: lastLines7 } = await followJob(remote, name, {
    withinMs: withinMs5 + spareMs,
    ...onLine && { onLine }
  });
  await removeJob(remote, name);
  if (code === 0) return;
  throw new import_cluster_error14.ClusterError("script-failed", `${remote.host.name} could not ${title}`, {
    operation: title,
    target: (0, import_ssh_host6.describeHost)(remote.host),
    evidence: [`exit code ${code}`, ...lastLines7],
    hint: hint ?? "Fix on the host what its log shows above, then run again: it continues there."
  });
}
var import_cluster_error14, import_ssh_host6, spareMs;
var init_run_job = __esm({
  "src/engine/kubeadm/run-job.ts"() {
    "use strict";
    import_cluster_error14 = __toESM(require_cluster_error(), 1);
    init_follow_job();
    init_job();
    import_ssh_host6 = __toESM(require_ssh_host(), 1);
    spareMs = 6e4;
  }
});

// src/engine/kubeadm/leave-host.ts
async function leaveHost(remote, { uid, leftAs, minutes }) {
  const { mark } = await look2(remote);
  if (mark?.uid !== uid || mark.hasLeft) return;
  if (leftAs === "keep") {
    await runJob(remote, { name: "stop-node", title: "stop its node", script: stopScript, minutes });
    const content = `${JSON.stringify({ ...mark, hasLeft: true })}
`;
    await writeFile(remote, { path: markFile, content, mode: 420, withinMs: askMs3 });
    return;
  }
  await resetHost(remote, minutes);
  if (leftAs === "purge") {
    const title = "remove what was installed";
    await runJob(remote, { name: "purge", title, script: purgeScript, minutes });
  }
  await scriptOutput(remote, {
    title: "forget the cluster",
    text: 'rm -f -- "$1"',
    args: [markFile],
    withinMs: askMs3,
    isRepeatable: true
  });
}
async function resetHost(remote, minutes) {
  await runJob(remote, {
    name: "kubeadm-reset",
    title: "reset the host",
    script: resetScript,
    args: [resetFile()],
    minutes
  });
  const { traces } = await look2(remote);
  const left = leftTraces(traces);
  if (left.length === 0) return;
  throw new import_cluster_error15.ClusterError("script-failed", `${remote.host.name} was reset, and is not clean`, {
    operation: "reset the host",
    target: remote.host.name,
    evidence: left.map((path) => `${path} is there`),
    hint: "Remove on the host what is listed above, then run again."
  });
}
async function look2(remote) {
  const printed2 = await scriptOutput(remote, {
    title: "look at the host",
    text: lookScript,
    args: [""],
    withinMs: askMs3,
    isRepeatable: true
  });
  return readLook(printed2, { from: 0, to: 0 });
}
function leftTraces(traces) {
  return [
    ...traces.caHash === void 0 ? [] : [`${kubernetesFolder}/pki`],
    ...traces.hasAdminConf ? [`${kubernetesFolder}/admin.conf`] : [],
    ...traces.hasKubeletConf ? [`${kubernetesFolder}/kubelet.conf`] : [],
    ...traces.hasEtcdData ? ["/var/lib/etcd/member"] : []
  ];
}
var import_cluster_error15, askMs3;
var init_leave_host = __esm({
  "src/engine/kubeadm/leave-host.ts"() {
    "use strict";
    init_act_scripts();
    init_kubeadm_paths();
    init_reset_configuration();
    init_look_script();
    init_read_look();
    import_cluster_error15 = __toESM(require_cluster_error(), 1);
    init_host_script();
    init_write_file();
    init_run_job();
    askMs3 = 6e4;
  }
});

// src/engine/kubeadm/record-host.ts
function recordHost2(recorder, view, host, facts, { kubernetesVersion } = {}) {
  const { name, address, login: login2, onRemove } = host;
  const former = recorder.inventory.nodes.find((node2) => node2.name === name);
  const place = view.nodes.find((node2) => node2.name === name);
  if (!place) throw new Error(`${name} is no host of the file`);
  const node = {
    ...former,
    name,
    role: place.role,
    pool: place.pool,
    slot: place.slot,
    privateIp: place.privateIp,
    ...kubernetesVersion !== void 0 && { kubernetesVersion },
    host: { ...former?.host, address, login: recordLogin(login2), onRemove, ...facts }
  };
  recorder.recordNode(`Note ${name}`, node);
}
var init_record_host = __esm({
  "src/engine/kubeadm/record-host.ts"() {
    "use strict";
    init_recorded_login();
  }
});

// src/engine/kubeadm/host-admission.ts
function hasTraces({ traces }) {
  return leftTraces(traces).length > 0;
}
function anotherCluster(name) {
  return new import_cluster_error16.ClusterError("plan-refused", `${name} is a node of another cluster`, {
    operation: "make it a node",
    target: name,
    hint: `Take ${name} out of the cluster file, or reset it yourself (kubeadm reset) if nobody needs what it is now.`
  });
}
function otherMachine(name) {
  return new import_cluster_error16.ClusterError(
    "plan-refused",
    `the node ${name} is of another machine than the host that joined`,
    {
      operation: "join the cluster",
      target: name,
      hint: "Give each host a name of its own: two machines register under this one."
    }
  );
}
var import_nodes2, import_cluster_error16, apiWithinMs, HostAdmission;
var init_host_admission = __esm({
  "src/engine/kubeadm/host-admission.ts"() {
    "use strict";
    import_nodes2 = __toESM(require_nodes(), 1);
    import_cluster_error16 = __toESM(require_cluster_error(), 1);
    init_running_version();
    init_look_at_host();
    init_leave_host();
    init_record_host();
    apiWithinMs = 10 * 6e4;
    HostAdmission = class {
      #options;
      constructor(options) {
        this.#options = options;
      }
      /**
       * What is on the host now: a plan may be some time ago. Throws `plan-refused` where it is of another cluster, or where
       * a node of its name is Ready on another machine: nothing was changed then, neither on it nor in etcd.
       */
      async examine(host) {
        const { hosts, view, context, recorder, reach: reach2 } = this.#options;
        const { name } = host;
        const found = await lookAtHost(await hosts.remote(name), {
          spec: view.spec,
          host,
          version: runningVersion(view.spec, recorder.inventory),
          calendar: context.calendar
        });
        if (hasTraces(found) && !this.#mayReset(found)) throw anotherCluster(name);
        if (!recorder.inventory.bootstrapped) return found;
        const former = await (0, import_nodes2.getNode)(await reach2.kubernetes(apiWithinMs), name);
        if (former?.ready && former.machineId !== found.machineId) throw otherMachine(name);
        return found;
      }
      /** Ours by its mark; another authority than that of the state is another cluster's, whatever its mark. */
      #mayReset({ mark, traces: { caHash } }) {
        const { inventory } = this.#options.recorder;
        if (mark?.uid !== inventory.uid) return false;
        return inventory.authority === void 0 || caHash === void 0 || caHash === inventory.authority;
      }
      /**
       * Makes a host ready for kubeadm to make a node of it. That is written down before anything is done there: a run that
       * dies in between is known by it, and what it left is reset by the next one.
       */
      async begin(host, found, progress) {
        const { hosts, view } = this.#options;
        const { name } = host;
        await this.#note(host, { membership: "joining", machineId: found.machineId });
        if (hasTraces(found)) {
          progress.step(`${name}: resetting what it was before`);
          await resetHost(await hosts.remote(name), view.spec.kubeadm.timeoutMinutes.reset);
        }
        await hosts.mark(name);
        await hosts.writePatches(name);
      }
      /** Notes that a host is a node now, and of which Kubernetes. */
      async joined(host, kubernetesVersion) {
        await this.#note(host, { membership: "member" }, kubernetesVersion);
      }
      async #note(host, facts, kubernetesVersion) {
        const { hosts, recorder, view } = this.#options;
        const remote = await hosts.remote(host.name);
        const hostKey2 = remote.host.hostKey.text;
        recordHost2(
          recorder,
          view,
          host,
          { ...facts, ...hostKey2 !== void 0 && { hostKey: hostKey2 } },
          {
            kubernetesVersion
          }
        );
        await recorder.flush();
      }
    };
  }
});

// src/engine/kubeadm/join-credentials.ts
function tokenRef(id) {
  return {
    apiVersion: "v1",
    kind: "Secret",
    namespace: "kube-system",
    name: `bootstrap-token-${id}`
  };
}
var import_kubernetes_object2, import_wait_for4, lifeMs, freshMs, signedWithinMs, JoinCredentials;
var init_join_credentials = __esm({
  "src/engine/kubeadm/join-credentials.ts"() {
    "use strict";
    init_act_scripts();
    init_bootstrap_token();
    init_init_configuration();
    init_join_material();
    import_kubernetes_object2 = __toESM(require_kubernetes_object(), 1);
    import_wait_for4 = __toESM(require_wait_for(), 1);
    init_run_job();
    lifeMs = 2 * 36e5;
    freshMs = 36e5;
    signedWithinMs = 2 * 6e4;
    JoinCredentials = class {
      #options;
      #token;
      #uploaded;
      #minted = [];
      constructor(options) {
        this.#options = options;
      }
      /** For a worker. */
      async forWorker() {
        return this.#current();
      }
      /** For a control plane: its keys are there to be fetched. */
      async forControlPlane() {
        const material = await this.#current();
        if (this.#uploaded?.of !== material) {
          this.#uploaded = { of: material, done: this.#upload(material) };
        }
        await this.#uploaded.done;
        return material;
      }
      /** Deletes what was minted: nobody else joins with it. Asks nobody where nothing was. */
      async revoke(kubernetes) {
        for (const id of this.#minted.splice(0)) await kubernetes.delete(tokenRef(id));
      }
      #current() {
        const now = this.#options.context.calendar.now();
        const known = this.#token;
        if (known && now < known.at + freshMs) return known.material;
        const made = { at: now, material: this.#mint(now) };
        this.#token = made;
        made.material.catch(() => {
          if (this.#token === made) this.#token = void 0;
        });
        return made.material;
      }
      async #mint(now) {
        const { context, kubernetes } = this.#options;
        const material = mintJoinMaterial(context.random);
        context.redactor.add(material.token.secret);
        context.redactor.add(material.certificateKey);
        const client = await kubernetes();
        const { id } = material.token;
        const life = { expires: now + lifeMs, description: `joins of the run ${context.run.id}` };
        this.#minted.push(id);
        await client.applyServerSide(tokenSecret(material.token, life), {
          fieldManager: "hcloud-talos"
        });
        await this.#untilSigned(client, id);
        return material;
      }
      /** Nobody finds the cluster by a token before its controller manager has signed with it where it is. */
      async #untilSigned(client, id) {
        const { clock: clock2, signal } = this.#options.context;
        const ref = {
          apiVersion: "v1",
          kind: "ConfigMap",
          namespace: "kube-public",
          name: "cluster-info"
        };
        await (0, import_wait_for4.waitFor)(
          "the cluster to sign its address with the token",
          async () => {
            const info = await client.get(ref);
            const isSigned = info && (0, import_kubernetes_object2.fieldAt)(info, "data", `jws-kubeconfig-${id}`) !== void 0;
            return isSigned ? { done: void 0 } : { pending: "the controller manager has not signed yet" };
          },
          {
            clock: clock2,
            signal,
            everyMs: 1e3,
            withinMs: signedWithinMs,
            hint: "Look at the log of the kube-controller-manager on the control planes."
          }
        );
      }
      async #upload(material) {
        const { spec, executor } = this.#options;
        const { host, remote } = await executor();
        await runJob(remote, {
          name: "kubeadm-upload-certs",
          title: "upload the keys of the control plane",
          script: uploadCertsScript,
          args: [initFile(spec, host, material)],
          minutes: spec.kubeadm.timeoutMinutes.join
        });
      }
    };
  }
});

// src/engine/kubeadm/membership.ts
function specAsRunning(spec, version) {
  return { ...spec, kubernetes: { ...spec.kubernetes, version } };
}
function noWayToVip(name, address) {
  return new import_cluster_error17.ClusterError("plan-refused", `${name} has no route to the virtual IP ${address}`, {
    operation: "bring the virtual IP",
    target: name,
    hint: "Name the interface under kubeadm.endpoint.virtualIp.interface, or give the hosts an address in its network."
  });
}
var import_nodes3, import_wait_for_registration, import_cluster_error17, import_limit, apiWithinMs2, readMs2, mostCertificate, Membership;
var init_membership = __esm({
  "src/engine/kubeadm/membership.ts"() {
    "use strict";
    init_act_scripts();
    init_ca_cert_hash();
    init_init_configuration();
    init_join_configuration();
    init_join_material();
    init_kube_vip_manifest();
    init_kubeadm_paths();
    import_nodes3 = __toESM(require_nodes(), 1);
    import_wait_for_registration = __toESM(require_wait_for_registration(), 1);
    import_cluster_error17 = __toESM(require_cluster_error(), 1);
    import_limit = __toESM(require_limit(), 1);
    init_running_version();
    init_observe_hosts();
    init_read_file();
    init_etcd_members();
    init_host_admission();
    init_join_credentials();
    init_run_job();
    apiWithinMs2 = 10 * 6e4;
    readMs2 = 6e4;
    mostCertificate = 64 * 1024;
    Membership = class {
      #options;
      #credentials;
      #admission;
      /** etcd has one member more or less at a time. */
      oneAtATime = (0, import_limit.createLimit)(1);
      constructor(options) {
        this.#options = options;
        const { context, recorder, view, reach: reach2, hosts } = options;
        this.#admission = new HostAdmission(options);
        this.#credentials = new JoinCredentials({
          context,
          spec: specAsRunning(view.spec, runningVersion(view.spec, recorder.inventory)),
          kubernetes: () => reach2.kubernetes(apiWithinMs2),
          executor: async () => {
            const { through } = await reach2.members();
            return { host: hosts.wanted(through), remote: await hosts.remote(through) };
          }
        });
      }
      /**
       * Nobody joins with what this run minted any more; also after a run that failed, whose own signal is aborted. What went
       * wrong is what people must read: where it cannot be revoked now, it ends by itself within two hours.
       */
      async revokeCredentials(signal) {
        const { reach: reach2, context } = this.#options;
        try {
          await this.#credentials.revoke(reach2.kubernetesOnce(signal));
        } catch (error) {
          if (!(0, import_cluster_error17.isClusterError)(error)) throw error;
          context.progress.warn(error.message);
        }
      }
      /**
       * Begins the cluster on a host. What a former run left half done is reset: it was marked as ours, and the cluster knows
       * no configuration yet, so that there is nobody to lose. PKI is never made where any host shows a cluster.
       */
      async init(host, progress) {
        const { hosts, view, context, recorder, reach: reach2 } = this.#options;
        const { spec } = view;
        const { name } = host;
        const remote = await hosts.remote(name);
        const found = await this.#admission.examine(host);
        await this.#admission.begin(host, found, progress);
        await this.#writeKubeVip(host, found, "before-init");
        const material = mintJoinMaterial(context.random);
        context.redactor.add(material.token.secret);
        context.redactor.add(material.certificateKey);
        progress.step(`${name}: kubeadm init`);
        await runJob(remote, {
          name: "kubeadm-init",
          title: "initialise the cluster",
          script: initScript,
          args: [initFile(spec, host, material)],
          minutes: spec.kubeadm.timeoutMinutes.init,
          onLine: (line) => progress.step(`${name}: ${line}`)
        });
        const authority2 = await this.#authorityOn(name);
        recorder.record(
          "The cluster was initialised",
          (inventory) => ({ ...inventory, authority: authority2, bootstrapped: true }),
          {},
          [{ fact: "etcd-bootstrapped", node: name }]
        );
        await this.#admission.joined(host, spec.kubernetes.version);
        await this.#writeKubeVip(host, found, "after");
        await waitForMembers({ context, reach: reach2, progress });
      }
      /** Makes a host a node of the cluster that runs. */
      async join(host, progress) {
        const isControlPlane3 = host.role === "control-plane";
        if (isControlPlane3) return this.oneAtATime(() => this.#joinControlPlane(host, progress));
        const found = await this.#admission.examine(host);
        await this.#join(host, found, progress, async (spec, caCertHashes2) => {
          const { token } = await this.#credentials.forWorker();
          return workerJoinFile(spec, host, { token, caCertHashes: caCertHashes2 });
        });
      }
      async #joinControlPlane(host, progress) {
        const { hosts } = this.#options;
        const { name } = host;
        const found = await this.#admission.examine(host);
        await this.#dropUnstarted(host, progress);
        await this.#join(host, found, progress, async (spec, caCertHashes2) => {
          const material = await this.#credentials.forControlPlane();
          return controlPlaneJoinFile(spec, host, { ...material, caCertHashes: caCertHashes2 });
        });
        const { context, reach: reach2, session } = this.#options;
        const known = hosts.known(name);
        const others = reach2.controlPlanes.filter((one) => one.name !== name);
        reach2.use([...others, reachedBy(session, known)]);
        await waitForMembers({ context, reach: reach2, progress });
        await this.#writeKubeVip(host, found, "after");
      }
      async #join(host, found, progress, fileFor) {
        const { hosts, view, recorder, reach: reach2, context } = this.#options;
        const { name } = host;
        const remote = await hosts.remote(name);
        const kubernetes = await reach2.kubernetes(apiWithinMs2, (reason) => progress.step(reason));
        await this.#admission.begin(host, found, progress);
        await (0, import_nodes3.deleteNode)(kubernetes, name);
        const version = runningVersion(view.spec, recorder.inventory);
        const file = await fileFor(specAsRunning(view.spec, version), [this.#authority()]);
        progress.step(`${name}: kubeadm join`);
        await runJob(remote, {
          name: "kubeadm-join",
          title: "join the cluster",
          script: joinScript,
          args: [file],
          minutes: view.spec.kubeadm.timeoutMinutes.join,
          onLine: (line) => progress.step(`${name}: ${line}`)
        });
        const { clock: clock2, signal } = context;
        await (0, import_wait_for_registration.waitForRegistration)(kubernetes, [name], {
          clock: clock2,
          signal,
          onPending: (reason) => progress.step(reason)
        });
        const node = await (0, import_nodes3.getNode)(kubernetes, name);
        if (node !== void 0 && node.machineId !== found.machineId) throw otherMachine(name);
        await this.#admission.joined(host, version);
      }
      #authority() {
        const { authority: authority2 } = this.#options.recorder.inventory;
        if (authority2 === void 0) throw new Error("a host joins a cluster whose authority is known");
        return authority2;
      }
      async #authorityOn(name) {
        const remote = await this.#options.hosts.remote(name);
        const path = `${kubernetesFolder}/pki/ca.crt`;
        const pem = await readFile2(remote, path, { mostBytes: mostCertificate, withinMs: readMs2 });
        const [hash] = pem === void 0 ? [] : caCertHashes(pem.toString("utf8"));
        if (hash !== void 0) return hash;
        throw new import_cluster_error17.ClusterError("script-failed", `kubeadm init has left no authority on ${name}`, {
          operation: "read the authority of the cluster",
          target: name,
          hint: `Look at ${path} on the host, then run again.`
        });
      }
      async #writeKubeVip(host, { traces }, stage) {
        const { hosts, view } = this.#options;
        const { endpoint } = view.spec.kubeadm;
        if (endpoint.type !== "virtualIp") return;
        const place = endpoint.interface ?? traces.vipInterface;
        if (place === void 0) throw noWayToVip(host.name, endpoint.address);
        const manifest = kubeVipManifest(endpoint, {
          kubernetesVersion: view.spec.kubernetes.version,
          interface: place,
          stage
        });
        await hosts.writeKubeVip(host.name, manifest);
      }
      /** A member that never started, or that is of this very host before its join, keeps etcd from taking another one. */
      async #dropUnstarted(host, progress) {
        const { reach: reach2, recorder } = this.#options;
        const { members } = await reach2.members();
        for (const member of members.filter((one) => one.name === "" || isMemberOf(one, host))) {
          await removeEtcdMember(member, host.name, { recorder, reach: reach2, progress });
        }
      }
    };
  }
});

// src/engine/kubeadm/restore-acts.ts
async function onAll(hosts, work) {
  await Promise.all(hosts.map(({ remote }) => work(remote)));
}
async function stopControlPlane(remote) {
  await act(remote, "stop its control plane", stopControlPlaneScript, stopMs);
}
async function wipeEtcd(remote) {
  await act(remote, "wipe the data of etcd", wipeEtcdScript, stopMs);
}
async function fetchTool(remote) {
  const printed2 = await scriptOutput(remote, {
    title: "find etcdutl, which restores snapshots",
    text: fetchToolScript,
    withinMs: toolMs,
    isRepeatable: true,
    hint: "Install etcdutl of the version of its etcd on this host (/usr/local/bin/etcdutl, out of the release of etcd), then run again."
  });
  return printed2.trim();
}
async function act(remote, title, text, withinMs5 = actMs) {
  await scriptOutput(remote, { title, text, withinMs: withinMs5, isRepeatable: true });
}
var stopMs, actMs, toolMs;
var init_restore_acts = __esm({
  "src/engine/kubeadm/restore-acts.ts"() {
    "use strict";
    init_etcd_scripts();
    init_host_script();
    stopMs = 5 * 6e4;
    actMs = 2 * 6e4;
    toolMs = 10 * 6e4;
  }
});

// part:src/engine/store-sealed-snapshot.ts
var require_store_sealed_snapshot = __commonJS({
  "part:src/engine/store-sealed-snapshot.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/store-sealed-snapshot.ts"]();
  }
});

// src/engine/kubeadm/store-host-snapshot.ts
function storeHostSnapshot(context, { source, place, takenAt, seal, view }) {
  const metadata = metadataOf(source, takenAt, view);
  return (0, import_store_sealed_snapshot.storeSealedSnapshot)(context, {
    plain: readSource(source),
    place,
    seal: { ...seal, metadata }
  });
}
function metadataOf({ name, kind, mark }, takenAt, { spec, generation }) {
  if (!generation) throw (0, import_cluster_unknown3.clusterUnknown)(spec, "take a snapshot of");
  const { inventory, journal } = generation;
  return {
    cluster: spec.clusterName,
    uid: inventory.uid,
    node: name,
    takenAt,
    // Required by the format since its first version; hosts have no Talos.
    talosVersion: "",
    kubernetesVersion: versionOfHost(name, spec, inventory),
    ...mark,
    beginning: (0, import_etcd_beginning2.etcdBeginning)(journal),
    ...kind !== "quorum" && { quorum: false }
  };
}
var import_etcd_beginning2, import_cluster_unknown3, import_store_sealed_snapshot;
var init_store_host_snapshot = __esm({
  "src/engine/kubeadm/store-host-snapshot.ts"() {
    "use strict";
    import_etcd_beginning2 = __toESM(require_etcd_beginning(), 1);
    init_running_version();
    import_cluster_unknown3 = __toESM(require_cluster_unknown(), 1);
    import_store_sealed_snapshot = __toESM(require_store_sealed_snapshot(), 1);
    init_etcd_source();
  }
});

// part:src/kubernetes/sync-taints.ts
var require_sync_taints = __commonJS({
  "part:src/kubernetes/sync-taints.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/kubernetes/sync-taints.ts"]();
  }
});

// src/engine/kubeadm/sync-node.ts
async function syncNode(kubernetes, host, { view, recorder, context }) {
  const former = recorder.inventory.nodes.find(({ name }) => name === host.name)?.host?.given;
  const given2 = await giveTo(kubernetes, host, { spec: view.spec, former, context });
  recordHost2(recorder, view, host, { given: given2 });
}
async function giveTo(kubernetes, host, {
  spec,
  former,
  context
}) {
  const { name, labels } = host;
  const wanted = nodeTaints(spec, host);
  const gone = (former?.labels ?? []).filter((key2) => !(key2 in labels));
  const node = await (0, import_nodes4.getNode)(kubernetes, name);
  const isOther = Object.entries(labels).some(([key2, value]) => node?.labels[key2] !== value);
  if (isOther || gone.some((key2) => node?.labels[key2] !== void 0)) {
    const removed = Object.fromEntries(gone.map((key2) => [key2, null]));
    await kubernetes.patch((0, import_nodes4.nodeRef)(name), { metadata: { labels: { ...removed, ...labels } } });
  }
  await (0, import_sync_taints.syncTaints)(kubernetes, name, { former: formerTaints(former), wanted }, context);
  return {
    labels: Object.keys(labels).sort(),
    taints: wanted.map(({ key: key2, effect }) => `${key2}:${effect}`).sort()
  };
}
function formerTaints(given2) {
  return (given2?.taints ?? []).flatMap((text) => {
    const at = text.lastIndexOf(":");
    const effect = effects.find((one) => one === text.slice(at + 1));
    return effect === void 0 ? [] : [{ key: text.slice(0, at), effect }];
  });
}
var import_nodes4, import_sync_taints, effects;
var init_sync_node = __esm({
  "src/engine/kubeadm/sync-node.ts"() {
    "use strict";
    init_node_registration();
    import_nodes4 = __toESM(require_nodes(), 1);
    import_sync_taints = __toESM(require_sync_taints(), 1);
    init_record_host();
    effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
  }
});

// part:src/kubernetes/readiness.ts
var require_readiness = __commonJS({
  "part:src/kubernetes/readiness.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/kubernetes/readiness.ts"]();
  }
});

// src/engine/kubeadm/static-pods.ts
function staticPodRef(pod, host) {
  return { apiVersion: "v1", kind: "Pod", namespace: "kube-system", name: `${pod}-${host}` };
}
function containerIn(pod) {
  return (0, import_kubernetes_object3.textAt)(pod, "status", "containerStatuses", 0, "containerID");
}
async function whileRestarting(name, { hosts, reach: reach2 }, work, stopped = []) {
  const remote = await hosts.remote(name);
  const kubernetes = await reach2.kubernetes(apiWithinMs3);
  const before = await manifests(remote);
  const names = [.../* @__PURE__ */ new Set([...controlPlanePods, ...before.keys(), ...stopped])];
  const containers = await containersOf(kubernetes, name, names);
  await work();
  const after = await manifests(remote);
  const changed = [...after].flatMap(([pod, digest]) => before.get(pod) === digest ? [] : [pod]);
  const renewed = /* @__PURE__ */ new Set([...changed, ...stopped]);
  return new Map([...renewed].map((pod) => [pod, containers.get(pod)]));
}
async function containersOf(kubernetes, host, pods) {
  const entries = pods.map(async (pod) => {
    const found = await kubernetes.get(staticPodRef(pod, host));
    return [pod, found && containerIn(found)];
  });
  return new Map(await Promise.all(entries));
}
async function manifests(remote) {
  const printed2 = await scriptOutput(remote, {
    title: "look at its static pods",
    text: manifestsScript,
    withinMs: askMs4,
    isRepeatable: true
  });
  return new Map(
    printed2.split("\n").flatMap((line) => {
      const [pod, digest] = line.split(" ");
      return pod && digest ? [[pod, digest]] : [];
    })
  );
}
var import_kubernetes_object3, controlPlanePods, apiWithinMs3, askMs4, manifestsScript;
var init_static_pods = __esm({
  "src/engine/kubeadm/static-pods.ts"() {
    "use strict";
    import_kubernetes_object3 = __toESM(require_kubernetes_object(), 1);
    init_host_script();
    controlPlanePods = [
      "etcd",
      "kube-apiserver",
      "kube-controller-manager",
      "kube-scheduler"
    ];
    apiWithinMs3 = 5 * 6e4;
    askMs4 = 6e4;
    manifestsScript = `
cd /etc/kubernetes/manifests 2>/dev/null || exit 0
for file in *.yaml; do
  [ ! -f "$file" ] || printf '%s %s\\n' "\${file%.yaml}" "$(sha256sum <"$file" | cut -d' ' -f1)"
done
`;
  }
});

// src/engine/kubeadm/wait-for-control-plane.ts
async function waitForControlPlane(name, { context, reach: reach2, progress, away: away2 }, awaited = {}) {
  const { clock: clock2, signal } = context;
  await (0, import_wait_for5.waitFor)(
    `the control plane ${name} to be healthy`,
    async () => {
      try {
        const reason = await problemOf(name, reach2, awaited) ?? await etcdProblem(reach2, away2);
        return reason === void 0 ? { done: void 0 } : { pending: reason };
      } catch (error) {
        if (!(error instanceof import_cluster_error18.ClusterError)) throw error;
        return { pending: error.message };
      }
    },
    {
      clock: clock2,
      signal,
      everyMs: 2e3,
      withinMs: withinMs2,
      onPending: (reason) => progress.step(`${name}: ${reason}`),
      hint: `Look at its components on ${name} (crictl ps -a, crictl logs), fix what is wrong there, then run again.`
    }
  );
}
async function problemOf(name, reach2, { version, former = /* @__PURE__ */ new Map() }) {
  const kubernetes = reach2.kubernetesOnce();
  const node = await kubernetes.get({ apiVersion: "v1", kind: "Node", name });
  if (node && !(0, import_nodes5.readNode)(node).ready && (0, import_nodes5.readNode)(node).silent) return "its kubelet is silent";
  for (const component of /* @__PURE__ */ new Set([...controlPlanePods, ...former.keys()])) {
    const pod = await kubernetes.get(staticPodRef(component, name));
    if (!pod) return `${component} is not there`;
    if (former.has(component) && former.get(component) === containerIn(pod)) {
      return `${component} has not started again yet`;
    }
    if ((0, import_readiness.condition)(pod, "Ready")?.status !== "True") return `${component} is not Ready`;
    const image = (0, import_kubernetes_object4.textAt)(pod, "spec", "containers", 0, "image") ?? "";
    const isVersioned = version !== void 0 && component !== "etcd" && component !== "kube-vip";
    if (isVersioned && !image.endsWith(`:v${version}`)) {
      return `${component} is not of version ${version} yet`;
    }
  }
  return void 0;
}
var import_nodes5, import_readiness, import_cluster_error18, import_kubernetes_object4, import_wait_for5, withinMs2;
var init_wait_for_control_plane = __esm({
  "src/engine/kubeadm/wait-for-control-plane.ts"() {
    "use strict";
    import_nodes5 = __toESM(require_nodes(), 1);
    import_readiness = __toESM(require_readiness(), 1);
    import_cluster_error18 = __toESM(require_cluster_error(), 1);
    import_kubernetes_object4 = __toESM(require_kubernetes_object(), 1);
    import_wait_for5 = __toESM(require_wait_for(), 1);
    init_etcd_members();
    init_static_pods();
    withinMs2 = 10 * 6e4;
  }
});

// src/engine/kubeadm/restore-hosts.ts
async function restoreHosts(input) {
  var _stack = [];
  try {
    const inventory = input.session.store.known?.inventory ?? input.former.generation?.inventory;
    if (!inventory) throw new Error("a cluster without a state cannot be restored");
    const restore = __using(_stack, new HostsRestore(input, new import_state_recorder.StateRecorder(input.session.store, inventory)));
    await restore.run();
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    __callDispose(_stack, _error, _hasError);
  }
}
var import_nodes6, import_wait_for_registration2, import_restore_plan2, import_run_phase3, import_state_recorder, import_keep_etcd_copies, import_remove_cluster_node, import_wait_for_nodes, withinMs3, restoreMinutes, restoreMs, restoreJob, HostsRestore, controlPlaneLabels;
var init_restore_hosts = __esm({
  "src/engine/kubeadm/restore-hosts.ts"() {
    "use strict";
    init_act_scripts();
    init_etcd_scripts();
    import_nodes6 = __toESM(require_nodes(), 1);
    import_wait_for_registration2 = __toESM(require_wait_for_registration(), 1);
    init_plan_restore();
    import_restore_plan2 = __toESM(require_restore_plan(), 1);
    init_hosts_reach();
    init_observe_hosts();
    import_run_phase3 = __toESM(require_run_phase(), 1);
    import_state_recorder = __toESM(require_state_recorder(), 1);
    init_follow_job();
    init_write_pieces();
    import_keep_etcd_copies = __toESM(require_keep_etcd_copies(), 1);
    import_remove_cluster_node = __toESM(require_remove_cluster_node(), 1);
    import_wait_for_nodes = __toESM(require_wait_for_nodes(), 1);
    init_cluster_hosts();
    init_etcd_source();
    init_judge_hosts_restore();
    init_look_at_control_planes();
    init_membership();
    init_restore_acts();
    init_run_job();
    init_store_host_snapshot();
    init_sync_node();
    init_wait_for_control_plane();
    withinMs3 = 20 * 6e4;
    restoreMinutes = 60;
    restoreMs = restoreMinutes * 6e4;
    restoreJob = "etcd-restore";
    HostsRestore = class {
      #input;
      #recorder;
      #hosts;
      #reach;
      #membership;
      #detail;
      constructor(input, recorder) {
        const { context, session, former: view, plan, snapshot } = input;
        this.#input = input;
        this.#recorder = recorder;
        const work = { session, view, recorder };
        this.#hosts = new ClusterHosts(work);
        this.#reach = new HostsReach(context);
        this.#membership = new Membership({ ...work, context, hosts: this.#hosts, reach: this.#reach });
        this.#detail = {
          snapshot: snapshot.digest,
          place: plan.place,
          ...snapshot.metadata && { takenAt: snapshot.metadata.takenAt }
        };
      }
      [Symbol.dispose]() {
        this.#reach[Symbol.dispose]();
      }
      async run() {
        const { session, context, former, plan } = this.#input;
        const { there, beginning } = restoredHosts(former);
        const seen = await lookAtControlPlanes(session, former, there);
        const journal = former.generation?.journal ?? [];
        const begun = (0, import_restore_plan2.recoveryBegun)(journal, this.#input.snapshot.digest);
        const begin2 = beginningOf(seen, beginning, { begun, resumes: plan.resumes });
        await this.#recorder.during(async () => {
          try {
            if (!plan.resumes) await this.#clear(seen, begin2);
            await this.#begin(begin2);
            await this.#gather(begin2.name);
          } finally {
            await this.#membership.revokeCredentials(context.signal);
          }
        });
        await (0, import_run_phase3.runPhase)(context.progress, "Bring the nodes back", (phase) => this.#bringBack(phase));
        await session.store.update(
          (generation) => ({
            inventory: {
              ...generation?.inventory ?? this.#recorder.inventory,
              bootstrapped: true
            },
            facts: [{ fact: "etcd-recovered", node: begin2.name, detail: this.#detail }]
          }),
          "Etcd was restored"
        );
      }
      /** Nothing is stopped before a copy of it is kept, and nothing wiped before all of them are stopped. */
      async #clear(seen, begin2) {
        const { context, former, plan, session } = this.#input;
        const { progress } = context;
        await (0, import_run_phase3.runPhase)(
          progress,
          "Bring the program that restores snapshots",
          () => fetchTool(begin2.remote),
          (from) => `${begin2.name}: ${from}`
        );
        await onAll(seen, (remote) => outliveJob(remote, restoreJob, { withinMs: restoreMs }));
        const copies = await (0, import_keep_etcd_copies.keepEtcdCopies)(context, {
          view: former,
          wiped: seen.filter(({ name }) => plan.wipes.includes(name)),
          ask: async (one) => sourceOf2(one),
          beside: plan.place,
          aboutUnread: "Run the same command again once its etcd answers; where nobody needs what it holds, remove /var/lib/etcd/member on that host yourself.",
          store: (source, to) => storeHostSnapshot(context, { source, ...to, view: former })
        });
        await session.store.record({
          fact: "etcd-wipe-started",
          detail: { ...this.#detail, ...copies.length > 0 && { copies: copies.join(" ") } }
        });
        await (0, import_run_phase3.runPhase)(progress, "Stop the control planes", () => onAll(seen, stopControlPlane));
        await (0, import_run_phase3.runPhase)(progress, "Empty the control planes", () => onAll(seen, wipeEtcd));
        await session.store.record({
          fact: "etcd-recover-started",
          node: begin2.name,
          detail: this.#detail
        });
      }
      /** etcd begins on one control plane, alone, with what the snapshot holds; done already it is only waited for. */
      async #begin({ name, remote }) {
        const { context, session, snapshot } = this.#input;
        const host = this.#hosts.wanted(name);
        await (0, import_run_phase3.runPhase)(context.progress, "Begin etcd with the snapshot", async (phase) => {
          const [found] = await lookAtControlPlanes(session, this.#input.former, [name]);
          if (found?.look.database === void 0) {
            await fetchTool(remote);
            phase.step(`${name}: the snapshot is brought`);
            await writePieces(remote, restoredSnapshot, snapshot.read());
            phase.step(`${name}: its data is made`);
            const peer = `https://${host.nodeIp}:2380`;
            const token = `${this.#recorder.inventory.uid}-${snapshot.digest.slice(0, 16)}-${context.run.id}`;
            await runJob(remote, {
              name: restoreJob,
              title: "restore the snapshot",
              script: restoreDataScript,
              args: [name, peer, token],
              minutes: restoreMinutes
            });
          }
          phase.step(`${name}: its control plane is started`);
          await act(remote, "start its control plane", startControlPlaneScript);
          this.#reach.use([reachedBy(session, this.#hosts.known(name))]);
          const kubernetes = await this.#kubernetes(phase);
          await this.#register(name, kubernetes, phase);
          await waitForControlPlane(name, { context, reach: this.#reach, progress: phase });
        });
      }
      /** A node that joined after the snapshot was taken is not in it: its kubelet registers it, as what it is. */
      async #register(name, kubernetes, phase) {
        const { clock: clock2, signal } = this.#input.context;
        const onPending = (reason) => phase.step(reason);
        await (0, import_wait_for_registration2.waitForRegistration)(kubernetes, [name], { clock: clock2, signal, onPending });
        if ((await (0, import_nodes6.getNode)(kubernetes, name))?.controlPlane === false) {
          await kubernetes.patch((0, import_nodes6.nodeRef)(name), { metadata: { labels: controlPlaneLabels } });
        }
        await this.#sync(name, kubernetes);
      }
      /** The other control planes are none of the etcd that has begun: each leaves what it was, and joins as one that is new. */
      async #gather(begin2) {
        const { context, former } = this.#input;
        const { joining, bare } = restoredHosts(former);
        const others = joining.filter((name) => name !== begin2);
        if (others.length === 0) return;
        await (0, import_run_phase3.runPhase)(context.progress, "Let the other control planes join", async (phase) => {
          const kubernetes = await this.#kubernetes(phase);
          const { members } = await this.#reach.members();
          for (const name of others) {
            if (members.some((member) => member.name === name && !member.isLearner)) {
              this.#use(name);
              continue;
            }
            await this.#empty(name, kubernetes, phase);
            if (bare.includes(name)) await this.#hosts.prepare(name, phase);
            await this.#membership.join(this.#hosts.wanted(name), phase);
            await this.#sync(name, kubernetes);
          }
        });
      }
      /** Its node is that of before: whatever runs there goes elsewhere, where its kubelet lives and hears of it. */
      async #empty(name, kubernetes, progress) {
        const { clock: clock2, signal, run } = this.#input.context;
        await (0, import_remove_cluster_node.emptyClusterNode)(name, { kubernetes, clock: clock2, signal, progress, run: run.id });
        await (0, import_nodes6.deleteNode)(kubernetes, name);
      }
      /** Kubelets go on by themselves; one whose node joined after the snapshot makes it again when it starts. */
      async #bringBack(phase) {
        const { context, former } = this.#input;
        const { spec } = former;
        const members = new Set(
          this.#recorder.inventory.nodes.flatMap(
            ({ name, host }) => host?.membership === "member" ? [name] : []
          )
        );
        const hosts = spec.hosts.filter(({ name }) => members.has(name) && this.#hasNode(name));
        const workers = hosts.filter(({ role }) => role !== "control-plane");
        await Promise.all(
          workers.map(
            async ({ name }) => act(await this.#hosts.remote(name), "restart its kubelet", restartKubeletScript)
          )
        );
        const kubernetes = await this.#kubernetes(phase);
        const { clock: clock2, signal } = context;
        const onPending = (reason) => phase.step(reason);
        await (0, import_wait_for_nodes.waitForNodes)({
          spec,
          kubernetes,
          nodes: hosts.map(({ name }) => ({ name })),
          kept: /* @__PURE__ */ new Map(),
          wait: { clock: clock2, signal, withinMs: withinMs3, onPending },
          progress: phase
        });
        for (const { name } of workers) await this.#sync(name, kubernetes);
        await this.#recorder.flush();
        return `${hosts.length} nodes`;
      }
      /** Whether a host still is the machine with the node that the state knows, or joined in this run. */
      #hasNode(name) {
        const look3 = this.#input.former.hosts.get(name);
        if (look3?.kind !== "seen") return false;
        const { joining } = restoredHosts(this.#input.former);
        if (joining.includes(name)) return true;
        const known = this.#recorder.inventory.nodes.find((node) => node.name === name);
        return look3.host.traces.hasKubeletConf && known?.host?.machineId === look3.host.machineId;
      }
      async #sync(name, kubernetes) {
        const { context, former: view } = this.#input;
        await syncNode(kubernetes, this.#hosts.wanted(name), {
          view,
          recorder: this.#recorder,
          context
        });
      }
      #use(name) {
        const others = this.#reach.controlPlanes.filter((one) => one.name !== name);
        this.#reach.use([...others, reachedBy(this.#input.session, this.#hosts.known(name))]);
      }
      #kubernetes(phase) {
        return this.#reach.kubernetes(withinMs3, (reason) => phase.step(reason));
      }
    };
    controlPlaneLabels = {
      "node-role.kubernetes.io/control-plane": "",
      "node.kubernetes.io/exclude-from-external-load-balancers": ""
    };
  }
});

// src/commands/modes/kubeadm/hosts-backup.ts
async function take(context, { session, view }, { place, takenAt, seal }) {
  const { source } = await (0, import_run_phase4.runPhase)(
    context.progress,
    "Choose a control plane",
    () => choose(context, session, view),
    (chosen) => chosen.source.name
  );
  return await (0, import_run_phase4.runPhase)(
    context.progress,
    "Take the snapshot",
    async () => {
      const stored = await storeHostSnapshot(context, { source, place, takenAt, seal, view });
      return { ...stored, node: source.name, quorum: source.kind === "quorum" };
    },
    ({ node, quorum }) => `${(0, import_snapshot_place.formatPlace)(place)}, of ${quorum ? "" : "the survivor "}${node}`
  );
}
async function choose({ progress }, session, view) {
  const { there, silent } = restoredHosts(view);
  const seen = await lookAtControlPlanes(session, view, there);
  const unreached2 = silent.map((name) => `${name} is not reached`);
  const chosen = (0, import_etcd_sources.chooseEtcdSource)(seen.map(sourceOf2), unreached2);
  if (chosen.source.kind !== "quorum") progress.warn((0, import_etcd_sources.describeSurvivor)(chosen));
  else if (chosen.silent.length > 0) {
    progress.warn(`etcd is not healthy: ${chosen.silent.join("; ")}`);
  }
  return chosen;
}
async function authority(_context, session) {
  const inventory = session.store.known?.inventory;
  const path = `${kubernetesFolder}/pki/ca.crt`;
  const controlPlanes = knownHosts(session.spec, inventory).filter(
    ({ role }) => role === "control-plane"
  );
  for (const host of controlPlanes) {
    try {
      const remote = await session.hosts.to(host);
      const pem = await readFile2(remote, path, { mostBytes: mostCertificate2, withinMs: readMs3 });
      const text = pem?.toString("utf8") ?? "";
      if (inventory?.authority !== void 0 && caCertHashes(text).includes(inventory.authority)) {
        return text;
      }
    } catch (error) {
      if (!(0, import_cluster_error19.isClusterError)(error)) throw error;
    }
  }
  throw new import_cluster_error19.ClusterError(
    "snapshot-foreign",
    "it is a plain one, and no control plane that answers has the authority by which it is known to be of this cluster",
    {
      operation: "verify the snapshot",
      hint: "Give a sealed snapshot, which names its cluster, or start a control plane that has /etc/kubernetes/pki/ca.crt."
    }
  );
}
var import_snapshot_place, import_etcd_sources, import_cluster_error19, import_run_phase4, readMs3, mostCertificate2, hostsBackup;
var init_hosts_backup = __esm({
  "src/commands/modes/kubeadm/hosts-backup.ts"() {
    "use strict";
    import_snapshot_place = __toESM(require_snapshot_place(), 1);
    import_etcd_sources = __toESM(require_etcd_sources(), 1);
    init_etcd_source();
    init_judge_hosts_restore();
    init_look_at_control_planes();
    init_restore_hosts();
    init_store_host_snapshot();
    init_ca_cert_hash();
    init_kubeadm_paths();
    import_cluster_error19 = __toESM(require_cluster_error(), 1);
    init_plan_restore();
    init_known_hosts();
    import_run_phase4 = __toESM(require_run_phase(), 1);
    init_read_file();
    readMs3 = 6e4;
    mostCertificate2 = 64 * 1024;
    hostsBackup = {
      take,
      authority,
      planRestore,
      judgeRestore: async (context, { session, view }, { snapshot, discardEtcd }) => ({
        ...await judgeHostsRestore(context, { session, view, snapshot, discardEtcd }),
        // Nobody makes anything for the cluster outside of it, and certificates of kubeadm are not ours to issue.
        madeSince: [],
        renews: void 0
      }),
      restore: (context, work) => restoreHosts({ context, ...work })
    };
  }
});

// src/kubeadm/config/user-file.ts
function userFile(spec, { name, nodeIp }, version) {
  return renderDocuments([
    {
      apiVersion: kubeadmApi,
      kind: "InitConfiguration",
      nodeRegistration: { name, criSocket, taints: [] },
      localAPIEndpoint: { advertiseAddress: nodeIp, bindPort: import_api_server_port6.apiServerPort }
    },
    clusterConfiguration({ ...spec, kubernetes: { ...spec.kubernetes, version } })
  ]);
}
var import_api_server_port6;
var init_user_file = __esm({
  "src/kubeadm/config/user-file.ts"() {
    "use strict";
    import_api_server_port6 = __toESM(require_api_server_port(), 1);
    init_cluster_configuration();
    init_kubeadm_paths();
    init_render_documents();
  }
});

// src/kubeadm/config/user-kubeconfig.ts
function readUserKubeconfig(text) {
  const { data } = kubeconfig.safeParse(parsed(text));
  const [{ user } = {}] = data?.users ?? [];
  const key2 = user?.["client-key-data"];
  const [certificate] = readCertificates(user?.["client-certificate-data"] ?? "");
  return key2 === void 0 || certificate === void 0 ? void 0 : { key: key2, notAfter: certificate.notAfter };
}
function parsed(text) {
  try {
    return (0, import_yaml3.parse)(text);
  } catch {
    return void 0;
  }
}
var import_yaml3, import_zod4, base64, kubeconfig;
var init_user_kubeconfig = __esm({
  "src/kubeadm/config/user-kubeconfig.ts"() {
    "use strict";
    import_yaml3 = __toESM(require_dist(), 1);
    import_zod4 = __toESM(require_zod(), 1);
    init_certificate();
    base64 = import_zod4.z.string().transform((text) => atob(text));
    kubeconfig = import_zod4.z.looseObject({
      users: import_zod4.z.tuple([
        import_zod4.z.looseObject({
          user: import_zod4.z.looseObject({ "client-certificate-data": base64, "client-key-data": base64 })
        })
      ])
    });
  }
});

// part:src/lib/ending.ts
var require_ending = __commonJS({
  "part:src/lib/ending.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/lib/ending.ts"]();
  }
});

// src/planner/kubeadm/signers-in.ts
function signersIn(view) {
  const { inventory, hosts } = foundIn(view);
  if (inventory === void 0) return [];
  return [...hosts.values()].filter(({ mark }) => mark?.uid === inventory.uid && !mark.hasLeft).filter(
    ({ traces }) => inventory.authority === void 0 || inventory.authority === traces.caHash
  ).toSorted((a, b) => byName(a.name, b.name)).flatMap(
    ({ name, traces: { hasCaKey, authoritiesEnd } }) => hasCaKey && authoritiesEnd !== void 0 ? [{ name, authoritiesEnd }] : []
  );
}
var init_signers_in = __esm({
  "src/planner/kubeadm/signers-in.ts"() {
    "use strict";
    init_found_in_view();
  }
});

// src/commands/modes/kubeadm/hosts-credentials.ts
async function mintOnAny(minting, signers, onTurn) {
  const { session, view } = minting;
  const known = knownHosts(view.spec, view.generation?.inventory);
  let failure;
  for (const { name, authoritiesEnd } of signers) {
    const host = known.find((one) => one.name === name);
    if (!host) continue;
    onTurn(name);
    try {
      const { kubeconfig: kubeconfig2, notAfter } = await mintOn(await session.hosts.to(host), host, minting);
      return { minted: { kubeconfig: kubeconfig2 }, until: Math.min(notAfter, authoritiesEnd) };
    } catch (error) {
      session.signal.throwIfAborted();
      if (!(0, import_cluster_error20.isClusterError)(error)) throw error;
      failure = error;
    }
  }
  throw failure;
}
async function mintOn(remote, host, { context, view, seconds }) {
  const { spec, generation } = view;
  const title = "mint a kubeconfig";
  const file = userFile(spec, host, versionOfHost(host.name, spec, generation?.inventory));
  const { code, stdout, stderr } = await (0, import_run_script11.runInto)(
    remote,
    {
      title,
      text: userKubeconfigScript,
      args: [file, adminName, adminGroup, `${seconds}s`],
      withinMs: mintMs,
      isRepeatable: true
    },
    () => new AllOutput(mostKubeconfig2)
  );
  const kubeconfig2 = stdout.bytes().toString("utf8");
  const read = code === 0 ? readUserKubeconfig(kubeconfig2) : void 0;
  if (!read) {
    throw new import_cluster_error20.ClusterError("script-failed", `${host.name}: kubeadm printed no kubeconfig`, {
      operation: title,
      target: (0, import_ssh_host7.describeHost)(remote.host),
      evidence: [`exit code ${code}`, ...(0, import_run_script11.lastLines)(stderr.text())],
      hint: "Look at the reason above on the host, then run again."
    });
  }
  context.redactor.add(read.key);
  return { kubeconfig: kubeconfig2, notAfter: read.notAfter };
}
function nobodySigns({ spec, generation }) {
  const isRunning = generation?.inventory.bootstrapped ?? false;
  return new import_cluster_error20.ClusterError(
    "kubernetes-unreachable",
    isRunning ? "no control plane is reached that has the key of the CA of this cluster" : `${spec.clusterName} has no control plane yet`,
    {
      operation: "mint a kubeconfig",
      target: spec.clusterName,
      hint: isRunning ? "Bring a control plane back that answers by SSH, and run again: `hcloud-talos doctor` shows what is wrong with each." : "Apply the file first: `hcloud-talos apply`."
    }
  );
}
function caEnded(authoritiesEnd) {
  return new import_cluster_error20.ClusterError(
    "certificate-ended",
    `an authority of the cluster ended on ${(0, import_ending.dateOf)(authoritiesEnd)}: no certificate of it is accepted any more`,
    {
      operation: "mint a kubeconfig",
      hint: "Take a snapshot first, which goes by SSH and needs no certificate of it (`hcloud-talos snapshot <folder>`); then replace the cluster, since kubeadm does not renew a CA."
    }
  );
}
var import_cluster_error20, import_ending, import_run_phase5, import_run_script11, import_ssh_host7, adminGroup, adminName, hourMs, mintMs, mostKubeconfig2, hostsCredentials;
var init_hosts_credentials = __esm({
  "src/commands/modes/kubeadm/hosts-credentials.ts"() {
    "use strict";
    init_act_scripts();
    init_user_file();
    init_user_kubeconfig();
    import_cluster_error20 = __toESM(require_cluster_error(), 1);
    import_ending = __toESM(require_ending(), 1);
    init_running_version();
    init_signers_in();
    init_known_hosts();
    import_run_phase5 = __toESM(require_run_phase(), 1);
    init_all_output();
    import_run_script11 = __toESM(require_run_script(), 1);
    import_ssh_host7 = __toESM(require_ssh_host(), 1);
    adminGroup = "kubeadm:cluster-admins";
    adminName = "hcloud-talos-admin";
    hourMs = 36e5;
    mintMs = 6e4;
    mostKubeconfig2 = 256 * 1024;
    hostsCredentials = {
      what: "kubeconfig",
      async mint(context, { session, view }, hours) {
        if (!session || !view) throw new Error("hosts can always be asked, and so there is a view");
        const now = context.calendar.now();
        const signers = signersIn(view);
        const [first] = signers;
        if (!first) throw nobodySigns(view);
        if (first.authoritiesEnd <= now) throw caEnded(first.authoritiesEnd);
        if (first.authoritiesEnd < now + hours * hourMs) {
          context.progress.warn(
            `what is minted is good until ${(0, import_ending.dateOf)(first.authoritiesEnd)} only, when an authority of the cluster ends, which kubeadm does not renew`
          );
        }
        const seconds = Math.floor(Math.min(hours * hourMs, first.authoritiesEnd - now) / 1e3);
        return await (0, import_run_phase5.runPhase)(
          context.progress,
          "Mint a kubeconfig on a control plane",
          async (phase) => mintOnAny({ context, session, view, seconds }, signers, (name) => phase.step(name))
        );
      }
    };
  }
});

// part:src/planner/handed-out.ts
var require_handed_out = __commonJS({
  "part:src/planner/handed-out.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/planner/handed-out.ts"]();
  }
});

// part:src/planner/open-upgrades.ts
var require_open_upgrades = __commonJS({
  "part:src/planner/open-upgrades.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/planner/open-upgrades.ts"]();
  }
});

// src/planner/kubeadm/kept-cordons.ts
function keptCordons(view) {
  const { generation } = view;
  if (!generation) return /* @__PURE__ */ new Map();
  const names = compareHosts(view).versions.flatMap(
    ({ after }) => after?.kind === "kubelet" || after?.kind === "host" ? [after.name] : []
  );
  return new Map(
    [...(0, import_open_upgrades.openUpgrades)(generation.journal, names)].map(([name, version]) => {
      const reason = `its upgrade to ${version} was started; \`hcloud-talos upgrade\` continues with it`;
      return [name, reason];
    })
  );
}
var import_open_upgrades;
var init_kept_cordons = __esm({
  "src/planner/kubeadm/kept-cordons.ts"() {
    "use strict";
    import_open_upgrades = __toESM(require_open_upgrades(), 1);
    init_compare_hosts();
  }
});

// part:src/run/diagnosis.ts
var require_diagnosis = __commonJS({
  "part:src/run/diagnosis.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/diagnosis.ts"]();
  }
});

// part:src/spec/tables/support-windows.ts
var require_support_windows = __commonJS({
  "part:src/spec/tables/support-windows.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/tables/support-windows.ts"]();
  }
});

// src/commands/modes/kubeadm/diagnose-host-certificates.ts
function diagnoseHostCertificates(view, now) {
  const hosts = [...foundIn(view).hosts.values()].toSorted((a, b) => byName(a.name, b.name));
  const authority2 = Math.min(...hosts.flatMap(({ traces }) => traces.authoritiesEnd ?? []));
  const found = [
    ...authorityFinding(authority2, now),
    ...hosts.flatMap((host) => [...certificateFinding(host, now), ...kubeletFinding(host)])
  ];
  const own = hosts.flatMap(
    ({ name, traces: { certificatesEnd: end } }) => end === void 0 ? [] : [{ name, end }]
  );
  const [first] = own.toSorted((a, b) => a.end - b.end);
  if (found.length > 0 || first === void 0) return found;
  const message = `the first certificate to end is one of ${first.name}: it ${(0, import_ending2.describeEnd)(first.end, now)}`;
  return [(0, import_diagnosis.passed)("certificates", message)];
}
function authorityFinding(end, now) {
  const left = end - now;
  if (left >= import_ending2.leadTimes.authority) return [];
  const verdict = left < import_ending2.leadTimes.authorityUrgent ? "bad" : "weak";
  const message = `the first authority of the cluster ${(0, import_ending2.describeEnd)(end, now)}, and with it every certificate that it issued; kubeadm does not renew it`;
  return [
    (0, import_diagnosis.problem)(
      "certificates",
      verdict,
      message,
      "Make another cluster in time, and move to it what runs in this one."
    )
  ];
}
function certificateFinding({ name, traces }, now) {
  const { certificatesEnd: end } = traces;
  if (end === void 0 || end - now > endsSoonMs) return [];
  const message = `the first certificate of ${name} ${(0, import_ending2.describeEnd)(end, now)}`;
  return [(0, import_diagnosis.problem)("certificates", end <= now ? "bad" : "weak", message, "hcloud-talos apply")];
}
function kubeletFinding({ name, traces: { hasFixedKubeletClient } }) {
  if (!hasFixedKubeletClient) return [];
  return [
    (0, import_diagnosis.problem)(
      "certificates",
      "weak",
      `the kubelet of ${name} has a client certificate in its kubelet.conf, which it does not renew`,
      "Name /var/lib/kubelet/pki/kubelet-client-current.pem there as its certificate and key, and restart the kubelet."
    )
  ];
}
var import_ending2, import_diagnosis;
var init_diagnose_host_certificates = __esm({
  "src/commands/modes/kubeadm/diagnose-host-certificates.ts"() {
    "use strict";
    init_certificate_ends();
    import_ending2 = __toESM(require_ending(), 1);
    init_found_in_view();
    import_diagnosis = __toESM(require_diagnosis(), 1);
  }
});

// src/commands/modes/kubeadm/diagnose-etcd-space.ts
function diagnoseEtcdSpace(members) {
  const names = new Map(members.map(({ name, status }) => [status.id, name]));
  const alarms = new Map(
    members.flatMap(({ status }) => status.alarms).map((alarm) => [`${alarm.member} ${alarm.kind}`, alarm])
  );
  const raised = [...alarms.values()].map(({ member, kind }) => {
    const name = names.get(member);
    const who = name ?? `the member ${member}`;
    return kind === "corrupt" ? (0, import_diagnosis2.problem)(
      "etcd",
      "bad",
      `etcd raises an alarm: the database of ${who} is corrupt`,
      name === void 0 ? "hcloud-talos plan" : `hcloud-talos apply --replace ${name}`
    ) : (0, import_diagnosis2.problem)(
      "etcd",
      "bad",
      `etcd raises an alarm: ${who} is out of space, and no write is taken`,
      makeRoom
    );
  });
  if (raised.length > 0) return raised;
  const [fullest] = members.toSorted((a, b) => b.status.size - a.status.size);
  if (fullest === void 0) return [];
  const { size: size2, quota = defaultQuota } = fullest.status;
  if (size2 < quota * warnShare) return [];
  const message = `the database of ${fullest.name} takes ${inMebibytes(size2)} of its quota of ${inMebibytes(quota)}`;
  return [(0, import_diagnosis2.problem)("etcd", "weak", message, makeRoom)];
}
function inMebibytes(bytes) {
  return `${Math.floor(bytes / mebibyte)} MiB`;
}
var import_diagnosis2, defaultQuota, warnShare, mebibyte, makeRoom;
var init_diagnose_etcd_space = __esm({
  "src/commands/modes/kubeadm/diagnose-etcd-space.ts"() {
    "use strict";
    import_diagnosis2 = __toESM(require_diagnosis(), 1);
    defaultQuota = 2147483648;
    warnShare = 0.8;
    mebibyte = 1048576;
    makeRoom = "Run `etcdctl defrag` in the etcd container of each control plane, one after the other, and then `etcdctl alarm disarm`.";
  }
});

// src/commands/modes/kubeadm/diagnose-host-etcd.ts
async function diagnoseHostEtcd(view, controlPlanes, expected) {
  const answers = await Promise.all(controlPlanes.map(ask));
  const heard = answers.filter((answer) => "status" in answer);
  const silent = answers.filter((answer) => "why" in answer);
  const away2 = expected.filter((name) => !controlPlanes.some((one) => one.name === name));
  const led = heard.filter(({ status }) => status.hasLeader);
  if (controlPlanes.length === 0) return [notLookedAt("etcd", away2)];
  if (led.length === 0 && away2.length === 0) {
    const message = `etcd has no quorum: ${heard.length} of its ${expected.length} members answer, and none of them sees a leader`;
    return [(0, import_diagnosis3.problem)("etcd", "bad", message, restoreQuorum)];
  }
  const found = [
    // Those that were not reached may be led: without them a quorum is neither seen nor denied.
    ...led.length === 0 ? [notLookedAt("the quorum of etcd", away2)] : [],
    ...silent.map(
      ({ name, why }) => (0, import_diagnosis3.problem)("etcd", "bad", `the etcd of ${name} does not answer: ${why}`, lookAt(name))
    ),
    ...heard.filter(({ status }) => !status.hasLeader).map(
      ({ name }) => (0, import_diagnosis3.problem)(
        "etcd",
        "bad",
        `the etcd of ${name} sees no leader`,
        led.length === 0 ? restoreQuorum : lookAt(name)
      )
    ),
    ...memberFindings(view, expected),
    ...diagnoseEtcdSpace(heard)
  ];
  return found.length > 0 ? found : [(0, import_diagnosis3.passed)("etcd", `${heard.length} of ${expected.length} members answer, and one leads`)];
}
async function ask({ name, remote }) {
  try {
    const text = await scriptOutput(await remote(), {
      title: "ask etcd for its status",
      text: memberScript,
      args: ["status"],
      withinMs: askMs5,
      isRepeatable: true
    });
    return { name, status: readEtcdStatus(text) };
  } catch (error) {
    if (!(0, import_cluster_error21.isClusterError)(error) || error.code === "interrupted") throw error;
    return { name, why: error.evidence?.at(-1) ?? error.message };
  }
}
function memberFindings(view, expected) {
  const members = view.cluster?.members;
  if (members === void 0) return [];
  const { removable, foreign } = strayMembers(foundIn(view), new Set(expected));
  const strays = /* @__PURE__ */ new Set([...removable, ...foreign]);
  return [
    ...removable.map(
      (member) => (0, import_diagnosis3.problem)(
        "etcd",
        "bad",
        `etcd has a member ${describeMember(member)} of no control plane of this cluster`,
        "hcloud-talos apply"
      )
    ),
    ...foreign.map(
      (member) => (0, import_diagnosis3.problem)(
        "etcd",
        "bad",
        `etcd has a member ${describeMember(member)} of no host that is known, and it answers`,
        "Add its host to hosts, or remove the member by hand."
      )
    ),
    ...members.filter((member) => member.isLearner && !strays.has(member)).map(
      ({ name }) => (0, import_diagnosis3.problem)(
        "etcd",
        "weak",
        `the etcd of ${name} is still learning and has no vote`,
        "hcloud-talos apply"
      )
    ),
    ...expected.filter((name) => members.every((member) => member.name !== name)).map(
      (name) => (0, import_diagnosis3.problem)(
        "etcd",
        "bad",
        `${name} is a control plane, and etcd has no member of it`,
        `hcloud-talos apply --replace ${name}`
      )
    )
  ];
}
function lookAt(name) {
  return `Look at etcd on ${name} (crictl ps -a, crictl logs); where it cannot be fixed there, run \`hcloud-talos apply --replace ${name}\`.`;
}
function notLookedAt(what, away2) {
  const why = away2.length === 0 ? "there is no control plane" : `${away2.join(", ")} is not reached`;
  return (0, import_diagnosis3.problem)(
    "etcd",
    "unknown",
    `${what} was not looked at: ${why}`,
    "Bring the hosts of its control planes back, then run `hcloud-talos doctor` again."
  );
}
var import_cluster_error21, import_diagnosis3, askMs5, restoreQuorum;
var init_diagnose_host_etcd = __esm({
  "src/commands/modes/kubeadm/diagnose-host-etcd.ts"() {
    "use strict";
    init_etcd_status();
    init_member_script();
    init_stray_members();
    import_cluster_error21 = __toESM(require_cluster_error(), 1);
    init_found_in_view();
    import_diagnosis3 = __toESM(require_diagnosis(), 1);
    init_host_script();
    init_diagnose_etcd_space();
    askMs5 = 3e4;
    restoreQuorum = "Bring the hosts of its control planes back; where most of them are gone for good, run `hcloud-talos restore --snapshot <your newest snapshot>`.";
  }
});

// part:src/kubernetes/pending-requests.ts
var require_pending_requests = __commonJS({
  "part:src/kubernetes/pending-requests.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/kubernetes/pending-requests.ts"]();
  }
});

// part:src/commands/modes/doctor/diagnose-node-service.ts
var require_diagnose_node_service = __commonJS({
  "part:src/commands/modes/doctor/diagnose-node-service.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/commands/modes/doctor/diagnose-node-service.ts"]();
  }
});

// src/commands/modes/kubeadm/diagnose-host-kubernetes.ts
async function diagnoseHostKubernetes(look3) {
  const { view, controlPlanes } = look3;
  const answers = await Promise.all(controlPlanes.map((one) => askServer(look3.context, one)));
  const heard = answers.flatMap((answer) => "nodes" in answer ? [answer] : []);
  const silent = answers.flatMap((answer) => "why" in answer ? [answer] : []);
  const [first] = heard;
  const found = [
    ...silent.map(
      ({ name, why }) => (0, import_diagnosis4.problem)(
        "kubernetes",
        "bad",
        `the API server of ${name} does not answer: ${why}`,
        `Look at it on ${name} (crictl ps -a, crictl logs); where it cannot be fixed there, run \`hcloud-talos apply --replace ${name}\`.`
      )
    ),
    ...first ? nodeFindings(look3, first) : [nodesUnseen],
    ...shapeFindings(view).filter(({ severity }) => severity === "warning").map(
      ({ message, hint = "hcloud-talos plan" }) => (0, import_diagnosis4.problem)("kubernetes", "weak", message, hint)
    )
  ];
  if (found.length > 0) return found;
  return [
    (0, import_diagnosis4.passed)("kubernetes", `${heard.length} API servers answer, and the nodes are as they should be`)
  ];
}
async function askServer(context, one) {
  var _stack = [];
  try {
    const late = AbortSignal.timeout(answerWithinMs3);
    const reach2 = __using(_stack, new HostsReach(context));
    reach2.use([one]);
    try {
      const client = reach2.kubernetesOnce(AbortSignal.any([context.signal, late]));
      const nodes2 = await (0, import_nodes7.listNodes)(client);
      return { name: one.name, nodes: nodes2, pending: await (0, import_pending_requests.pendingRequests)(client) };
    } catch (error) {
      context.signal.throwIfAborted();
      if (!late.aborted && !(0, import_cluster_error22.isClusterError)(error)) throw error;
      const why = late.aborted ? `no answer in ${answerWithinMs3 / 1e3} s` : messageOf(error);
      return { name: one.name, why };
    }
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    __callDispose(_stack, _error, _hasError);
  }
}
function nodeFindings({ view, kept: kept2, context }, { nodes: nodes2, pending }) {
  const unregistered = [...unregisteredNodes(view)].sort();
  const wanted = new Set(view.spec.hosts.map(({ name }) => name));
  return [
    ...unregistered.map(
      (name) => (0, import_diagnosis4.problem)(
        "kubernetes",
        "bad",
        `${name} runs, and Kubernetes does not know it`,
        "hcloud-talos apply"
      )
    ),
    // One that leaves need not be Ready.
    ...nodes2.filter(({ name }) => wanted.has(name)).flatMap((node) => [
      ...readyFinding(view, node),
      ...(0, import_diagnose_node_service.diagnoseCordon)(node, kept2.get(node.name))
    ]),
    ...(0, import_diagnose_node_service.diagnoseRequests)(view.spec, pending, context.clock.now())
  ];
}
function readyFinding({ spec, hosts }, node) {
  const { name, ready, notReadyBecause } = node;
  if (ready || spec.cni.type === "none" && (0, import_nodes7.lacksOnlyNetwork)(node)) return [];
  const message = `the Node ${name} is not Ready: ${notReadyBecause}`;
  const isReached = hosts.get(name)?.kind === "seen";
  const fix = isReached ? `Look at the kubelet of ${name} (journalctl -u kubelet); where it cannot be fixed there, run \`hcloud-talos apply --replace ${name}\`.` : `Bring the host of ${name} back; where it is gone for good, remove it from hosts and run \`hcloud-talos apply\`.`;
  return [(0, import_diagnosis4.problem)("kubernetes", "bad", message, fix)];
}
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
var import_nodes7, import_pending_requests, import_cluster_error22, import_diagnosis4, import_diagnose_node_service, answerWithinMs3, nodesUnseen;
var init_diagnose_host_kubernetes = __esm({
  "src/commands/modes/kubeadm/diagnose-host-kubernetes.ts"() {
    "use strict";
    import_nodes7 = __toESM(require_nodes(), 1);
    import_pending_requests = __toESM(require_pending_requests(), 1);
    import_cluster_error22 = __toESM(require_cluster_error(), 1);
    init_cluster_findings();
    init_unregistered_nodes();
    import_diagnosis4 = __toESM(require_diagnosis(), 1);
    init_hosts_reach();
    import_diagnose_node_service = __toESM(require_diagnose_node_service(), 1);
    answerWithinMs3 = 2e4;
    nodesUnseen = (0, import_diagnosis4.problem)(
      "kubernetes",
      "unknown",
      "the nodes were not looked at: no API server answers",
      "Bring a control plane back, then run `hcloud-talos doctor` again."
    );
  }
});

// src/kubeadm/host/hosts-with-one-id.ts
function hostsWithOneId(hosts) {
  const known = hosts.filter(({ machineId: machineId2 }) => machineId2 !== "");
  return [...Map.groupBy(known, ({ machineId: machineId2 }) => machineId2).values()].map((same) => [...new Set(same.map(({ name }) => name))].sort()).filter((names) => names.length > 1);
}
var init_hosts_with_one_id = __esm({
  "src/kubeadm/host/hosts-with-one-id.ts"() {
    "use strict";
  }
});

// src/planner/kubeadm/look-findings.ts
function lookFindings(view, changes, replace = []) {
  const seen = [...foundIn(view).hosts.values()].toSorted((a, b) => a.name < b.name ? -1 : 1);
  const changed = new Set(changes.flatMap(({ after, before }) => (after ?? before)?.name ?? []));
  return [
    ...unreachedFindings(view),
    ...twinFindings(seen),
    ...keyFindings(view),
    ...seen.flatMap((host) => [
      ...identityFindings(view, host, replace),
      ...clockFindings(host, changed.has(host.name)),
      ...isWanted(view, host.name) ? checkFindings(host) : []
    ])
  ];
}
function isWanted({ spec }, name) {
  return spec.hosts.some((host) => host.name === name);
}
function unreachedFindings(view) {
  const found = foundIn(view);
  const isRunning = found.inventory?.bootstrapped ?? false;
  const looks = [...view.hosts.entries()].toSorted(([a], [b]) => byName(a, b)).map(([, look3]) => look3);
  return looks.flatMap((look3) => {
    if (look3.kind === "seen") return [];
    const { name, because } = look3;
    if (isWanted(view, name)) {
      return isRunning ? hostsFinding(
        "warning",
        `${name} is not reached (${because}): nothing is known of it, and nothing is changed on it`,
        "Bring it back and run again; where it is gone for good, remove it from hosts."
      ) : hostsFinding(
        "error",
        `${name} is not reached (${because}): a cluster begins only when all of its hosts show that they are of no other one`,
        "Bring it back, or remove it from hosts for now."
      );
    }
    const standing = standingOf(found, name);
    const onRemove = knownNode(found, name)?.host?.onRemove ?? "keep";
    const stays = onRemove === "keep" ? "it stays as it is" : `${onRemove} is not done on it`;
    if (standing === "none") {
      return hostsFinding(
        "warning",
        `${name}, which is not in hosts any more, is not reached (${because}): ${stays}`,
        "Bring it back and run again, or leave it as it is."
      );
    }
    const isReady = found.cluster?.nodes.some((node) => node.name === name && node.isReady) ?? false;
    return isReady ? hostsFinding(
      "error",
      `${name}, which is not in hosts any more, is not reached (${because}), and its node is Ready: it would register itself again`,
      "Make it reachable by SSH, or switch it off, and run again."
    ) : hostsFinding(
      "warning",
      `${name}, which is not in hosts any more, is not reached (${because}): its node leaves without it, and ${stays}`,
      "Never start it again as it is: it has the keys of this cluster."
    );
  });
}
function twinFindings(seen) {
  return hostsWithOneId(seen).map(
    (names) => hostsFinding(
      "error",
      `${names.join(" and ")} have one machine id: they are one host, or clones of one disk`,
      "Remove /etc/machine-id on all but one of them, run systemd-machine-id-setup there, and reboot."
    )
  );
}
function keyFindings({ spec, generation, hosts }) {
  return spec.hosts.flatMap(({ name, login: login2 }) => {
    const look3 = hosts.get(name);
    const recorded = generation?.inventory.nodes.find((node) => node.name === name)?.host?.hostKey;
    if (login2.hostKey.type === "pinned" || look3?.kind !== "seen" || recorded === void 0)
      return [];
    if (look3.hostKey === recorded) return [];
    return [
      hostsFinding(
        "error",
        `${name} shows another host key than the one that was recorded: it was installed again, or somebody else answers`,
        `Compare it on the console of the host, and write it into the file as the hostKey of ${name}.`
      )
    ];
  });
}
function identityFindings(view, { name, machineId: machineId2 }, replace) {
  const recorded = knownNode(foundIn(view), name)?.host?.machineId;
  if (recorded === void 0 || machineId2 === "" || recorded === machineId2) return [];
  if (!isWanted(view, name)) {
    return [
      hostsFinding(
        "warning",
        `${name}, which is not in hosts any more, is another machine now: nothing is changed on it`,
        "Leave it as it is: only the node of the former machine goes."
      )
    ];
  }
  if (replace.includes(name)) return [];
  return [
    hostsFinding(
      "error",
      `another machine is called ${name} than the one that the state knows (machine id ${machineId2}, recorded is ${recorded})`,
      `Check its address; where it takes the place of the former one, replace it by name: --replace ${name}.`
    )
  ];
}
function clockFindings({ name, clockAheadMs }, isChanged) {
  if (Math.abs(clockAheadMs) <= mostClockSkewMs) return [];
  const seconds = (Math.abs(clockAheadMs) / 1e3).toFixed(1);
  const way = clockAheadMs > 0 ? "ahead" : "behind";
  return [
    hostsFinding(
      isChanged ? "error" : "warning",
      `the clock of ${name} is ${seconds} s ${way}`,
      "Let the host set its clock by NTP, and run again."
    )
  ];
}
function checkFindings({ name, evidence }) {
  const { byPeople, unknown } = failedChecks(evidence);
  return [
    ...byPeople.map(
      ({ check, words, seen }) => hostsFinding(
        "error",
        `${name}: it is not so that ${words} (${check}): ${seen}`,
        "Fix that on the host, and run again: hcloud-talos does not do it."
      )
    ),
    ...unknown.map(
      ({ check, seen }) => hostsFinding(
        "warning",
        `${name}: nobody could see whether the check ${check} passes: ${seen}`,
        "Look at the host: what is unknown is left as it is."
      )
    )
  ];
}
var mostClockSkewMs;
var init_look_findings = __esm({
  "src/planner/kubeadm/look-findings.ts"() {
    "use strict";
    init_found_cluster();
    init_failed_checks();
    init_hosts_with_one_id();
    init_found_in_view();
    init_hosts_finding();
    mostClockSkewMs = 2e3;
  }
});

// src/commands/modes/kubeadm/diagnose-hosts.ts
function diagnoseHosts(view) {
  const looks = [...view.hosts].toSorted(([a], [b]) => byName(a, b)).map(([, look3]) => look3);
  const found = looks.flatMap(
    (look3) => look3.kind === "seen" ? seenFindings(view, look3.host) : away(view, look3)
  );
  if (found.length > 0) return found;
  return looks.length === 0 ? [] : [(0, import_diagnosis5.passed)("hosts", `all ${looks.length} are reached, and their checks pass`)];
}
function diagnoseHostClocks(view) {
  const seen = [...foundIn(view).hosts.values()];
  const wrong = seen.filter(({ clockAheadMs }) => Math.abs(clockAheadMs) > mostClockSkewMs);
  if (seen.length === 0) return [];
  if (wrong.length === 0) return [(0, import_diagnosis5.passed)("clock", "it agrees with those of the hosts")];
  return wrong.map(({ name, clockAheadMs }) => {
    const seconds = (Math.abs(clockAheadMs) / 1e3).toFixed(1);
    const way = clockAheadMs > 0 ? "ahead" : "behind";
    return (0, import_diagnosis5.problem)(
      "clock",
      "bad",
      `the clock of ${name} is ${seconds} s ${way}: certificates and leases go by it`,
      "Let the host set its clock by NTP: run `timedatectl set-ntp true` there."
    );
  });
}
function away({ spec }, { name, because }) {
  const isWanted2 = spec.hosts.some((host) => host.name === name);
  return [
    isWanted2 ? (0, import_diagnosis5.problem)(
      "hosts",
      "bad",
      `${name} is not reached: ${because}`,
      "Bring it back; where it is gone for good, remove it from hosts and run `hcloud-talos apply`."
    ) : (0, import_diagnosis5.problem)(
      "hosts",
      "weak",
      `${name}, which is not in hosts any more, is not reached: ${because}`,
      "Run `hcloud-talos apply`: its node leaves without it."
    )
  ];
}
function seenFindings(view, seen) {
  const { name, evidence } = seen;
  if (!view.spec.hosts.some((host) => host.name === name)) return [];
  const { byApply, byPeople, unknown } = heldChecks(seen, { spec: view.spec, found: foundIn(view) });
  const who = `${name} (${hostPhase(evidence)})`;
  return [
    ...byApply.map(
      ({ check, words, seen: text }) => (0, import_diagnosis5.problem)(
        "hosts",
        "bad",
        `${who}: it is not so that ${words} (${check}): ${text}`,
        "hcloud-talos apply"
      )
    ),
    ...byPeople.map(
      ({ check, words, seen: text }) => (0, import_diagnosis5.problem)(
        "hosts",
        "bad",
        `${who}: it is not so that ${words} (${check}): ${text}`,
        "Fix that on the host: hcloud-talos does not do it."
      )
    ),
    ...unknown.map(
      ({ check, seen: text }) => (0, import_diagnosis5.problem)(
        "hosts",
        "unknown",
        `${who}: nobody could see whether the check ${check} passes: ${text}`,
        "Look at the host, then run `hcloud-talos doctor` again."
      )
    )
  ];
}
var import_diagnosis5;
var init_diagnose_hosts = __esm({
  "src/commands/modes/kubeadm/diagnose-hosts.ts"() {
    "use strict";
    init_host_phase();
    init_host_kind();
    init_found_in_view();
    init_look_findings();
    import_diagnosis5 = __toESM(require_diagnosis(), 1);
  }
});

// src/commands/modes/kubeadm/hosts-health.ts
async function diagnoseLogins(session) {
  const hosts = knownHosts(session.spec, void 0);
  const answers = await Promise.all(
    hosts.map(async (host) => {
      try {
        await (await session.hosts.to(host)).connect();
        return { name: host.name };
      } catch (error) {
        session.signal.throwIfAborted();
        if (!(0, import_cluster_error23.isClusterError)(error)) throw error;
        return { name: host.name, error };
      }
    })
  );
  const rejected = answers.flatMap(
    ({ name, error }) => error === void 0 || isPassing(error) ? [] : [rejectedLogin(name, error)]
  );
  const accepted = answers.filter(({ error }) => error === void 0).length;
  return rejected.length > 0 ? rejected : [(0, import_diagnosis6.passed)("hosts", `${accepted} of ${hosts.length} let this run log in`)];
}
function rejectedLogin(name, { code, message, hint }) {
  return (0, import_diagnosis6.problem)("hosts", "bad", `${name}: [${code}] ${message}`, hint ?? "hcloud-talos plan");
}
async function lookAtState({ context, session: { spec }, look: look3 }, generation) {
  const now = context.calendar.now();
  const parts = await Promise.all([
    look3(
      "certificates",
      "Look when certificates end",
      async () => (0, import_handed_out.handedOutEnds)(generation, now).map(
        ({ message, command }) => (0, import_diagnosis6.problem)("certificates", "weak", message, command)
      )
    ),
    look3("journal", "Look for joins and removals", async () => openMemberships(generation)),
    look3(
      "versions",
      "Look what is supported",
      async () => (0, import_support_windows.supportEnds)(spec, now).map(
        ({ message, hasSuccessor }) => (0, import_diagnosis6.problem)(
          "versions",
          "weak",
          message,
          hasSuccessor ? "Write the next minor release into the file, and run `hcloud-talos upgrade`." : "Use a newer hcloud-talos: this one knows no newer minor release."
        )
      )
    )
  ]);
  return parts.flat();
}
function openMemberships({ inventory }) {
  return inventory.nodes.flatMap(({ name, host }) => {
    const act2 = { joining: "join", leaving: "removal", member: void 0 }[host?.membership ?? "member"];
    if (act2 === void 0) return [];
    const message = `the ${act2} of ${name} was started and did not end`;
    return [(0, import_diagnosis6.problem)("journal", "bad", message, "hcloud-talos apply")];
  });
}
async function lookAtMachines({ context, look: look3 }, view) {
  const now = context.calendar.now();
  const parts = await Promise.all([
    look3("hosts", "Look at the hosts", async () => diagnoseHosts(view)),
    look3("clock", "Look at the clocks of the hosts", async () => diagnoseHostClocks(view)),
    look3(
      "certificates",
      "Look at the certificates on the hosts",
      async () => diagnoseHostCertificates(view, now)
    )
  ]);
  return parts.flat();
}
async function lookInside({ context, session, look: look3 }, { observed: view }) {
  if (!view?.generation?.inventory.bootstrapped) return [];
  const { inventory } = view.generation;
  const expected = inventory.nodes.filter(({ role, host }) => role === "control-plane" && host?.membership === "member").map(({ name }) => name);
  const reached = foundIn(view).hosts;
  const controlPlanes = knownHosts(view.spec, inventory).filter(({ name }) => expected.includes(name) && reached.has(name)).map((host) => reachedBy(session, host));
  const kept2 = keptCordons(view);
  const parts = await Promise.all([
    look3("etcd", "Ask etcd", () => diagnoseHostEtcd(view, controlPlanes, expected)),
    look3(
      "kubernetes",
      "Ask the API servers",
      () => diagnoseHostKubernetes({ context, view, controlPlanes, kept: kept2 })
    )
  ]);
  return parts.flat();
}
var import_cluster_error23, import_handed_out, import_diagnosis6, import_support_windows, hostsHealth;
var init_hosts_health = __esm({
  "src/commands/modes/kubeadm/hosts-health.ts"() {
    "use strict";
    import_cluster_error23 = __toESM(require_cluster_error(), 1);
    import_handed_out = __toESM(require_handed_out(), 1);
    init_found_in_view();
    init_kept_cordons();
    import_diagnosis6 = __toESM(require_diagnosis(), 1);
    init_known_hosts();
    init_observe_hosts();
    import_support_windows = __toESM(require_support_windows(), 1);
    init_diagnose_host_certificates();
    init_diagnose_host_etcd();
    init_diagnose_host_kubernetes();
    init_diagnose_hosts();
    hostsHealth = {
      provider: "hosts",
      diagnoseProvider: (_context, session) => diagnoseLogins(session),
      lookAtState,
      lookAtMachines,
      unseen: (0, import_diagnosis6.problem)(
        "hosts",
        "unknown",
        "the hosts, their cluster and the plan were not looked at, since a host or the state could not be asked",
        "Do first what is named above for the hosts and the state."
      ),
      takesIdentity: false,
      lookInside
    };
  }
});

// src/commands/modes/kubeadm/hosts-keys.ts
var stillValid, hostsKeys;
var init_hosts_keys = __esm({
  "src/commands/modes/kubeadm/hosts-keys.ts"() {
    "use strict";
    stillValid = [
      {
        what: "secrets that the cluster file refers to by name",
        means: "whatever each of them opens, among them passphrases of SSH keys and passwords of sudo where the file names those so",
        remedy: "Renew each where it is from, and give it to `hcloud-talos secret set`; `hcloud-talos secret list` names them."
      },
      {
        what: "addresses, users and host keys of the hosts",
        means: "show where the cluster is and how it is logged in to, and let nobody in",
        remedy: "Keep port 22 of the hosts closed to others than those who need it."
      },
      {
        what: "kubeconfigs that were minted",
        means: "are good until they expire, and were never in the state",
        remedy: "Wait for that; where one was lost, delete the ClusterRoleBinding kubeadm:cluster-admins, which all of them and admin.conf on the control planes have their rights from."
      },
      {
        what: "git's history",
        means: "every former generation of the state stays readable for the former identity, in each clone",
        remedy: "Take it off the branch with `hcloud-talos compact`; clones and what GitHub keeps by commit id are beyond anybody."
      }
    ];
    hostsKeys = {
      // No node is touched, so that nothing comes along with it.
      pendingChange: () => void 0,
      holders: () => [],
      replace: async () => false,
      words: {
        replaced: void 0,
        madeVoid: void 0,
        tried: "a former key",
        untried: "No key of the cluster is in the state, so there was none to try on the nodes.",
        stillValid
      }
    };
  }
});

// part:src/plan/record.ts
var require_record = __commonJS({
  "part:src/plan/record.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/plan/record.ts"]();
  }
});

// part:src/engine/disruptions.ts
var require_disruptions = __commonJS({
  "part:src/engine/disruptions.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/disruptions.ts"]();
  }
});

// part:src/engine/forget-node.ts
var require_forget_node = __commonJS({
  "part:src/engine/forget-node.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/forget-node.ts"]();
  }
});

// part:src/engine/install-addons.ts
var require_install_addons = __commonJS({
  "part:src/engine/install-addons.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/install-addons.ts"]();
  }
});

// part:src/engine/phases-by-name.ts
var require_phases_by_name = __commonJS({
  "part:src/engine/phases-by-name.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/phases-by-name.ts"]();
  }
});

// part:src/engine/run-plan.ts
var require_run_plan = __commonJS({
  "part:src/engine/run-plan.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/run-plan.ts"]();
  }
});

// src/engine/kubeadm/change-configuration.ts
async function changeConfiguration(options, progress) {
  const { reach: reach2 } = options;
  const names = reach2.controlPlanes.map(({ name }) => name);
  for (const name of names) await renewControlPlane(name, options, progress);
  const [first] = names;
  if (first === void 0) throw new Error("a cluster without a control plane passed the checks");
  const { hosts, view } = options;
  progress.step(`${first}: writing the configuration into the cluster`);
  await runJob(await hosts.remote(first), {
    name: "kubeadm-upload-config",
    title: "write the configuration into the cluster",
    script: uploadConfigScript,
    args: [fileOf(first, options, versionInCluster(options))],
    minutes: view.spec.kubeadm.timeoutMinutes.join
  });
}
async function uploadKubeletConfiguration(options, progress) {
  const { hosts, reach: reach2, view } = options;
  const [first] = reach2.controlPlanes;
  if (first === void 0) throw new Error("a cluster without a control plane passed the checks");
  progress.step(`${first.name}: writing the config of kubelets into the cluster`);
  await runJob(await hosts.remote(first.name), {
    name: "kubeadm-upload-kubelet",
    title: "write the config of kubelets into the cluster",
    script: uploadKubeletScript,
    args: [fileOf(first.name, options, versionInCluster(options))],
    minutes: view.spec.kubeadm.timeoutMinutes.join
  });
}
async function configureKubelet(name, options, progress) {
  const { hosts, view, recorder } = options;
  const version = versionOfHost(name, view.spec, recorder.inventory);
  await hosts.writePatches(name);
  progress.step(`${name}: restarting its kubelet with other settings`);
  await runJob(await hosts.remote(name), {
    name: "kubeadm-kubelet",
    title: "restart its kubelet with other settings",
    script: configureKubeletScript,
    args: [fileOf(name, options, version)],
    minutes: view.spec.kubeadm.timeoutMinutes.join
  });
}
async function renewControlPlane(name, options, progress) {
  const { hosts, reach: reach2, view, context } = options;
  const wait = { context, reach: reach2, progress };
  await waitForControlPlane(name, wait);
  progress.step(`${name}: writing its control plane again`);
  await hosts.writePatches(name);
  const work = async () => runJob(await hosts.remote(name), {
    name: "kubeadm-control-plane",
    title: "write its control plane again",
    script: renewControlPlaneScript,
    args: [fileOf(name, options, versionOfComponents(name, options))],
    minutes: view.spec.kubeadm.timeoutMinutes.join
  });
  const former = await whileRestarting(name, { hosts, reach: reach2 }, work, ["kube-apiserver"]);
  await waitForControlPlane(name, wait, { former });
}
function fileOf(name, { hosts, view, recorder, context }, version) {
  const running = version ?? runningVersion(view.spec, recorder.inventory);
  const spec = specAsRunning(view.spec, running);
  return initFile(spec, hosts.wanted(name), mintJoinMaterial(context.random), view.cluster);
}
function versionOfComponents(name, { view }) {
  return foundIn(view).hosts.get(name)?.traces.staticPods["kube-apiserver"];
}
function versionInCluster({ view }) {
  const { configuration } = view.cluster ?? {};
  return configuration && comparedConfiguration(configuration).version;
}
var init_change_configuration = __esm({
  "src/engine/kubeadm/change-configuration.ts"() {
    "use strict";
    init_act_scripts();
    init_compared_configuration();
    init_init_configuration();
    init_join_material();
    init_found_in_view();
    init_running_version();
    init_membership();
    init_run_job();
    init_static_pods();
    init_wait_for_control_plane();
  }
});

// src/engine/kubeadm/change-kube-vip.ts
async function changeKubeVip({ action, after, before }, { hosts, reach: reach2, view, context }, progress) {
  const name = (after ?? before)?.name ?? "";
  if (action === "delete") {
    await scriptOutput(await hosts.remote(name), {
      title: "give up the virtual IP",
      text: 'rm -f -- "$1"',
      args: [kubeVipFile],
      withinMs: fileMs3,
      isRepeatable: true
    });
    return;
  }
  const look3 = view.hosts.get(name);
  if (look3?.kind !== "seen") return;
  const manifest = lastingManifest(view.spec, hosts.wanted(name), look3.host);
  if (manifest === void 0) return;
  progress.step(`${name}: writing the manifest of kube-vip`);
  const former = await whileRestarting(
    name,
    { hosts, reach: reach2 },
    () => hosts.writeKubeVip(name, manifest)
  );
  await waitForControlPlane(name, { context, reach: reach2, progress }, { former });
}
var fileMs3;
var init_change_kube_vip = __esm({
  "src/engine/kubeadm/change-kube-vip.ts"() {
    "use strict";
    init_kubeadm_paths();
    init_kube_vip_kind();
    init_host_script();
    init_static_pods();
    init_wait_for_control_plane();
    fileMs3 = 6e4;
  }
});

// src/engine/kubeadm/host-departure.ts
var import_nodes8, import_cluster_error24, import_forget_node, import_remove_cluster_node2, apiWithinMs4, HostDeparture;
var init_host_departure = __esm({
  "src/engine/kubeadm/host-departure.ts"() {
    "use strict";
    import_nodes8 = __toESM(require_nodes(), 1);
    import_cluster_error24 = __toESM(require_cluster_error(), 1);
    import_forget_node = __toESM(require_forget_node(), 1);
    import_remove_cluster_node2 = __toESM(require_remove_cluster_node(), 1);
    init_etcd_members();
    init_leave_host();
    apiWithinMs4 = 10 * 6e4;
    HostDeparture = class {
      #options;
      constructor(options) {
        this.#options = options;
      }
      /**
       * Drains the node of a host, takes it out of etcd and Kubernetes, and leaves the host as it is wanted. A host that is
       * not reached is let go by the others alone. Throws `etcd-unhealthy` where etcd cannot do without it now.
       */
      async leave(name, role, leftAs, progress) {
        const { disruptions, membership } = this.#options;
        const work = () => disruptions.during(name, () => this.#leave(name, role === "control-plane", leftAs, progress));
        await (role === "control-plane" ? membership.oneAtATime(work) : work());
      }
      async #leave(name, isControlPlane3, leftAs, progress) {
        const { reach: reach2, context, recorder, session } = this.#options;
        await this.#noteBeginning(name);
        if (isControlPlane3) {
          await this.#requireQuorumWithout(name);
          const others = reach2.controlPlanes.filter((one) => one.name !== name);
          reach2.use([...others, ...reach2.controlPlanes.filter((one) => one.name === name)]);
        }
        const { clock: clock2, signal, run } = context;
        const kubernetes = await reach2.kubernetes(apiWithinMs4, (reason) => progress.step(reason));
        await (0, import_remove_cluster_node2.emptyClusterNode)(name, { kubernetes, clock: clock2, signal, progress, run: run.id });
        if (isControlPlane3 && leftAs === "keep") await this.#leaveEtcd(name, progress);
        if (this.#isReached(name)) {
          progress.step(`${name}: ${leftAs === "keep" ? "stopping its kubelet" : "resetting it"}`);
          const { hosts, view } = this.#options;
          const { uid } = recorder.inventory;
          const minutes = view.spec.kubeadm.timeoutMinutes.reset;
          await leaveHost(await hosts.remote(name), { uid, leftAs, minutes });
        }
        if (isControlPlane3) await this.#leaveEtcd(name, progress);
        await (0, import_nodes8.deleteNode)(kubernetes, name);
        session.signal.throwIfAborted();
        (0, import_forget_node.forgetNode)(recorder, name);
      }
      #isReached(name) {
        return this.#options.view.hosts.get(name)?.kind === "seen";
      }
      /** A member may only go where those that stay are a majority without anybody who is down. */
      async #requireQuorumWithout(name) {
        const { reach: reach2 } = this.#options;
        const { members } = await reach2.members(name);
        const voters = members.filter(({ isLearner }) => !isLearner);
        const others = voters.filter((member) => member.name !== name);
        const down = others.filter(({ isHealthy }) => isHealthy !== true);
        const isMember2 = voters.length > others.length;
        if (!isMember2 || others.length > 0 && down.length === 0) return;
        throw new import_cluster_error24.ClusterError(
          "etcd-unhealthy",
          others.length === 0 ? `${name} has the only member of etcd: the cluster would end with it` : `etcd cannot do without ${name} while ${down.map((one) => one.name || one.id).join(", ")} does not answer`,
          {
            operation: "take a member out of etcd",
            target: name,
            hint: "Bring the other control planes back first, or remove the one that is dead before any that lives."
          }
        );
      }
      /** `kubeadm reset` ends well also where the member stays: another control plane says whether it is gone. */
      async #leaveEtcd(name, progress) {
        const { reach: reach2, hosts, recorder } = this.#options;
        const host = hosts.known(name);
        reach2.use(reach2.controlPlanes.filter((one) => one.name !== name));
        const { members } = await reach2.members(name);
        for (const member of members.filter((one) => isMemberOf(one, host))) {
          await removeEtcdMember(member, name, { recorder, reach: reach2, progress });
        }
      }
      /** That it goes is written down before, so that whatever stops this run, the next plan shows it and finishes it. */
      async #noteBeginning(name) {
        const { recorder } = this.#options;
        const known = recorder.inventory.nodes.find((node) => node.name === name);
        if (known?.host === void 0 || known.host.membership === "leaving") return;
        recorder.record(
          `${name} leaves the cluster`,
          (inventory) => ({
            ...inventory,
            nodes: inventory.nodes.map(
              (node) => node.name === name && node.host ? { ...node, host: { ...node.host, membership: "leaving" } } : node
            )
          }),
          {},
          [{ fact: "node-removal-started", node: name }]
        );
        await recorder.flush();
      }
    };
  }
});

// src/engine/kubeadm/host-firewalls.ts
var import_cluster_error25, HostFirewalls;
var init_host_firewalls = __esm({
  "src/engine/kubeadm/host-firewalls.ts"() {
    "use strict";
    import_cluster_error25 = __toESM(require_cluster_error(), 1);
    init_found_in_view();
    HostFirewalls = class {
      #options;
      #opened;
      constructor(options) {
        this.#options = options;
      }
      /** Lets in all that the file names, on each node whose firewall does not, before the first of them joins. */
      letIn(progress) {
        this.#opened ??= this.#open(progress);
        return this.#opened;
      }
      async #open(progress) {
        const { hosts, view } = this.#options;
        const closed = view.spec.hosts.filter(
          ({ name }) => foundIn(view).hosts.get(name)?.evidence.some(({ check, state }) => check === "firewall" && state === "failed")
        );
        await Promise.all(
          closed.filter(({ name }) => this.#members().includes(name)).map(async ({ name }) => {
            progress.step(`${name}: opening its firewall to those that join`);
            await hosts.openFirewall(name);
          })
        );
      }
      /** The others do not let a host in any more that has left. One that keeps it open is reported, and nothing stops for it. */
      async letOut(name, progress) {
        const { hosts, view } = this.#options;
        const { nodeIp } = hosts.known(name);
        const reached = foundIn(view).hosts;
        const others = this.#members().filter((other) => other !== name && reached.has(other));
        await Promise.all(
          others.map(async (other) => {
            try {
              await hosts.closeFirewall(other, nodeIp);
            } catch (error) {
              if (!(0, import_cluster_error25.isClusterError)(error) || error.code === "interrupted") throw error;
              progress.step(
                `${other} still lets in ${nodeIp}, the address of ${name}: ${error.message}`
              );
            }
          })
        );
      }
      #members() {
        return this.#options.recorder.inventory.nodes.flatMap(
          ({ name, host }) => host?.membership === "member" ? [name] : []
        );
      }
    };
  }
});

// src/engine/kubeadm/reach-control-planes.ts
function reachControlPlanes(context, { session, view, hosts }) {
  const reach2 = new HostsReach(context);
  const reached = foundIn(view).hosts;
  const controlPlanes = view.cluster?.nodes.filter(({ isControlPlane: isControlPlane3 }) => isControlPlane3) ?? [];
  reach2.use(
    controlPlanes.filter(({ name }) => reached.has(name)).map(({ name }) => reachedBy(session, hosts.known(name)))
  );
  return reach2;
}
var init_reach_control_planes = __esm({
  "src/engine/kubeadm/reach-control-planes.ts"() {
    "use strict";
    init_found_in_view();
    init_hosts_reach();
    init_observe_hosts();
  }
});

// src/kubernetes/served-fingerprint.ts
async function servedFingerprint(stream, withinMs5) {
  const { promise, resolve: resolve3, reject } = Promise.withResolvers();
  const fail = (cause) => reject(
    new import_cluster_error26.ClusterError(
      "kubernetes-unreachable",
      `the API server shows no certificate: ${cause.message}`,
      { operation: "look at its certificate", cause }
    )
  );
  const socket = (0, import_node_tls.connect)({ socket: stream, rejectUnauthorized: false });
  const late = setTimeout(() => fail(new Error("no answer")), withinMs5);
  socket.once("secureConnect", () => resolve3(socket.getPeerCertificate().fingerprint256)).on("error", fail).once("close", () => fail(new Error("the connection was closed")));
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    socket.destroy();
  }
}
var import_node_tls, import_cluster_error26;
var init_served_fingerprint = __esm({
  "src/kubernetes/served-fingerprint.ts"() {
    "use strict";
    import_node_tls = require("node:tls");
    import_cluster_error26 = __toESM(require_cluster_error(), 1);
  }
});

// src/engine/kubeadm/renew-certificates.ts
async function renewCertificates(name, { hosts, reach: reach2, view, context }, progress) {
  const wait = { context, reach: reach2, progress };
  await waitForControlPlane(name, wait);
  progress.step(`${name}: renewing its certificates`);
  const work = async () => runJob(await hosts.remote(name), {
    name: "kubeadm-certs",
    title: "renew its certificates",
    script: renewCertificatesScript,
    minutes: view.spec.kubeadm.timeoutMinutes.join
  });
  const hasKubeVip = view.spec.kubeadm.endpoint.type === "virtualIp";
  const restarted = [...controlPlanePods, ...hasKubeVip ? ["kube-vip"] : []];
  const former = await whileRestarting(name, { hosts, reach: reach2 }, work, restarted);
  await waitForControlPlane(name, wait, { former });
  await requireServed(name, hosts);
}
async function requireServed(name, hosts) {
  const remote = await hosts.remote(name);
  const path = `${kubernetesFolder}/pki/apiserver.crt`;
  const pem = await readFile2(remote, path, { mostBytes: mostCertificate3, withinMs: readMs4 });
  const wanted = pem && new import_node_crypto5.X509Certificate(pem).fingerprint256;
  const to = { address: hosts.wanted(name).nodeIp, port: import_api_server_port7.apiServerPort };
  const served = await servedFingerprint(await dialFrom(remote, to, dialMs), dialMs);
  if (wanted !== void 0 && served === wanted) return;
  throw new import_cluster_error27.ClusterError(
    "script-failed",
    `the API server of ${name} still serves its former certificate`,
    {
      operation: "renew its certificates",
      target: name,
      hint: `Look at the log of its container on ${name} (crictl logs), and end it there (crictl stop).`
    }
  );
}
var import_node_crypto5, import_cluster_error27, import_api_server_port7, dialMs, readMs4, mostCertificate3;
var init_renew_certificates = __esm({
  "src/engine/kubeadm/renew-certificates.ts"() {
    "use strict";
    import_node_crypto5 = require("node:crypto");
    init_act_scripts();
    init_kubeadm_paths();
    init_served_fingerprint();
    import_cluster_error27 = __toESM(require_cluster_error(), 1);
    import_api_server_port7 = __toESM(require_api_server_port(), 1);
    init_dial_from();
    init_read_file();
    init_run_job();
    init_static_pods();
    init_wait_for_control_plane();
    [dialMs, readMs4] = [1e4, 6e4];
    mostCertificate3 = 64 * 1024;
  }
});

// part:src/engine/node-service.ts
var require_node_service = __commonJS({
  "part:src/engine/node-service.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/node-service.ts"]();
  }
});

// part:src/engine/resume-service.ts
var require_resume_service = __commonJS({
  "part:src/engine/resume-service.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/resume-service.ts"]();
  }
});

// part:src/engine/run-step.ts
var require_run_step = __commonJS({
  "part:src/engine/run-step.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/run-step.ts"]();
  }
});

// src/engine/kubeadm/while-drained.ts
async function whileDrained(node, work) {
  const { context, reach: reach2, progress } = node;
  const service = hostService(node);
  await (0, import_node_service.takeOutOfService)(service, () => waitForMembers({ context, reach: reach2, progress }));
  await work();
  await (0, import_node_service.returnToService)(service);
}
function hostService(node) {
  const { name, context, spec, kubernetes, reach: reach2, progress, run, kubeletVersion } = node;
  const { clock: clock2, signal } = context;
  const isControlPlane3 = reach2.controlPlanes.some((one) => one.name === name);
  return {
    name,
    spec,
    kubernetes,
    clock: clock2,
    signal,
    run: context.run.id,
    step: (0, import_run_step.nodeSteps)(run, name, progress),
    inspection: {
      async waitForComponents() {
        if (isControlPlane3) await waitForControlPlane(name, { context, reach: reach2, progress });
      },
      expected: async () => kubeletVersion === void 0 ? {} : { kubeletVersion: `v${kubeletVersion}` }
    }
  };
}
var import_node_service, import_run_step;
var init_while_drained = __esm({
  "src/engine/kubeadm/while-drained.ts"() {
    "use strict";
    import_node_service = __toESM(require_node_service(), 1);
    import_run_step = __toESM(require_run_step(), 1);
    init_etcd_members();
    init_wait_for_control_plane();
  }
});

// src/engine/kubeadm/resume-hosts.ts
function resumeHosts(changes, { view, context, reach: reach2, disruptions }) {
  const { spec } = view;
  const controlPlanes = new Set(reach2.controlPlanes.map(({ name }) => name));
  const isStopped = (name) => changes.some((change) => isDisruptive(change) && (change.after ?? change.before)?.name === name);
  return (0, import_resume_service.resumeService)({
    changes,
    nodes: outOfService(view, changes),
    context,
    disruptions,
    isControlPlane: (name) => controlPlanes.has(name),
    resume: async (name, progress) => {
      const kubernetes = await reach2.kubernetes(apiWithinMs5);
      const node = { name, context, spec, kubernetes, reach: reach2, progress, run: "apply" };
      const service = { ...hostService(node), step: (0, import_run_step2.plainSteps)(name, progress) };
      await (isStopped(name) ? (0, import_node_service2.waitUntilHealthy)(service) : (0, import_node_service2.returnToService)(service));
    }
  });
}
var import_node_service2, import_resume_service, import_run_step2, apiWithinMs5;
var init_resume_hosts = __esm({
  "src/engine/kubeadm/resume-hosts.ts"() {
    "use strict";
    init_order_hosts();
    init_out_of_service();
    import_node_service2 = __toESM(require_node_service(), 1);
    import_resume_service = __toESM(require_resume_service(), 1);
    import_run_step2 = __toESM(require_run_step(), 1);
    init_while_drained();
    apiWithinMs5 = 10 * 6e4;
  }
});

// src/engine/kubeadm/carry-out-hosts.ts
async function carryOutOnHosts(changes, input) {
  var _stack = [];
  try {
    const stop = new AbortController();
    const signal = AbortSignal.any([input.context.signal, stop.signal]);
    const apply = __using(_stack, new HostsApply({ ...input, context: { ...input.context, signal } }));
    await input.recorder.during(async () => {
      try {
        const ordered = await apply.resumeService(changes);
        await (0, import_run_plan.runPlan)(ordered, apply.phases, input.context.progress, (failure) => stop.abort(failure));
      } finally {
        await apply.revokeCredentials(input.context.signal);
      }
    });
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    __callDispose(_stack, _error, _hasError);
  }
}
var import_record, import_disruptions, import_forget_node2, import_install_addons, import_phases_by_name, import_run_plan, apiWithinMs6, phaseOrder, HostsApply;
var init_carry_out_hosts = __esm({
  "src/engine/kubeadm/carry-out-hosts.ts"() {
    "use strict";
    init_stray_members();
    init_kubernetes_kind();
    init_node_kind();
    import_record = __toESM(require_record(), 1);
    init_addons_of_hosts();
    init_found_in_view();
    init_observe_hosts();
    import_disruptions = __toESM(require_disruptions(), 1);
    import_forget_node2 = __toESM(require_forget_node(), 1);
    import_install_addons = __toESM(require_install_addons(), 1);
    import_phases_by_name = __toESM(require_phases_by_name(), 1);
    import_run_plan = __toESM(require_run_plan(), 1);
    init_change_configuration();
    init_change_kube_vip();
    init_cluster_hosts();
    init_etcd_members();
    init_host_departure();
    init_host_firewalls();
    init_membership();
    init_reach_control_planes();
    init_record_host();
    init_renew_certificates();
    init_resume_hosts();
    init_sync_node();
    init_while_drained();
    apiWithinMs6 = 10 * 6e4;
    phaseOrder = [
      "hosts",
      "nodes",
      "etcd",
      "configuration",
      "vip",
      "addons"
    ];
    HostsApply = class {
      #input;
      #hosts;
      #reach;
      #membership;
      #departure;
      #disruptions;
      #firewalls;
      #shared;
      #phases = {
        hosts: {
          title: "Prepare hosts",
          kinds: ["host"],
          run: { each: (c, p) => this.#host(c, p) }
        },
        nodes: {
          title: "Make nodes of hosts",
          kinds: ["node"],
          run: { each: (c, p) => this.#node(c, p) }
        },
        etcd: {
          title: "See to the members of etcd",
          kinds: ["etcd"],
          run: { each: (_c, p) => this.#etcd(p) }
        },
        configuration: {
          title: "Change the control plane",
          kinds: ["kubernetes"],
          run: { each: (c, p) => this.#configuration(c, p) }
        },
        vip: {
          title: "Keep the virtual IP",
          kinds: ["kube-vip"],
          run: { each: (c, p) => changeKubeVip(c, this.#shared, p) }
        },
        addons: {
          title: "Install addons",
          kinds: import_record.recordKinds.filter((kind) => import_record.kindTraits[kind].part === "addon"),
          run: { together: (c, p) => this.#addons(c, p) }
        }
      };
      phases = (0, import_phases_by_name.phasesByName)(phaseOrder, this.#phases);
      constructor(input) {
        const { session, view, context } = input;
        this.#input = input;
        this.#hosts = new ClusterHosts(input);
        this.#reach = reachControlPlanes(context, { session, view, hosts: this.#hosts });
        const shared = { ...input, hosts: this.#hosts, reach: this.#reach };
        this.#shared = shared;
        this.#disruptions = new import_disruptions.Disruptions(view.spec.upgrade.maxUnavailable, context.signal);
        this.#firewalls = new HostFirewalls(shared);
        this.#membership = new Membership(shared);
        this.#departure = new HostDeparture({
          ...shared,
          membership: this.#membership,
          disruptions: this.#disruptions
        });
      }
      [Symbol.dispose]() {
        this.#reach[Symbol.dispose]();
      }
      resumeService(changes) {
        const disruptions = this.#disruptions;
        return resumeHosts(changes, { ...this.#shared, disruptions });
      }
      revokeCredentials(signal) {
        return this.#membership.revokeCredentials(signal);
      }
      async #host(change, progress) {
        const { before, after } = change;
        const name = (after ?? before)?.name ?? "";
        if (change.action === "delete") return (0, import_forget_node2.forgetNode)(this.#input.recorder, name);
        if (change.action === "replace") return;
        await (change.risk === "drain" ? this.#drained(
          name,
          progress,
          () => this.#hosts.prepare(name, progress, { isDrained: true })
        ) : this.#hosts.prepare(name, progress));
        await this.#recordPrepared(name);
      }
      async #recordPrepared(name) {
        const { view, recorder } = this.#input;
        const look3 = view.hosts.get(name);
        if (look3?.kind !== "seen") return;
        const { machineId: machineId2 } = look3.host;
        recordHost2(recorder, view, this.#hosts.wanted(name), { machineId: machineId2, hostKey: look3.hostKey });
      }
      async #drained(name, progress, work) {
        const { context, view, reach: reach2 } = this.#shared;
        const run = "apply";
        const kubernetes = await reach2.kubernetes(apiWithinMs6);
        await this.#disruptions.during(
          name,
          () => whileDrained({ name, context, spec: view.spec, kubernetes, reach: reach2, progress, run }, work)
        );
      }
      async #node(change, progress) {
        const { action, before, after } = change;
        const name = (after ?? before)?.name ?? "";
        if (action === "delete" || action === "replace") {
          await this.#leave(name, String(before?.spec["role"]), action === "replace", progress);
        }
        if (action === "delete") return;
        const host = this.#hosts.wanted(name);
        if (action !== "update") {
          if (action === "replace") await this.#hosts.prepare(name, progress);
          const isFirst = !this.#input.recorder.inventory.bootstrapped;
          if (isFirst && host.role === "control-plane") await this.#begin(name, progress);
          else await this.#join(host, progress);
        } else {
          await this.#updateNode(name, changedSettings(change.fields), progress);
        }
        await this.#syncNode(name);
      }
      async #updateNode(name, changed, progress) {
        const options = this.#shared;
        if (changed.has("kubelet")) {
          await this.#drained(name, progress, () => configureKubelet(name, options, progress));
        }
        if (changed.has("patches")) await this.#renew(name, progress);
        if (changed.has("certificates")) {
          await this.#membership.oneAtATime(() => renewCertificates(name, options, progress));
        }
      }
      async #begin(name, progress) {
        this.#reach.use([reachedBy(this.#input.session, this.#hosts.known(name))]);
        await this.#membership.init(this.#hosts.wanted(name), progress);
      }
      async #join(host, progress) {
        await this.#firewalls.letIn(progress);
        await this.#membership.join(host, progress);
      }
      async #leave(name, role, comesBack, progress) {
        const known = this.#input.recorder.inventory.nodes.find((node) => node.name === name);
        const leftAs = comesBack ? "reset" : known?.host?.onRemove ?? "keep";
        await this.#departure.leave(name, role, leftAs, progress);
        if (!comesBack) await this.#firewalls.letOut(name, progress);
      }
      async #renew(name, progress) {
        if (this.#hosts.wanted(name).role !== "control-plane") return this.#hosts.writePatches(name);
        await this.#membership.oneAtATime(() => renewControlPlane(name, this.#shared, progress));
      }
      async #syncNode(name) {
        const kubernetes = await this.#reach.kubernetes(apiWithinMs6);
        await syncNode(kubernetes, this.#hosts.wanted(name), this.#input);
      }
      /** Members that never started, or that belong to no host. */
      async #etcd(progress) {
        const { view, recorder } = this.#input;
        if (view.cluster === void 0) return;
        const wanted = new Set(view.spec.hosts.map(({ name }) => name));
        for (const member of strayMembers(foundIn(view), wanted).removable) {
          await removeEtcdMember(member, member.name, { recorder, reach: this.#reach, progress });
        }
      }
      async #configuration({ fields }, progress) {
        const options = this.#shared;
        if (changedSettings(fields).has("kubelet")) {
          await uploadKubeletConfiguration(options, progress);
        }
        if (isOfKubeletsAlone(fields)) return;
        await this.#membership.oneAtATime(() => changeConfiguration(options, progress));
      }
      async #addons(changes, _progress) {
        const { context, view, recorder, session } = this.#input;
        const kubernetes = await this.#reach.kubernetes(apiWithinMs6);
        await (0, import_install_addons.installAddons)(context, {
          view,
          addonsOf: addonsOfHosts,
          credentials: void 0,
          recorder,
          kubernetes,
          changes,
          namedSecrets: () => session.store.readNamedSecrets()
        });
      }
    };
  }
});

// src/kubeadm/config/upgrade-configuration.ts
function upgradeFile(spec) {
  const all = { certificateRenewal: true, etcdUpgrade: true, ...patchesField(spec) };
  return renderDocuments([
    {
      apiVersion: kubeadmApi,
      kind: "UpgradeConfiguration",
      apply: { kubernetesVersion: `v${spec.kubernetes.version}`, ...all },
      node: all,
      ...kubeadmTimeouts(spec, "upgrade")
    }
  ]);
}
var init_upgrade_configuration = __esm({
  "src/kubeadm/config/upgrade-configuration.ts"() {
    "use strict";
    init_kubeadm_paths();
    init_kubeadm_timeouts();
    init_patch_files();
    init_render_documents();
  }
});

// part:src/engine/check-nodes-before-upgrade.ts
var require_check_nodes_before_upgrade = __commonJS({
  "part:src/engine/check-nodes-before-upgrade.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/check-nodes-before-upgrade.ts"]();
  }
});

// part:src/engine/release-cordons.ts
var require_release_cordons = __commonJS({
  "part:src/engine/release-cordons.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/release-cordons.ts"]();
  }
});

// src/engine/kubeadm/repeat-health-job.ts
async function repeatHealthJob({ clock: clock2, signal, onRepeat }, upgrade) {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await upgrade();
    } catch (error) {
      if (left === 0 || !isSlowHealthJob(error)) throw error;
      onRepeat("the Job by which kubeadm sees that pods can run took too long: it is tried again");
      await clock2.sleep(pauseMs, signal);
    }
  }
}
function isSlowHealthJob(error) {
  if (!(error instanceof import_cluster_error28.ClusterError) || error.code !== "script-failed") return false;
  const failed = error.evidence.flatMap((line) => /\[ERROR (\w+)\]: (.*)/.exec(line)?.[0] ?? []);
  const [only, ...others] = failed;
  return others.length === 0 && only !== void 0 && isTimeout(only);
}
function isTimeout(line) {
  return line.startsWith("[ERROR CreateJob]") && line.includes("did not complete in");
}
var import_cluster_error28, tries, pauseMs;
var init_repeat_health_job = __esm({
  "src/engine/kubeadm/repeat-health-job.ts"() {
    "use strict";
    import_cluster_error28 = __toESM(require_cluster_error(), 1);
    tries = 6;
    pauseMs = 15e3;
  }
});

// src/engine/kubeadm/upgrade-hosts.ts
async function upgradeHosts(changes, input) {
  var _stack = [];
  try {
    const upgrade = __using(_stack, new HostsUpgrade(input));
    await input.recorder.during(async () => {
      const { progress } = input.context;
      await (0, import_run_phase6.runPhase)(progress, "See that the cluster is fit for it", (phase) => upgrade.check(phase));
      await (0, import_run_plan2.runPlan)(changes, upgrade.phases, progress);
    });
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    __callDispose(_stack, _error, _hasError);
  }
}
var import_run_phase6, import_check_nodes_before_upgrade, import_phases_by_name2, import_release_cordons, import_run_plan2, import_run_step3, apiWithinMs7, restartMs, HostsUpgrade;
var init_upgrade_hosts = __esm({
  "src/engine/kubeadm/upgrade-hosts.ts"() {
    "use strict";
    init_act_scripts();
    init_upgrade_configuration();
    init_found_in_view();
    init_kept_cordons();
    init_host_script();
    import_run_phase6 = __toESM(require_run_phase(), 1);
    import_check_nodes_before_upgrade = __toESM(require_check_nodes_before_upgrade(), 1);
    import_phases_by_name2 = __toESM(require_phases_by_name(), 1);
    import_release_cordons = __toESM(require_release_cordons(), 1);
    import_run_plan2 = __toESM(require_run_plan(), 1);
    import_run_step3 = __toESM(require_run_step(), 1);
    init_cluster_hosts();
    init_reach_control_planes();
    init_record_host();
    init_repeat_health_job();
    init_run_job();
    init_static_pods();
    init_wait_for_control_plane();
    init_while_drained();
    apiWithinMs7 = 5 * 6e4;
    restartMs = 2 * 6e4;
    HostsUpgrade = class {
      #input;
      #hosts;
      #reach;
      #phases = {
        containerd: {
          title: "Upgrade containerd",
          kinds: ["host"],
          run: { each: (c, p) => this.#containerd(c, p) }
        },
        kubernetes: {
          title: "Upgrade the control planes",
          kinds: ["kubernetes"],
          run: { each: (_c, p) => this.#kubernetes(p) }
        },
        kubelets: {
          title: "Upgrade kubelets",
          kinds: ["kubelet"],
          run: { each: (c, p) => this.#kubelet(c, p) }
        }
      };
      phases = (0, import_phases_by_name2.phasesByName)(["containerd", "kubernetes", "kubelets"], this.#phases);
      constructor(input) {
        const { session, view, context } = input;
        this.#input = input;
        this.#hosts = new ClusterHosts(input);
        this.#reach = reachControlPlanes(context, { session, view, hosts: this.#hosts });
      }
      [Symbol.dispose]() {
        this.#reach[Symbol.dispose]();
      }
      async check(progress) {
        for (const { name } of this.#reach.controlPlanes) {
          await waitForControlPlane(name, this.#wait(progress));
        }
        const { context, view } = this.#input;
        const { clock: clock2, signal } = context;
        const kept2 = keptCordons(view);
        const kubernetes = await this.#reach.kubernetes(apiWithinMs7);
        const nodes2 = view.spec.hosts.filter(({ name }) => !kept2.has(name));
        const names = nodes2.map(({ name }) => ({ name }));
        const check = { spec: view.spec, nodes: names, kubernetes, clock: clock2, signal, progress };
        await (0, import_check_nodes_before_upgrade.checkNodesBeforeUpgrade)(check);
        await (0, import_release_cordons.releaseCordons)(kubernetes, kept2, progress);
      }
      async #containerd({ after }, progress) {
        const name = after?.name ?? "";
        const { view, session } = this.#input;
        const detail = {
          version: `containerd ${view.spec.kubeadm.runtime.version ?? "of its distribution"}`
        };
        await session.store.record({ fact: "upgrade-started", node: name, detail });
        await this.#drained(
          name,
          progress,
          () => this.#hosts.prepare(name, progress, { isDrained: true })
        );
        await session.store.record({ fact: "upgrade-finished", node: name, detail });
      }
      /** All control planes, one at a time; one that is there already is only seen to be healthy. */
      async #kubernetes(progress) {
        const { context, session, view } = this.#input;
        const { clock: clock2 } = context;
        const { version } = view.spec.kubernetes;
        await session.store.record({ fact: "upgrade-started", detail: { kubernetes: version } });
        const names = this.#reach.controlPlanes.map(({ name }) => name).toSorted(byName);
        for (const [index, name] of names.entries()) {
          await this.#hosts.prepareUpgrade(name, version, progress);
          const step2 = index === 0 ? "kubeadm upgrade apply" : "kubeadm upgrade node";
          const upgrade = async (onLine) => runJob(await this.#hosts.remote(name), {
            name: "kubeadm-upgrade",
            title: `upgrade its control plane to ${version}`,
            script: index === 0 ? upgradeApplyScript : upgradeNodeScript,
            args: [upgradeFile(view.spec)],
            minutes: view.spec.kubeadm.timeoutMinutes.upgrade,
            onLine
          });
          const places = { hosts: this.#hosts, reach: this.#reach };
          const former = await (0, import_run_step3.upgradeStep)(
            { node: name, step: step2, progress },
            (report) => whileRestarting(
              name,
              places,
              () => repeatHealthJob(
                { clock: clock2, signal: session.signal, onRepeat: report },
                () => upgrade(report)
              )
            )
          );
          await waitForControlPlane(name, this.#wait(progress), { version, former });
        }
      }
      async #kubelet({ after }, progress) {
        const name = after?.name ?? "";
        const { view, recorder, session } = this.#input;
        const { version } = view.spec.kubernetes;
        const detail = { version: `Kubernetes ${version}` };
        const host = this.#hosts.wanted(name);
        const remote = await this.#hosts.remote(name);
        await session.store.record({ fact: "upgrade-started", node: name, detail });
        if (host.role !== "control-plane") {
          await this.#hosts.prepareUpgrade(name, version, progress);
          await (0, import_run_step3.upgradeStep)(
            { node: name, step: "kubeadm upgrade node", progress },
            (report) => runJob(remote, {
              name: "kubeadm-upgrade",
              title: `upgrade its config to ${version}`,
              script: upgradeNodeScript,
              args: [upgradeFile(view.spec)],
              minutes: view.spec.kubeadm.timeoutMinutes.upgrade,
              onLine: report
            })
          );
        }
        await this.#drained(
          name,
          progress,
          async () => {
            await this.#hosts.prepare(name, progress, { isDrained: true, version });
            await scriptOutput(remote, {
              title: "restart the kubelet",
              text: restartKubeletScript,
              withinMs: restartMs,
              isRepeatable: true
            });
          },
          version
        );
        recordHost2(recorder, view, host, {}, { kubernetesVersion: version });
        await recorder.flush();
        await session.store.record({ fact: "upgrade-finished", node: name, detail });
      }
      async #drained(name, progress, work, kubeletVersion) {
        const { context, view } = this.#input;
        const kubernetes = await this.#reach.kubernetes(apiWithinMs7);
        const run = "upgrade";
        const reach2 = this.#reach;
        const node = { name, context, spec: view.spec, kubernetes, reach: reach2, progress, run };
        await whileDrained({ ...node, ...kubeletVersion !== void 0 && { kubeletVersion } }, work);
      }
      #wait(progress) {
        return { context: this.#input.context, reach: this.#reach, progress };
      }
    };
  }
});

// part:src/planner/apply-stages.ts
var require_apply_stages = __commonJS({
  "part:src/planner/apply-stages.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/planner/apply-stages.ts"]();
  }
});

// part:src/planner/network-change.ts
var require_network_change = __commonJS({
  "part:src/planner/network-change.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/planner/network-change.ts"]();
  }
});

// part:src/planner/check-version-jumps.ts
var require_check_version_jumps = __commonJS({
  "part:src/planner/check-version-jumps.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/planner/check-version-jumps.ts"]();
  }
});

// src/planner/kubeadm/check-host-versions.ts
function checkHostVersions(view, versions) {
  const steps = versions.flatMap(
    ({ key: key2, after, fields }) => fields.filter(({ path }) => path === "version" || path === "containerd").map(({ path, before, after: wanted }) => ({
      who: after?.kind === "kubernetes" ? "the control plane" : key2,
      software: path === "containerd" ? "containerd" : "Kubernetes",
      from: String(before),
      to: String(wanted)
    }))
  );
  const back = firstOfEach(steps.filter(({ from, to }) => isOlder(to, from)));
  const jumps = [
    ...(0, import_check_version_jumps.checkVersionJumps)(versions),
    ...steps.filter(({ software, from, to }) => software === "containerd" && isTooWide(from, to)).map(({ from, to }) => jumpOfContainerd(from, to))
  ];
  return {
    downgrades: onceEach(
      back.map(({ who, software, from, to }) => goesBack(view, who, software, from, to))
    ),
    jumps: onceEach(jumps)
  };
}
function goesBack({ spec }, who, software, from, to) {
  const path = software === "Kubernetes" ? ["kubernetes", "version"] : ["kubeadm", "runtime", "version"];
  return {
    severity: "error",
    path,
    message: `${software} of ${spec.clusterName} does not go back from ${from} to ${to}: ${who} runs ${from}`,
    hint: `Write ${from} or a newer one.`
  };
}
function isTooWide(from, to) {
  const [before, after] = [(0, import_version_matrix6.parseVersion)(from), (0, import_version_matrix6.parseVersion)(to)];
  if (before === void 0 || after === void 0 || (0, import_version_matrix6.compareVersions)(after, before) <= 0)
    return false;
  if (longSupported.includes(lineOf(before)) && longSupported.includes(lineOf(after))) return false;
  const isNextMajor = before.major === 1 && before.minor === 7 && after.major === 2;
  const minors = isNextMajor ? after.minor + 1 : after.minor - before.minor;
  return after.major !== before.major && !isNextMajor || minors > 1;
}
function jumpOfContainerd(from, to) {
  const before = (0, import_version_matrix6.parseVersion)(from);
  const next = before && (lineOf(before) === "1.7" ? "2.0" : `${before.major}.${before.minor + 1}`);
  return {
    severity: "error",
    path: ["kubeadm", "runtime", "version"],
    message: `containerd goes up one minor release at a time, and ${from} to ${to} is more`,
    hint: `Upgrade to a release of ${next} first.`
  };
}
function lineOf({ major, minor }) {
  return `${major}.${minor}`;
}
function isOlder(one, other) {
  const [a, b] = [(0, import_version_matrix6.parseVersion)(one), (0, import_version_matrix6.parseVersion)(other)];
  return a !== void 0 && b !== void 0 && (0, import_version_matrix6.compareVersions)(a, b) < 0;
}
function firstOfEach(steps) {
  const keyOf = ({ software, from }) => `${software} ${from}`;
  return [...Map.groupBy(steps, keyOf).values()].flatMap(([first]) => first ?? []);
}
function onceEach(findings) {
  return [...new Map(findings.map((finding) => [finding.message, finding])).values()];
}
var import_version_matrix6, import_check_version_jumps, longSupported;
var init_check_host_versions = __esm({
  "src/planner/kubeadm/check-host-versions.ts"() {
    "use strict";
    import_version_matrix6 = __toESM(require_version_matrix(), 1);
    import_check_version_jumps = __toESM(require_check_version_jumps(), 1);
    longSupported = ["1.7", "2.3"];
  }
});

// part:src/plan/guard-control-planes.ts
var require_guard_control_planes = __commonJS({
  "part:src/plan/guard-control-planes.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/plan/guard-control-planes.ts"]();
  }
});

// part:src/spec/nearest-name.ts
var require_nearest_name = __commonJS({
  "part:src/spec/nearest-name.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/spec/nearest-name.ts"]();
  }
});

// part:src/planner/applied-spec.ts
var require_applied_spec = __commonJS({
  "part:src/planner/applied-spec.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/planner/applied-spec.ts"]();
  }
});

// part:src/planner/pending-restore.ts
var require_pending_restore = __commonJS({
  "part:src/planner/pending-restore.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/planner/pending-restore.ts"]();
  }
});

// part:src/plan/order-changes.ts
var require_order_changes = __commonJS({
  "part:src/plan/order-changes.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/plan/order-changes.ts"]();
  }
});

// src/planner/kubeadm/guard-quorum.ts
function votingMembers(view) {
  const found = foundIn(view);
  const wanted = new Set(view.spec.hosts.map(({ name }) => name));
  const isUp = (name) => {
    const isOurs = wanted.has(name) || knownNode(found, name) !== void 0;
    return !isOurs || found.hosts.has(name) && standingOf(found, name) !== "lost";
  };
  const voting = (view.cluster?.members ?? []).filter(({ isLearner }) => !isLearner);
  return new Map(
    voting.map((member) => [
      hasStarted(member) ? member.name : member.id,
      hasStarted(member) && member.isHealthy !== false && isUp(member.name)
    ])
  );
}
function guardQuorum(view, changes) {
  const members = new Map(votingMembers(view));
  if (members.size === 0) return [];
  for (const change of (0, import_order_changes.orderChanges)(changes)) {
    const refused = step(view, change, members);
    if (refused !== void 0) return [refused];
  }
  return guardMissing(view, changes);
}
function step(view, change, members) {
  if (change.action === "update" && change.after?.kind === "etcd") {
    return removeStrays(view, members);
  }
  if (change.action === "update" && change.after?.kind === "kubernetes") {
    if (change.risk === "live") return void 0;
    return [...members.keys()].flatMap((each) => refuseStop(each, members, change) ?? [])[0];
  }
  return isControlPlanes(change) ? controlPlaneStep(change, members) : void 0;
}
function controlPlaneStep(change, members) {
  const name = (change.after ?? change.before)?.name ?? "";
  if (takesMember(change) && members.has(name)) {
    const refused = refuseRemoval(name, members, change);
    if (refused) return refused;
    members.delete(name);
  }
  if ((0, import_change3.changedPart)(change) === "node" && change.action !== "update" && isControlPlaneAfter(change)) {
    const refused = refuseJoin(members, change);
    members.set(name, true);
    return refused;
  }
  const stops = change.action === "update" && isDisruptive(change) && members.has(name);
  return stops ? refuseStop(name, members, change) : void 0;
}
function takesMember({ action, before }) {
  const wasControlPlane = before?.spec["role"] === "control-plane";
  if (action === "replace") return wasControlPlane;
  return action === "delete" && wasControlPlane && before !== void 0 && (0, import_record2.partOf)(before) === "node";
}
function isControlPlaneAfter({ after }) {
  return after?.spec["role"] === "control-plane";
}
function removeStrays(view, members) {
  const found = foundIn(view);
  const wanted = new Set(view.spec.hosts.map(({ name }) => name));
  const { removable } = strayMembers(found, wanted);
  if (upOf(members) < quorumOf(members.size)) return noQuorum(members);
  for (const member of removable) members.delete(hasStarted(member) ? member.name : member.id);
  return void 0;
}
function refuseRemoval(name, members, change) {
  const isUp = members.get(name) === true;
  const down = downOf(members).filter((other) => other !== name);
  if (members.size === 1) {
    return hostsFinding(
      "error",
      `${change.action} of ${name} would take away the only member of etcd, and all that Kubernetes holds with it`,
      "Make two more control planes of other hosts first, and apply that."
    );
  }
  if (!isUp) return upOf(members) < quorumOf(members.size) ? noQuorum(members) : void 0;
  if (down.length === 0) return void 0;
  return hostsFinding(
    "error",
    `${change.action} of ${name} would take a member from etcd while ${down.join(" and ")} is down`,
    `Bring ${down.join(" and ")} back first, or remove it from hosts and apply that.`
  );
}
function refuseJoin(members, { after }) {
  const down = downOf(members);
  if (down.length === 0) return void 0;
  return hostsFinding(
    "error",
    `${after?.name} cannot join etcd while ${down.join(" and ")} is down`,
    `Bring ${down.join(" and ")} back first, or remove it from hosts.`
  );
}
function refuseStop(name, members, change) {
  const down = downOf(members).filter((other) => other !== name);
  if (members.get(name) !== true || down.length === 0) return void 0;
  return hostsFinding(
    "error",
    `${change.key} stops ${name} for a while, and ${down.join(" and ")} is down`,
    `Bring ${down.join(" and ")} back first.`
  );
}
function noQuorum(members) {
  return hostsFinding(
    "error",
    `etcd has no quorum: ${upOf(members)} of ${members.size} members are up (down: ${downOf(members).join(", ")})`,
    "Bring one of them back; where they are gone for good, restore etcd from a snapshot."
  );
}
function guardMissing(view, changes) {
  const found = foundIn(view);
  const members = new Set((view.cluster?.members ?? []).map(({ name }) => name));
  const replaced = new Set(
    changes.flatMap(({ key: key2, action }) => action === "replace" ? [key2] : [])
  );
  return view.spec.hosts.map(({ name }) => name).filter(
    (name) => found.hosts.has(name) && standingOf(found, name) === "member" && runningRole(found, name) === "control-plane" && !members.has(name) && !replaced.has(`node/${name}`)
  ).map(
    (name) => hostsFinding(
      "error",
      `${name} is a control plane, and etcd has no member of it`,
      `Replace it by name: --replace ${name}.`
    )
  );
}
function quorumOf(size2) {
  return Math.floor(size2 / 2) + 1;
}
function upOf(members) {
  return [...members.values()].filter(Boolean).length;
}
function downOf(members) {
  return [...members.entries()].flatMap(([name, isUp]) => isUp ? [] : [name]).sort();
}
var import_change3, import_order_changes, import_record2;
var init_guard_quorum = __esm({
  "src/planner/kubeadm/guard-quorum.ts"() {
    "use strict";
    init_found_cluster();
    init_stray_members();
    import_change3 = __toESM(require_change(), 1);
    import_order_changes = __toESM(require_order_changes(), 1);
    import_record2 = __toESM(require_record(), 1);
    init_found_in_view();
    init_hosts_finding();
    init_order_hosts();
  }
});

// src/planner/kubeadm/guard-hosts.ts
function guardHosts(view, changes, { now, replace = [] }) {
  const pending = (0, import_pending_restore.guardPendingRestore)(view.generation?.journal ?? []);
  if (pending.length > 0) return pending;
  const second = guardBeginning(view);
  if (second.length > 0) return second;
  return [
    ...guardAuthority(view),
    ...guardRemains(view),
    ...guardUnasked(view, changes),
    ...guardFixedConfiguration(view, replace),
    ...guardMembers2(view, changes, replace),
    ...guardQuorum(view, changes),
    ...lookFindings(view, changes, replace),
    ...clusterFindings(view, now),
    ...checkReplaced(view, replace)
  ];
}
function guardMembers2(view, changes, replace) {
  const { spec, generation } = view;
  if (view.cluster === void 0) return [];
  return (0, import_guard_control_planes.guardControlPlanes)(changes, {
    bootstrapped: generation?.inventory.bootstrapped ?? false,
    // That the cluster answers proves a quorum: who is down is judged change by change.
    members: [...votingMembers(view).keys()].map((name) => ({ name, serverGone: false })),
    fileIsApplied: (0, import_applied_spec.isApplied)(spec, generation),
    asked: new Set(replacedHosts(view, replace).keys()),
    words: {
      path: ["hosts"],
      fewer: (most) => `Take ${most} of them out of hosts, apply, and continue from there.`,
      more: "Make two more control planes of other hosts first, and apply that."
    }
  });
}
function guardUnasked(view, changes) {
  const { generation, cluster, unasked } = view;
  if (!generation?.inventory.bootstrapped || cluster !== void 0) return [];
  const isTouched = changes.some((change) => (0, import_change4.changedPart)(change) !== "machine");
  return [
    hostsFinding(
      isTouched ? "error" : "warning",
      `the cluster could not be asked (${unasked ?? "no control plane was reached"}): only what its hosts and the state show is compared`,
      "Bring a control plane back that answers, and run again."
    )
  ];
}
function checkReplaced({ spec, hosts }, replace) {
  const names = spec.hosts.map(({ name }) => name);
  return replace.flatMap((name) => {
    if (!names.includes(name)) {
      const near = (0, import_nearest_name.nearestName)(name, names);
      return hostsFinding(
        "error",
        `${name}, which is to be replaced, is not a node of this cluster`,
        near === void 0 ? `Name one of its nodes: ${names.join(", ")}.` : `Write ${near}, if that is meant.`
      );
    }
    return hosts.get(name)?.kind === "seen" ? [] : hostsFinding(
      "error",
      `${name}, which is to be replaced, is not reached`,
      "Bring its host back, or another one under its name and address."
    );
  });
}
var import_change4, import_guard_control_planes, import_nearest_name, import_applied_spec, import_pending_restore;
var init_guard_hosts = __esm({
  "src/planner/kubeadm/guard-hosts.ts"() {
    "use strict";
    import_change4 = __toESM(require_change(), 1);
    import_guard_control_planes = __toESM(require_guard_control_planes(), 1);
    import_nearest_name = __toESM(require_nearest_name(), 1);
    import_applied_spec = __toESM(require_applied_spec(), 1);
    import_pending_restore = __toESM(require_pending_restore(), 1);
    init_cluster_findings();
    init_found_in_view();
    init_guard_authority();
    init_guard_beginning();
    init_guard_fixed_configuration();
    init_guard_quorum();
    init_hosts_finding();
    init_look_findings();
  }
});

// src/planner/kubeadm/plan-apply.ts
function planApply(view, options) {
  const { stage, now } = options;
  const parts = compareHosts(view, options);
  const inStage = (change) => stage === void 0 || (0, import_apply_stages.isOfStage)(change, stage);
  const changes = parts.changes.filter(inStage);
  const versions = checkHostVersions(view, parts.versions);
  return (0, import_plan2.makePlan)({
    clusterName: view.spec.clusterName,
    verb: "apply",
    changes,
    waiting: parts.versions.filter(inStage),
    desired: parts.desired,
    live: parts.live,
    uid: view.generation?.inventory.uid,
    findings: [
      ...versions.downgrades,
      ...stage === void 0 ? versions.jumps.map(asWarning) : [],
      ...(0, import_compare_addons2.reportAddonDrifts)(view),
      ...(0, import_handed_out2.reportHandedOut)(view.generation, now),
      ...(0, import_network_change.warnNetworkChange)(view, parts.changes),
      ...guardHosts(view, changes, options),
      ...(0, import_apply_stages.checkStage)(changes, parts.changes),
      ...stage === void 0 ? [] : (0, import_apply_stages.checkStagedControlPlanes)(changes)
    ],
    notes: (0, import_compare_addons2.addonNotes)(view)
  });
}
function asWarning(finding) {
  return { ...finding, severity: "warning" };
}
var import_plan2, import_apply_stages, import_compare_addons2, import_handed_out2, import_network_change;
var init_plan_apply = __esm({
  "src/planner/kubeadm/plan-apply.ts"() {
    "use strict";
    import_plan2 = __toESM(require_plan(), 1);
    import_apply_stages = __toESM(require_apply_stages(), 1);
    import_compare_addons2 = __toESM(require_compare_addons(), 1);
    import_handed_out2 = __toESM(require_handed_out(), 1);
    import_network_change = __toESM(require_network_change(), 1);
    init_check_host_versions();
    init_compare_hosts();
    init_guard_hosts();
  }
});

// src/engine/kubeadm/verify-hosts.ts
async function verifyHosts(context, session, view) {
  var _stack = [];
  try {
    const left = planApply(view, { now: context.calendar.now() }).changes;
    if (left.length > 0) {
      const changed = left.map(({ action, key: key2 }) => `${action} ${key2}`).join(", ");
      throw new import_cluster_error29.ClusterError(
        "plan-moved",
        `somebody changed the cluster while this ran: ${changed}`,
        {
          operation: "verify the cluster",
          target: view.spec.clusterName,
          hint: "Look at a new plan (`hcloud-talos plan`), then apply again. Where nobody changed anything, please report it."
        }
      );
    }
    const { clock: clock2, signal, progress } = context;
    const reached = foundIn(view).hosts;
    const known = knownHosts(view.spec, view.generation?.inventory);
    const controlPlanes = known.filter(
      ({ name, role }) => role === "control-plane" && reached.has(name)
    );
    const away2 = new Set(known.flatMap(({ name }) => reached.has(name) ? [] : [name]));
    const reach2 = __using(_stack, new HostsReach(context));
    reach2.use(controlPlanes.map((host) => reachedBy(session, host)));
    await (0, import_run_phase7.runPhase)(
      progress,
      "Check that the cluster is healthy",
      async (phase) => {
        for (const { name } of controlPlanes) {
          await waitForControlPlane(name, { context, reach: reach2, progress: phase, away: away2 });
        }
        const onPending = (reason) => phase.step(reason);
        const wait = { clock: clock2, signal, withinMs: withinMs4, onPending };
        const kubernetes = await reach2.kubernetes(withinMs4, onPending);
        const nodes2 = view.spec.hosts.filter(({ name }) => reached.has(name));
        const isReady = await (0, import_wait_for_nodes2.waitForNodes)({
          spec: view.spec,
          kubernetes,
          nodes: nodes2.map(({ name }) => ({ name })),
          kept: keptCordons(view),
          wait,
          progress: phase
        });
        if (!isReady) return "nodes are Ready once you bring a network";
        const etcd = away2.size === 0 ? "etcd is healthy" : `not reached: ${[...away2].join(", ")}`;
        return `${nodes2.length} nodes are Ready, ${etcd}, nothing is left to do`;
      },
      (result) => result
    );
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    __callDispose(_stack, _error, _hasError);
  }
}
var import_cluster_error29, import_run_phase7, import_wait_for_nodes2, withinMs4;
var init_verify_hosts = __esm({
  "src/engine/kubeadm/verify-hosts.ts"() {
    "use strict";
    import_cluster_error29 = __toESM(require_cluster_error(), 1);
    init_found_in_view();
    init_kept_cordons();
    init_plan_apply();
    init_hosts_reach();
    init_known_hosts();
    init_observe_hosts();
    import_run_phase7 = __toESM(require_run_phase(), 1);
    import_wait_for_nodes2 = __toESM(require_wait_for_nodes(), 1);
    init_wait_for_control_plane();
    withinMs4 = 10 * 6e4;
  }
});

// src/planner/kubeadm/plan-upgrade.ts
function planUpgrade(view, options) {
  const { changes: others, versions, desired, live } = compareHosts(view);
  const { downgrades, jumps } = checkHostVersions(view, versions);
  return (0, import_plan3.makePlan)({
    clusterName: view.spec.clusterName,
    verb: "upgrade",
    changes: versions,
    waiting: others,
    desired,
    live,
    uid: view.generation?.inventory.uid,
    findings: [
      ...downgrades,
      ...jumps,
      ...requireApplied(versions, others),
      ...requireReached(view, versions),
      ...guardHosts(view, versions, options)
    ]
  });
}
function requireReached(view, versions) {
  if (versions.length === 0) return [];
  return view.spec.hosts.filter(({ name }) => view.hosts.get(name)?.kind !== "seen").map(
    ({ name }) => hostsFinding(
      "error",
      `${name} is not reached: no node is upgraded while one is away`,
      "Bring it back; where it is gone for good, remove it from hosts and apply. Then upgrade."
    )
  );
}
function requireApplied(versions, others) {
  if (versions.length === 0) return [];
  const waiting = others.filter((change) => {
    const kind = (change.after ?? change.before)?.kind;
    const isNodes = (0, import_change5.changedPart)(change) === "node" || (0, import_change5.changedPart)(change) === "etcd";
    return isNodes || kind === "addon" || kind === "kubernetes";
  });
  const [first] = waiting;
  if (first === void 0) return [];
  const more = waiting.length > 1 ? ` and ${waiting.length - 1} more` : "";
  return [
    {
      severity: "error",
      path: ["kubernetes", "version"],
      message: `the rest of the file must be applied before versions are upgraded: ${first.key}${more}`,
      hint: "Apply first, then upgrade."
    }
  ];
}
var import_change5, import_plan3;
var init_plan_upgrade = __esm({
  "src/planner/kubeadm/plan-upgrade.ts"() {
    "use strict";
    import_change5 = __toESM(require_change(), 1);
    import_plan3 = __toESM(require_plan(), 1);
    init_check_host_versions();
    init_compare_hosts();
    init_guard_hosts();
    init_hosts_finding();
  }
});

// src/commands/modes/kubeadm/hosts-life.ts
var import_support_windows2, hostsLife;
var init_hosts_life = __esm({
  "src/commands/modes/kubeadm/hosts-life.ts"() {
    "use strict";
    init_carry_out_hosts();
    init_upgrade_hosts();
    init_verify_hosts();
    init_guard_beginning();
    init_plan_apply();
    init_plan_upgrade();
    init_record_hosts();
    import_support_windows2 = __toESM(require_support_windows(), 1);
    hostsLife = {
      planApply,
      planUpgrade,
      guardBeginning,
      fileFindings: ({ spec }, now) => (0, import_support_windows2.supportFindings)(spec, now),
      firstInventory,
      carryOut: (changes, work) => carryOutOnHosts(changes, work),
      carryOutUpgrade: (changes, work) => upgradeHosts(changes, work),
      verify: verifyHosts,
      recordAll: recordHosts
    };
  }
});

// part:src/run/drifted-addons.ts
var require_drifted_addons = __commonJS({
  "part:src/run/drifted-addons.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/drifted-addons.ts"]();
  }
});

// part:src/plan/verdict.ts
var require_verdict = __commonJS({
  "part:src/plan/verdict.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/plan/verdict.ts"]();
  }
});

// part:src/run/inspect-addons.ts
var require_inspect_addons = __commonJS({
  "part:src/run/inspect-addons.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/inspect-addons.ts"]();
  }
});

// part:src/run/leave-addons.ts
var require_leave_addons = __commonJS({
  "part:src/run/leave-addons.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/leave-addons.ts"]();
  }
});

// src/run/kubeadm/ask-host-addons.ts
async function askHostAddons(context, session, view, { stage }) {
  var _stack = [];
  try {
    const isConcerned = stage === void 0 || stage === "addons";
    if (!isConcerned || !view.cluster || (0, import_inspect_addons.settledAddons)(view, addonsOfHosts).size === 0) return view;
    const reach2 = __using(_stack, reachInView(session, view));
    const addons = await (0, import_inspect_addons.inspectAddons)(context, view, {
      addonsOf: addonsOfHosts,
      kubernetesOnce: async (signal) => reach2.kubernetesOnce(signal),
      namedSecrets: () => (0, import_named_secrets4.readKept)(session.store)
    });
    return { ...view, addons };
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    __callDispose(_stack, _error, _hasError);
  }
}
function leaveUnapprovedAddons({ progress }, view, { plan, approved }) {
  const verdict = approved && (0, import_verdict.judgePlan)(plan, approved);
  if (verdict?.verdict !== "moved" || !view.addons) return view;
  return { ...view, addons: (0, import_leave_addons.leaveAddons)(progress, view.addons, new Set(verdict.unapproved)) };
}
var import_verdict, import_inspect_addons, import_leave_addons, import_named_secrets4;
var init_ask_host_addons = __esm({
  "src/run/kubeadm/ask-host-addons.ts"() {
    "use strict";
    import_verdict = __toESM(require_verdict(), 1);
    init_addons_of_hosts();
    import_inspect_addons = __toESM(require_inspect_addons(), 1);
    import_leave_addons = __toESM(require_leave_addons(), 1);
    import_named_secrets4 = __toESM(require_named_secrets(), 1);
    init_reach_in_view();
  }
});

// src/commands/modes/kubeadm/hosts-nodes.ts
var import_drifted_addons, hostsNodes;
var init_hosts_nodes = __esm({
  "src/commands/modes/kubeadm/hosts-nodes.ts"() {
    "use strict";
    import_drifted_addons = __toESM(require_drifted_addons(), 1);
    init_ask_host_addons();
    hostsNodes = {
      inspect: askHostAddons,
      access: (context, session) => ({
        async open() {
        },
        inspect: (view, asking) => askHostAddons(context, session, view, asking),
        async [Symbol.asyncDispose]() {
        }
      }),
      async closeLeftOpen() {
      },
      async closeOwn() {
      },
      keepInspected: (view, { addons }) => ({ ...view, addons }),
      leaveUnapproved: leaveUnapprovedAddons,
      driftedNames: ({ addons }) => (0, import_drifted_addons.driftedAddons)(addons),
      checkPlan: async (_context, _session, plan) => plan
    };
  }
});

// src/run/kubeadm/ask-marks.ts
async function askMarks(hosts, known) {
  const marks = /* @__PURE__ */ new Map();
  const silent = /* @__PURE__ */ new Map();
  await Promise.all(
    known.map(async (host) => {
      try {
        const text = await readFile2(await hosts.to(host), markFile, { mostBytes, withinMs: askMs6 });
        marks.set(host.name, text && readMark(text.toString("utf8")));
      } catch (error) {
        if (!(error instanceof import_cluster_error30.ClusterError) || error.code === "interrupted") throw error;
        silent.set(host.name, error);
      }
    })
  );
  return { marks, silent };
}
function lacksKeys({ marks, silent }) {
  const isKeyless = [...silent.values()].every(({ code }) => code === "ssh-key-unreadable");
  return marks.size === 0 && isKeyless;
}
var import_cluster_error30, askMs6, mostBytes;
var init_ask_marks = __esm({
  "src/run/kubeadm/ask-marks.ts"() {
    "use strict";
    init_kubeadm_paths();
    init_read_mark();
    import_cluster_error30 = __toESM(require_cluster_error(), 1);
    init_read_file();
    askMs6 = 3e4;
    mostBytes = 64 * 1024;
  }
});

// src/run/kubeadm/cluster-marks.ts
function anchorInMarks({
  hosts,
  generation
}) {
  const uid = generation?.inventory.uid;
  const marks = [...hosts.values()].flatMap(
    (look3) => look3.kind === "seen" && isMark(look3.host.mark, uid) ? [look3.host.mark] : []
  );
  return furthestMark(marks);
}
function furthestMark(marks) {
  return marks.reduce(
    (furthest, mark) => furthest && !(mark && isFurther(mark, furthest)) ? furthest : mark,
    void 0
  );
}
function isMark(mark, uid) {
  return mark !== void 0 && !mark.hasLeft && (uid === void 0 || mark.uid === uid);
}
function isFurther(one, other) {
  return one.keyEpoch > other.keyEpoch || one.generation > other.generation;
}
function markText({ uid, generation, keyEpoch, cluster }) {
  return `${JSON.stringify({ cluster, uid, generation, keyEpoch })}
`;
}
async function writeMarks(session, view, manifest) {
  const content = markText(manifest);
  const { inventory } = session.store.known ?? {};
  const members = new Set(
    (inventory?.nodes ?? []).flatMap(
      ({ name, host }) => host?.membership === "member" ? [name] : []
    )
  );
  const marked = knownHosts(session.spec, inventory).filter(
    ({ name }) => members.has(name) && view.hosts.get(name)?.kind === "seen"
  );
  const results = await Promise.allSettled(
    marked.map(async (host) => {
      const remote = await session.hosts.to(host);
      const look3 = view.hosts.get(host.name);
      const hasOne = look3?.kind === "seen" && look3.host.mark !== void 0;
      if (!hasOne) return writeHostFile(remote, markFile, content, 420);
      await writeFile(remote, { path: markFile, content, mode: 420, withinMs: writeMs });
    })
  );
  const failures = results.flatMap(
    (result) => result.status === "rejected" ? [result.reason] : []
  );
  const [first] = failures;
  if (failures.length < marked.length || first === void 0) return;
  throw first instanceof Error ? first : new import_cluster_error31.ClusterError("ssh-failed", String(first));
}
var import_cluster_error31, writeMs;
var init_cluster_marks = __esm({
  "src/run/kubeadm/cluster-marks.ts"() {
    "use strict";
    init_kubeadm_paths();
    import_cluster_error31 = __toESM(require_cluster_error(), 1);
    init_write_file();
    init_known_hosts();
    init_write_host_file();
    writeMs = 6e4;
  }
});

// src/run/kubeadm/ask-host-anchor.ts
async function askHostAnchor(context, cluster, { manifest, inventory }) {
  var _stack = [];
  try {
    const hosts = __using(_stack, reach(context, cluster.file.path), true);
    const asked = await askMarks(hosts, knownHosts(cluster.spec, inventory));
    if (lacksKeys(asked)) return { kind: "not asked" };
    const [failure] = asked.silent.values();
    if (asked.marks.size === 0 && failure) throw failure;
    const own = [...asked.marks.values()].filter((mark) => isMark(mark, manifest.uid));
    return { kind: "answered", anchor: furthestMark(own) };
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
async function refuseLostHosts(context, { file, spec }) {
  var _stack = [];
  try {
    const hosts = __using(_stack, reach(context, file.path), true);
    const { marks } = await askMarks(hosts, knownHosts(spec, void 0));
    const marked = [...marks].flatMap(
      ([name, mark]) => mark?.cluster === spec.clusterName && !mark.hasLeft ? [name] : []
    );
    refuseMarkedHosts(spec, marked);
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
async function anchorOnHosts(context, { manifest, inventory }) {
  var _stack = [];
  try {
    const hosts = __using(_stack, reach(context, "cluster.yaml"), true);
    const known = knownHosts({ hosts: [] }, inventory);
    const asked = await askMarks(hosts, known);
    if (lacksKeys(asked)) return;
    const [failure] = asked.silent.values();
    if (asked.marks.size === 0 && failure) throw failure;
    const behind = known.filter(({ name }) => {
      const mark = asked.marks.get(name);
      return isMark(mark, manifest.uid) && isFurther(manifest, mark);
    });
    await Promise.all(
      behind.map(async (host) => {
        const file = { path: markFile, content: markText(manifest), mode: 420, withinMs: writeMs2 };
        await writeFile(await hosts.to(host), file);
      })
    );
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    var _promise = __callDispose(_stack, _error, _hasError);
    _promise && await _promise;
  }
}
function reach(context, filePath) {
  const namedSecrets = async () => /* @__PURE__ */ new Map();
  return connectHosts(context, { filePath, namedSecrets, withinMs: connectMs2 });
}
var connectMs2, writeMs2;
var init_ask_host_anchor = __esm({
  "src/run/kubeadm/ask-host-anchor.ts"() {
    "use strict";
    init_kubeadm_paths();
    init_write_file();
    init_ask_marks();
    init_cluster_marks();
    init_connect_hosts();
    init_known_hosts();
    init_refuse_unknown_cluster();
    connectMs2 = 3e4;
    writeMs2 = 6e4;
  }
});

// src/run/kubeadm/missing-ssh-access.ts
function missingSshAccess({ state: { environment } }, { hosts }) {
  const keys = hosts.flatMap(({ login: login2 }) => [login2.key, ...login2.jump ? [login2.jump.key] : []]);
  const variables = new Set(keys.flatMap(variableOf));
  const missing2 = [...variables].filter((name) => !environment[name]);
  return missing2.length === 0 ? void 0 : { what: `no SSH key (${missing2.join(", ")})`, isOptional: true };
}
function variableOf(key2) {
  if (key2.from === "environment") return [key2.variable];
  return key2.from === "agent" ? ["SSH_AUTH_SOCK"] : [];
}
var init_missing_ssh_access = __esm({
  "src/run/kubeadm/missing-ssh-access.ts"() {
    "use strict";
  }
});

// src/engine/kubeadm/remove-host.ts
async function removeHost({ before }, { hosts, view, recorder }, step2) {
  const name = before?.name ?? "";
  const leftAs = waysToLeave.find((way) => way === before?.spec["onRemove"]) ?? "keep";
  step2(leftAs === "keep" ? "stopping its node" : "resetting it");
  const { uid } = recorder.inventory;
  const minutes = view.spec.kubeadm.timeoutMinutes.reset;
  await leaveHost(await hosts.remote(name), { uid, leftAs, minutes });
  (0, import_forget_node3.forgetNode)(recorder, name);
  await recorder.flush();
}
var import_forget_node3, waysToLeave;
var init_remove_host = __esm({
  "src/engine/kubeadm/remove-host.ts"() {
    "use strict";
    import_forget_node3 = __toESM(require_forget_node(), 1);
    init_leave_host();
    waysToLeave = ["keep", "reset", "purge"];
  }
});

// src/planner/kubeadm/plan-removal.ts
function planRemoval(view) {
  const inventory = view.generation?.inventory;
  const nodes2 = (inventory?.nodes ?? []).toSorted((a, b) => byName(a.name, b.name));
  const judged2 = nodes2.map((node) => ({ node, finding: whyLeftAlone(view, node) }));
  const going = judged2.flatMap(({ node, finding }) => finding === void 0 ? [node] : []);
  const live = going.map((node) => toRecord4(node, wayOut(view, node)));
  const workers = live.filter(({ spec }) => spec["role"] === "worker");
  const controlPlanes = live.filter(({ spec }) => spec["role"] !== "worker").toReversed();
  const changes = [
    ...workers.map((record) => toDelete(record, [])),
    ...controlPlanes.map(
      (record, index) => toDelete(record, [...workers, ...controlPlanes.slice(0, index)].map(import_record3.recordKey))
    )
  ];
  return (0, import_plan4.makePlan)({
    clusterName: view.spec.clusterName,
    verb: "destroy",
    changes,
    desired: [],
    live,
    findings: judged2.flatMap(({ finding }) => finding ?? []),
    uid: inventory?.uid
  });
}
function wayOut({ spec }, { name, host }) {
  const inFile = spec.hosts.find((one) => one.name === name);
  return inFile?.onRemove ?? host?.onRemove ?? "keep";
}
function whyLeftAlone(view, { name, host }) {
  const look3 = view.hosts.get(name);
  if (look3?.kind !== "seen") {
    const because = look3?.because ?? "nobody looked";
    return hostsFinding(
      "warning",
      `${name} is not reached (${because}): nothing is undone on it, and it keeps the keys of the cluster`,
      "Bring it back and run destroy again, or erase it by hand."
    );
  }
  const found = foundIn(view).hosts.get(name);
  if (host?.machineId !== void 0 && found?.machineId !== host.machineId) {
    return hostsFinding(
      "warning",
      `${name} is another machine than the one that the state knows: nothing is changed on it`,
      "Leave it as it is."
    );
  }
  const authority2 = view.generation?.inventory.authority;
  const caHash = found?.traces.caHash;
  if (caHash === void 0 || authority2 === void 0 || caHash === authority2) return void 0;
  return hostsFinding(
    "warning",
    `${name} is of another cluster by now (authority ${caHash}): nothing is changed on it`,
    "Leave it as it is."
  );
}
function toRecord4({ name, role }, onRemove) {
  return { kind: "host", name, spec: { role, onRemove }, needs: [] };
}
function toDelete(before, follows) {
  const way = before.spec["onRemove"];
  const meaning = way === "purge" || way === "reset" ? meanings[way] : meanings.keep;
  return {
    key: (0, import_record3.recordKey)(before),
    action: "delete",
    before,
    after: void 0,
    fields: [],
    ...meaning,
    needs: [],
    follows
  };
}
var import_plan4, import_record3, meanings;
var init_plan_removal = __esm({
  "src/planner/kubeadm/plan-removal.ts"() {
    "use strict";
    import_plan4 = __toESM(require_plan(), 1);
    import_record3 = __toESM(require_record(), 1);
    init_found_in_view();
    init_hosts_finding();
    meanings = {
      keep: { risk: "drain", reason: "its node is stopped, and the host is left as it is" },
      reset: { risk: "data-loss", reason: "what kubeadm did on it is undone, with the data of etcd" },
      purge: {
        risk: "data-loss",
        reason: "it is reset, and packages of Kubernetes and containerd are removed with their data"
      }
    };
  }
});

// src/commands/modes/kubeadm/hosts-removal.ts
async function hostsRemoval(_context, session, view) {
  const plan = planRemoval(view);
  const recorder = new import_state_recorder2.StateRecorder(session.store, view.generation.inventory);
  const hosts = new ClusterHosts({ session, view, recorder });
  return {
    plan,
    kept: [],
    title: "Reset hosts",
    kinds: ["host"],
    hint: "Look at the hosts that are named, then run destroy again.",
    async requireRights() {
    },
    async release() {
    },
    remove: (change, step2) => removeHost(change, { hosts, view, recorder }, step2),
    async left() {
      const after = await observeHosts(session);
      const { generation } = after;
      return generation ? planRemoval(after).changes : [];
    }
  };
}
var import_state_recorder2;
var init_hosts_removal = __esm({
  "src/commands/modes/kubeadm/hosts-removal.ts"() {
    "use strict";
    init_cluster_hosts();
    init_remove_host();
    init_plan_removal();
    init_observe_hosts();
    import_state_recorder2 = __toESM(require_state_recorder(), 1);
  }
});

// src/commands/modes/kubeadm/hosts-provider.ts
var hostsProvider;
var init_hosts_provider = __esm({
  "src/commands/modes/kubeadm/hosts-provider.ts"() {
    "use strict";
    init_compare_hosts();
    init_ask_host_anchor();
    init_cluster_marks();
    init_known_hosts();
    init_missing_ssh_access();
    init_observe_hosts();
    init_refuse_unknown_cluster();
    init_hosts_removal();
    hostsProvider = {
      // One name for many: what people read has it as one that remembers.
      name: "the group of hosts",
      // Whoever has the file has what it names to log in with, or is told at the first host.
      unasked: { message: "no host can be asked", fix: "give the SSH key that the cluster file names" },
      canAsk: () => true,
      missingAccess: missingSshAccess,
      observe: observeHosts,
      recordsOf: (view) => compareHosts(view).live,
      recordLent: (inventory) => inventory,
      requestsOf: ({ hosts }) => hosts.requests,
      async requireWrite() {
      },
      // The clocks of hosts are compared in the plan, each with ours.
      requireClock() {
      },
      async requireRights() {
      },
      async anchor(session, view) {
        const { manifest } = session.store.known ?? {};
        if (manifest) await writeMarks(session, view, manifest);
      },
      anchorGeneration: anchorOnHosts,
      anchorOf: anchorInMarks,
      askAnchor: askHostAnchor,
      refuseLost: refuseLostHosts,
      async findStateOf(session, base) {
        const hosts = await lookAtHosts(
          session,
          knownHosts(session.spec, base.inventory),
          base.inventory
        );
        const view = { hosts, generation: base };
        return {
          anchor: anchorInMarks(view),
          isThere: [...hosts.values()].some(
            (look3) => look3.kind === "seen" && look3.host.mark?.uid === base.manifest.uid && !look3.host.mark.hasLeft
          ),
          refuseOther: () => refuseOtherHosts(base, hosts),
          remember: (manifest) => writeMarks(session, view, manifest)
        };
      },
      async removeRemains() {
      },
      findRemoval: hostsRemoval
    };
  }
});

// part:src/engine/carry-secrets.ts
var require_carry_secrets = __commonJS({
  "part:src/engine/carry-secrets.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/carry-secrets.ts"]();
  }
});

// part:src/engine/find-addons.ts
var require_find_addons = __commonJS({
  "part:src/engine/find-addons.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/engine/find-addons.ts"]();
  }
});

// part:src/run/recovery-impossible.ts
var require_recovery_impossible = __commonJS({
  "part:src/run/recovery-impossible.ts"(exports2, module2) {
    module2.exports = require("./hcloud-talos.cjs").modules["src/run/recovery-impossible.ts"]();
  }
});

// src/run/kubeadm/find-lost-hosts.ts
async function findLostHosts(session) {
  const { spec } = session;
  const { clusterName } = spec;
  const known = knownHosts(spec, void 0);
  const looks = await lookAtHosts(session, known, void 0);
  requireReached2(looks);
  const uid = uidIn(spec, looks);
  requireOneAuthority(looks);
  const empty = { clusterName, uid, nodes: [], addons: {}, bootstrapped: true };
  const { cluster, unasked } = await seeCluster(session, { known, looks, inventory: empty });
  if (cluster?.configuration === void 0) {
    throw (0, import_recovery_impossible.recoveryImpossible)(
      `the cluster of these hosts cannot be asked: ${unasked ?? "kubeadm has not ended making it"}`,
      "Bring its control planes back, so that etcd and the API answer, and run again."
    );
  }
  const view = {
    spec,
    generation: void 0,
    hosts: looks,
    cluster,
    nodes: hostNodes(spec, void 0)
  };
  requireNamed(view);
  return { uid, view, inventory: withRunningRoles(recordHosts(empty, view), view) };
}
function requireReached2(looks) {
  const away2 = [...looks.values()].flatMap(
    (look3) => look3.kind === "unreached" ? [`${look3.name} (${look3.because})`] : []
  );
  if (away2.length === 0) return;
  throw (0, import_recovery_impossible.recoveryImpossible)(
    `hosts of the file are not reached: ${away2.join(", ")}`,
    "Bring them back; take one that is gone for good out of hosts."
  );
}
function uidIn({ clusterName }, looks) {
  const marks = [...looks.values()].flatMap(
    (look3) => look3.kind === "seen" && isMark(look3.host.mark, void 0) ? [{ name: look3.host.name, mark: look3.host.mark }] : []
  );
  const [first] = marks;
  if (first === void 0) {
    throw (0, import_recovery_impossible.recoveryImpossible)(
      `no host of the file is marked as one of a cluster: there is nothing to recover`,
      "Check hosts in the cluster file; to take over a cluster that was made by other means, run `hcloud-talos adopt`."
    );
  }
  const isSame = marks.every(({ mark }) => mark.uid === first.mark.uid);
  if (isSame && first.mark.cluster === clusterName) return first.mark.uid;
  const reports = marks.toSorted((a, b) => byName(a.name, b.name)).map(({ name, mark }) => `${name} is of ${mark.cluster} (uid ${mark.uid})`);
  throw (0, import_recovery_impossible.recoveryImpossible)(
    `the hosts are not all of one cluster ${clusterName}: ${reports.join(", ")}`,
    "Take the hosts of others out of hosts, or write the name of their cluster as clusterName."
  );
}
function requireOneAuthority(looks) {
  const reports = [...looks.values()].flatMap(
    (look3) => look3.kind === "seen" && isMark(look3.host.mark, void 0) && look3.host.traces.caHash !== void 0 ? [{ name: look3.host.name, hash: look3.host.traces.caHash }] : []
  );
  if (new Set(reports.map(({ hash }) => hash)).size <= 1) return;
  throw (0, import_recovery_impossible.recoveryImpossible)(
    `the hosts have more than one authority: ${reports.map(({ name, hash }) => `${name} has ${hash}`).join(", ")}`,
    "Take the hosts of the other cluster out of hosts, and run again."
  );
}
function requireNamed({ spec, cluster }) {
  const named = new Set(spec.hosts.map(({ name }) => name));
  const unnamed = (cluster?.nodes ?? []).filter(({ name, isReady }) => isReady && !named.has(name)).map(({ name }) => name);
  if (unnamed.length === 0) return;
  throw (0, import_recovery_impossible.recoveryImpossible)(
    `the cluster has nodes that are not in hosts: ${unnamed.join(", ")}`,
    "Add their hosts to the file, under these names."
  );
}
function withRunningRoles(inventory, view) {
  const found = foundIn(view);
  const nodes2 = inventory.nodes.map((node) => {
    const seen = seenNode(found, node.name);
    if (seen === void 0 || seen.isControlPlane === (node.role === "control-plane")) return node;
    const role = seen.isControlPlane ? "control-plane" : "worker";
    return { ...node, role, pool: role };
  });
  return { ...inventory, nodes: nodes2 };
}
var import_recovery_impossible;
var init_find_lost_hosts = __esm({
  "src/run/kubeadm/find-lost-hosts.ts"() {
    "use strict";
    init_found_cluster();
    init_found_in_view();
    init_host_nodes();
    init_record_hosts();
    import_recovery_impossible = __toESM(require_recovery_impossible(), 1);
    init_cluster_marks();
    init_known_hosts();
    init_observe_hosts();
  }
});

// src/commands/modes/kubeadm/hosts-recovery.ts
async function readState(context, session, { lost, former }) {
  var _stack = [];
  try {
    const carried = await (0, import_carry_secrets.readCarried)(context, session, former);
    const spec = (0, import_secret_references2.withSecretVersions)(session.spec, carried.versions);
    const reach2 = __using(_stack, reachInView(session, lost.view));
    const addons = await (0, import_run_phase8.runPhase)(
      context.progress,
      "Look for addons",
      async (phase) => {
        const kubernetes = await reach2.kubernetes(answerWithinMs4, (reason) => phase.step(reason));
        return (0, import_find_addons.findAddons)(context, { spec, uid: lost.uid, addonsOf: addonsOfHosts, kubernetes });
      },
      (found) => Object.keys(found).join(", ") || "none"
    );
    return (0, import_carry_secrets.carrySecrets)(context, { ...lost.inventory, addons }, carried);
  } catch (_) {
    var _error = _, _hasError = true;
  } finally {
    __callDispose(_stack, _error, _hasError);
  }
}
var import_carry_secrets, import_find_addons, import_run_phase8, import_secret_references2, answerWithinMs4, hostsRecovery;
var init_hosts_recovery = __esm({
  "src/commands/modes/kubeadm/hosts-recovery.ts"() {
    "use strict";
    import_carry_secrets = __toESM(require_carry_secrets(), 1);
    import_find_addons = __toESM(require_find_addons(), 1);
    init_addons_of_hosts();
    init_find_lost_hosts();
    init_reach_in_view();
    import_run_phase8 = __toESM(require_run_phase(), 1);
    import_secret_references2 = __toESM(require_secret_references(), 1);
    answerWithinMs4 = 2 * 6e4;
    hostsRecovery = {
      requireWayIn() {
      },
      find: findLostHosts,
      read: readState
    };
  }
});

// src/commands/modes/kubeadm/hosts-mode.ts
var hosts_mode_exports = {};
__export(hosts_mode_exports, {
  hostsMode: () => hostsMode
});
var import_read_hosts_file2, hostsMode;
var init_hosts_mode = __esm({
  "src/commands/modes/kubeadm/hosts-mode.ts"() {
    "use strict";
    init_describe_cluster();
    init_hosts_session();
    import_read_hosts_file2 = __toESM(require_read_hosts_file(), 1);
    init_hosts_addons();
    init_hosts_adoption();
    init_hosts_backup();
    init_hosts_credentials();
    init_hosts_health();
    init_hosts_keys();
    init_hosts_life();
    init_hosts_nodes();
    init_hosts_provider();
    init_hosts_recovery();
    hostsMode = {
      read: import_read_hosts_file2.readHostsFile,
      open: openHostsSession,
      machines: hostsProvider,
      nodes: hostsNodes,
      life: hostsLife,
      description: { endpoint: describeEndpoint, nodes: describeNodes },
      keys: hostsKeys,
      health: hostsHealth,
      backup: hostsBackup,
      recovery: hostsRecovery,
      adoption: hostsAdoption,
      addons: hostsAddons,
      credentials: hostsCredentials
    };
  }
});

// entry.ts
var entry_exports = {};
__export(entry_exports, {
  modules: () => modules2
});
module.exports = __toCommonJS(entry_exports);
var modules2 = {
  "src/commands/modes/kubeadm/hosts-mode.ts": () => (init_hosts_mode(), __toCommonJS(hosts_mode_exports))
};
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  modules
});
