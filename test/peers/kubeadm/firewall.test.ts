import { userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { forgetSourceScript } from '../../../src/kubeadm/acts/act-scripts.ts'
import { osReady } from '../../../src/kubeadm/host/os-ready.ts'
import { madeUpUfw } from '../../sandbox/hosts/made-up-ufw.ts'
import { makeHost, notPassed } from './made-up-host.ts'

const pods = '10.244.0.0/16'
const step = (...nodes: string[]) => osReady({ podRange: pods, nodes })

/** What runs, and what is there after a reboot, are two. */
const firewallCmd = `#!/bin/bash
sources=/mnt/state/firewalld-running
for argument; do
  case $argument in
    --state) exit 0 ;;
    --permanent) sources=/mnt/state/firewalld-permanent ;;
    --*-source=*) act=\${argument%%=*} source=\${argument#*=} ;;
  esac
done
touch "$sources"
case $act in
  --query-source) grep -Fxq -- "$source" "$sources" ;;
  --add-source) echo "$source" >>"$sources" ;;
  --remove-source) sed -i "\\\\|^$source\\$|d" "$sources" ;;
esac
`

async function makeHostWith(name: string, program: string) {
  const host = await makeHost()
  expect((await host.apply(step('192.0.2.12'))).code).toBe(0)
  await host.put(`bin/${name}`, program)
  await host.chmod(`bin/${name}`)
  return host
}

describe.skipIf(userInfo().uid !== 0)('the firewall of a host', () => {
  test('that is ufw lets nodes and pods in, and pods through', async () => {
    const host = await makeHostWith('ufw', madeUpUfw)
    expect(notPassed(await host.probe(step('192.0.2.12')))).toEqual({
      firewall: `failed: ufw does not let in: ${pods} 192.0.2.12`,
    })
    expect((await host.apply(step('192.0.2.12'))).code).toBe(0)
    expect(notPassed(await host.probe(step('192.0.2.12')))).toEqual({})
    expect(await host.read('state/ufw-rules')).toBe(
      [
        `allow from ${pods} comment 'hcloud-talos'`,
        `route allow from ${pods} comment 'hcloud-talos'`,
        `route allow to ${pods} comment 'hcloud-talos'`,
        `allow from 192.0.2.12 comment 'hcloud-talos'`,
        '',
      ].join('\n'),
    )
  })

  test('that is firewalld lets them in now and after a reboot', async () => {
    const host = await makeHostWith('firewall-cmd', firewallCmd)
    expect((await host.apply(step('192.0.2.12'))).code).toBe(0)
    const sources = `${pods}\n192.0.2.12\n`
    expect(await host.read('state/firewalld-running')).toBe(sources)
    expect(await host.read('state/firewalld-permanent')).toBe(sources)
    await host.put('state/firewalld-permanent', '')
    expect(notPassed(await host.probe(step('192.0.2.12')))).toMatchObject({
      firewall: expect.stringContaining('firewalld does not let in'),
    })
  })

  test('closes to a node that has left, unless somebody else had let it in', async () => {
    const host = await makeHostWith('ufw', madeUpUfw)
    await host.put('state/ufw-rules', 'allow from 192.0.2.13\n')
    const nodes = step('192.0.2.12', '192.0.2.13')
    expect((await host.apply(nodes)).code).toBe(0)
    for (const gone of ['192.0.2.12', '192.0.2.13']) {
      expect((await host.run(forgetSourceScript, [gone])).code).toBe(0)
    }
    expect(await host.read('state/ufw-rules')).not.toContain('192.0.2.12')
    expect(await host.read('state/ufw-rules')).toContain('allow from 192.0.2.13\n')
    expect(notPassed(await host.probe(step()))).toEqual({})
  })

  test('is left alone where none is active', async () => {
    const host = await makeHostWith(
      'ufw',
      '#!/bin/bash\n[ "$1" = status ] && echo "Status: inactive"\n',
    )
    const seen = (await host.probe(step('192.0.2.12'))).get('firewall')
    expect(seen).toMatchObject({ state: 'passed', seen: 'neither ufw nor firewalld is active' })
  })
})
