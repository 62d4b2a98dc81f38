import { isIP } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import { ChannelCredentials, type ChannelOptions, Client, credentials } from '@grpc/grpc-js'
import { opensslKeyPem } from '../../lib/key-maker.ts'
import type { TalosCredentials } from '../config/talosconfig.ts'
import { OwnedCredentials } from './owned-credentials.ts'
import { PinnedCredentials } from './pinned-credentials.ts'

/** Talos's own limit for one message. */
const largestMessage = 32 * 1024 * 1024

const channelOptions: ChannelOptions = {
  'grpc.primary_user_agent': 'hcloud-talos',
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  // A node that reboots is away for a minute; waiting longer than it does would only cost time.
  'grpc.initial_reconnect_backoff_ms': 250,
  'grpc.max_reconnect_backoff_ms': 2_000,
  'grpc.max_receive_message_length': largestMessage,
  'grpc.max_send_message_length': largestMessage,
  // Our own retries know what may be repeated.
  'grpc.enable_retries': 0,
  // The firewall lets in the address of this machine, not that of a proxy.
  'grpc.enable_http_proxy': 0,
  // A connection dies with its client instead of being shared by address.
  'grpc.use_local_subchannel_pool': 1,
}

/** A client, and what ends it: its connections, made or being made. */
export interface OpenChannel {
  readonly client: Client
  close(): void
}

function open(host: string, port: number, inner: ChannelCredentials): OpenChannel {
  const owned = new OwnedCredentials(inner)
  const client = new Client(target(host, port), owned, optionsFor(host))
  return {
    client,
    close() {
      client.close()
      owned.close()
    },
  }
}

/**
 * A gRPC client over mutual TLS: the server must show a certificate of the cluster's CA for the very
 * address that was dialled.
 */
export function openMutualTls(
  host: string,
  port: number,
  { ca, crt, key }: TalosCredentials,
): OpenChannel {
  const channelCredentials = credentials.createSsl(
    Buffer.from(ca),
    Buffer.from(opensslKeyPem(key)),
    Buffer.from(crt),
    { checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate) },
  )
  return open(host, port, channelCredentials)
}

/**
 * A gRPC client that shows no certificate: a node in maintenance has nothing that could prove who it is.
 * With the fingerprint of a key that it showed before, it must show that one again; without, anybody is
 * believed.
 */
export function openMaintenance(host: string, port: number, fingerprint?: string): OpenChannel {
  const channelCredentials =
    fingerprint === undefined
      ? ChannelCredentials.createSsl(null, null, null, { rejectUnauthorized: false })
      : new PinnedCredentials(fingerprint)
  return open(host, port, channelCredentials)
}

function optionsFor(host: string): ChannelOptions {
  // TLS has no server names for addresses (RFC 6066), and Node warns of them.
  return isIP(host) === 0
    ? channelOptions
    : { ...channelOptions, 'grpc.ssl_target_name_override': 'node.talos.internal' }
}

function target(host: string, port: number): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`
}
