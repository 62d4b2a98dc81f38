package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// capSysResource is the number of CAP_SYS_RESOURCE in the kernel's bit sets.
const capSysResource = 24

// host is what the node stands on.
type host struct {
	// limits tells whether root may raise limits and lower OOM scores.
	limits bool
	// unified tells whether cgroups are of version 2.
	unified bool
	// limitless tells whether these have no controllers: those are with version 1 then, on the machine below the host.
	limitless bool
}

func readHost() (host, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return host{}, err
	}
	effective, err := effectiveCapabilities(string(status))
	if err != nil {
		return host{}, err
	}
	_, err = os.Stat("/sys/fs/cgroup/cgroup.controllers")
	found := host{limits: effective&(1<<capSysResource) != 0, unified: err == nil}
	if found.unified {
		found.limitless, err = lacksControllers()
		return found, err
	}
	return found, nil
}

// lacksControllers looks at our own cgroup: what the first of all shows may be laid over it.
func lacksControllers() (bool, error) {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return false, err
	}
	for line := range strings.Lines(string(groups)) {
		if own, found := strings.CutPrefix(line, "0::"); found {
			own = filepath.Join("/sys/fs/cgroup", strings.TrimSpace(own), "cgroup.controllers")
			controllers, err := os.ReadFile(own)
			return !slices.Contains(strings.Fields(string(controllers)), "memory"), err
		}
	}
	return false, errors.New("/proc/self/cgroup names no cgroup of version 2")
}

func effectiveCapabilities(status string) (uint64, error) {
	for line := range strings.Lines(status) {
		if set, found := strings.CutPrefix(line, "CapEff:"); found {
			return strconv.ParseUint(strings.TrimSpace(set), 16, 64)
		}
	}
	return 0, errors.New("/proc/self/status names no effective capabilities")
}

// fit rewrites one description so that this host can run it. A file that is not there is left to runc to complain of.
func (h host) fit(file description) error {
	text, err := os.ReadFile(file.path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		return fmt.Errorf("%s: %w", file.path, err)
	}
	process := document
	if file.container {
		process, _ = document["process"].(map[string]any)
		h.fitMounts(document)
		h.fitResources(document)
		tellBoot(document, filepath.Dir(file.path))
	}
	h.fitProcess(process)
	if text, err = json.Marshal(document); err != nil {
		return err
	}
	return os.WriteFile(file.path, text, 0o600)
}

func (h host) fitProcess(process map[string]any) {
	if h.limits || process == nil {
		return
	}
	delete(process, "rlimits")
	if score, given := process["oomScoreAdj"].(float64); given && score < 0 {
		delete(process, "oomScoreAdj")
	}
	sets, _ := process["capabilities"].(map[string]any)
	for name, set := range sets {
		if list, given := set.([]any); given {
			sets[name] = slices.DeleteFunc(list, func(capability any) bool { return capability == "CAP_SYS_RESOURCE" })
		}
	}
}

// fitResources leaves limits away that nothing could keep: runc would fail to set them. A kubelet that sets none itself
// names no slice, and a path alone is none for systemd, which finds a place by itself.
func (h host) fitResources(container map[string]any) {
	linux, given := container["linux"].(map[string]any)
	if !given || !h.limitless {
		return
	}
	delete(linux, "resources")
	if path, _ := linux["cgroupsPath"].(string); !strings.Contains(path, ":") {
		delete(linux, "cgroupsPath")
	}
}

// fitMounts lets binds of /sys and its cgroups carry what is mounted below, and give nothing back to the node: each
// start of a kubelet would otherwise double the node's mounts.
func (h host) fitMounts(container map[string]any) {
	if h.unified {
		return
	}
	mounts, _ := container["mounts"].([]any)
	for _, each := range mounts {
		mount, _ := each.(map[string]any)
		options, _ := mount["options"].([]any)
		if mount["destination"] == "/sys/fs/cgroup" {
			if plain := slices.Index(options, any("bind")); plain >= 0 {
				options[plain] = "rbind"
			}
		} else if mount["destination"] != "/sys" {
			continue
		}
		if slices.Contains(options, any("bind")) || slices.Contains(options, any("rbind")) {
			mount["options"] = append(options, "rslave")
		}
	}
}
