import { join } from "node:path"
import { CopyFile } from "./CopyFile.ts"
import type { Random } from "./Random.ts"
import type { Size } from "./Size.ts"
import { wordLanguages, type Words } from "./Words.ts"

export interface Channel {
  readonly id: number
  readonly accountId: number
  /** Undefined for those of this instance. */
  readonly serverId: number | undefined
}

/** Who publishes: identifiers of rows count from 1, remote ones first. */
export interface People {
  readonly remote: ReadonlyArray<Channel>
  readonly local: ReadonlyArray<Channel>
  readonly files: ReadonlyArray<{ readonly table: string; readonly file: CopyFile }>
}

const moment = "2020-11-01T00:00:00Z"
const publicKey = `-----BEGIN PUBLIC KEY-----\n${"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAx".repeat(9)}\n-----END PUBLIC KEY-----\n`
const privateKey = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDI".repeat(32)}\n-----END PRIVATE KEY-----\n`

/** The host of a server by its row id. */
export const hostOf = (serverId: number): string => `tube${serverId}.videos-${serverId % 37}.example`

/** Writes servers, users, accounts, channels and their actors into `folder`; some servers and channels are much larger than others. */
export const writePeople = (folder: string, size: Size, origin: string, random: Random, words: Words): People => {
  const open = (table: string, columns: string) => ({
    table,
    file: new CopyFile(join(folder, `${table}.tsv`), columns.split(", "))
  })
  const servers = open("server", "id, host, created_at, updated_at")
  const actors = open(
    "actor",
    "id, type, preferred_username, server_id, url, inbox_url, outbox_url, shared_inbox_url, followers_url, following_url, " +
      "public_key, private_key, followers_count, following_count, remote_created_at, created_at, updated_at"
  )
  const users = open("app_user", "id, username, email, email_verified, password_hash, role, created_at, updated_at")
  const accounts = open("account", "id, actor_id, user_id, display_name, description, created_at, updated_at")
  const channels = open("video_channel", "id, actor_id, account_id, display_name, description, created_at, updated_at")
  for (let id = 1; id <= size.servers; id++) servers.file.row(id, hostOf(id), moment, moment)

  let actorId = 0
  const actor = (type: "Person" | "Group", name: string, serverId: number | undefined): number => {
    const base = serverId === undefined ? origin : `https://${hostOf(serverId)}`
    const url = `${base}/${type === "Person" ? "accounts" : "video-channels"}/${name}`
    actorId++
    actors.file.row(
      ...[actorId, type, name, serverId ?? null, url, `${url}/inbox`, `${url}/outbox`, `${base}/inbox`],
      ...[`${url}/followers`, `${url}/following`, publicKey, serverId === undefined ? privateKey : null],
      ...[random.skewed(3_000, 6), random.skewed(100, 3), serverId === undefined ? null : moment, moment, moment]
    )
    return actorId
  }
  const called = () => words.phrase(random.pick(wordLanguages), 1 + random.below(2))

  let accountId = 0
  const account = (serverId: number | undefined, userId: number | null): number => {
    accountId++
    const name = `${serverId === undefined ? "user" : "person"}_${accountId}`
    accounts.file.row(accountId, actor("Person", name, serverId), userId, called(), null, moment, moment)
    return accountId
  }
  const remoteAccounts: Array<{ readonly id: number; readonly serverId: number }> = []
  for (let n = 0; n < size.remoteAccounts; n++) {
    const serverId = 1 + random.skewed(size.servers, 3)
    remoteAccounts.push({ id: account(serverId, null), serverId })
  }
  const localAccounts: Array<number> = []
  for (let id = 1; id <= size.localAccounts; id++) {
    users.file.row(id, `user_${accountId + 1}`, `user${id}@example.test`, true, "none", 2, moment, moment)
    localAccounts.push(account(undefined, id))
  }

  let channelId = 0
  const channel = (owner: number, serverId: number | undefined): Channel => {
    channelId++
    const actorOf = actor("Group", `channel_${channelId}`, serverId)
    channels.file.row(channelId, actorOf, owner, called(), random.chance(0.5) ? called() : null, moment, moment)
    return { id: channelId, accountId: owner, serverId }
  }
  const remote = Array.from({ length: size.remoteChannels }, (_, n) => {
    const owner = n < remoteAccounts.length ? remoteAccounts[n]! : random.pick(remoteAccounts)
    return channel(owner.id, owner.serverId)
  })
  const local = Array.from({ length: size.localChannels }, (_, n) =>
    channel(n < localAccounts.length ? localAccounts[n]! : random.pick(localAccounts), undefined)
  )
  const files = [servers, actors, users, accounts, channels]
  for (const { file } of files) file.close()
  return { remote, local, files }
}
