import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type HetznerFront, startHetznerFront } from './hetzner-front.ts'
import { mustRun, runTool } from './run-tool.ts'
import { setupCli } from './setup-clients.ts'

describe("Debian's hcloud command line works against the API", () => {
  let hcloud: string
  beforeAll(async () => {
    hcloud = await setupCli()
  })

  const does = (front: HetznerFront, command: string) =>
    mustRun(hcloud, [...command.split(' '), '--poll-interval', '10ms'], { env: front.environment })
  const refuses = async (front: HetznerFront, command: string, code: string) => {
    const { code: exit, stderr } = await runTool(hcloud, command.split(' '), {
      env: front.environment,
    })
    expect(exit).not.toBe(0)
    expect(stderr).toContain(`(${code}`)
  }

  test('for servers in a network, behind a firewall, in a group', async () => {
    await using front = await startHetznerFront()
    await does(front, 'network create --name net --ip-range 10.0.0.0/16 --label cluster=demo')
    await does(
      front,
      'network add-subnet net --type cloud --network-zone eu-central --ip-range 10.0.1.0/24',
    )
    await does(front, 'firewall create --name fw')
    await does(
      front,
      'firewall add-rule fw --direction in --protocol tcp --port 22 --source-ips 0.0.0.0/0',
    )
    await does(front, 'placement-group create --name pg --type spread')
    const created = await does(
      front,
      'server create --name one --type cx23 --image debian-12 --location fsn1 --network net --firewall fw --placement-group pg --label role=web',
    )
    expect(created).toContain('IPv4: 127.')
    expect(await does(front, 'server list -l role=web -o columns=name,status -o noheader')).toMatch(
      /^one +running/,
    )
    await does(front, 'server poweroff one')
    await does(front, 'server create-image --type snapshot --description mine one')
    await does(front, 'server enable-rescue one')
    await does(front, 'server poweron one')
    await refuses(front, 'server change-type --keep-disk one cx33', 'server_not_stopped')
    await refuses(
      front,
      'server create --name one --type cx23 --image debian-12',
      'uniqueness_error',
    )
    await refuses(front, 'firewall delete fw', 'resource_in_use')
    await refuses(front, 'network create --name net --ip-range 10.0.0.0/16', 'uniqueness_error')
    await does(front, 'server enable-protection one delete rebuild')
    await refuses(front, 'server delete one', 'protected')
    await does(front, 'server disable-protection one delete rebuild')
    await does(front, 'server delete one')
    await does(front, 'firewall delete fw')
    await does(front, 'placement-group delete pg')
    await does(front, 'network delete net')
    expect(await does(front, 'server list -o noheader')).toBe('')
  })

  test('for load balancers', async () => {
    await using front = await startHetznerFront()
    await does(front, 'network create --name net --ip-range 10.0.0.0/16')
    await does(
      front,
      'network add-subnet net --type cloud --network-zone eu-central --ip-range 10.0.1.0/24',
    )
    await does(front, 'load-balancer create --name lb --type lb11 --location fsn1')
    await does(front, 'load-balancer attach-to-network lb --network net --ip 10.0.1.250')
    await does(front, 'load-balancer add-target lb --label-selector role=web --use-private-ip')
    await does(
      front,
      'load-balancer add-service lb --protocol tcp --listen-port 6443 --destination-port 6443',
    )
    await refuses(
      front,
      'load-balancer add-service lb --protocol tcp --listen-port 6443 --destination-port 6443',
      'source_port_already_used',
    )
    expect(await does(front, 'load-balancer describe lb')).toContain('10.0.1.250')
    await does(front, 'load-balancer remove-target lb --label-selector role=web')
    await does(front, 'load-balancer delete lb')
  })

  test('for volumes, addresses and keys', async () => {
    await using front = await startHetznerFront()
    const folder = await mkdtemp(join(tmpdir(), 'hcloud-cli-'))
    try {
      const key = join(folder, 'key.pub')
      await mustRun('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')])
      await does(front, `ssh-key create --name mine --public-key-from-file ${key}`)
      await refuses(
        front,
        `ssh-key create --name other --public-key-from-file ${key}`,
        'uniqueness_error',
      )
      await writeFile(key, 'no key')
      await refuses(
        front,
        `ssh-key create --name bad --public-key-from-file ${key}`,
        'invalid_input',
      )
      await does(front, 'ssh-key delete mine')
    } finally {
      await rm(folder, { recursive: true })
    }
    await does(front, 'volume create --name vol --size 10 --location fsn1')
    await does(front, 'volume resize vol --size 20')
    await does(front, 'volume delete vol')
    await does(front, 'floating-ip create --name fip --type ipv4 --home-location fsn1')
    await does(front, 'floating-ip delete fip')
    expect(await does(front, 'server-type list')).toContain('cx23')
    expect(await does(front, 'location list')).toContain('hel1')
    expect(await does(front, 'image list --type system')).toContain('debian-13')
  })

  test('and is refused with a token that is not known', async () => {
    await using front = await startHetznerFront()
    const { code, stderr } = await runTool(hcloud, ['server', 'list'], {
      env: { ...front.environment, HCLOUD_TOKEN: 'x'.repeat(64) },
    })
    expect(code).not.toBe(0)
    expect(stderr).toContain('the token you have provided is invalid (unauthorized')
  })
})
