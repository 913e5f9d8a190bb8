import type { Account, AccountSummary } from "@kinora/domain/wire/Account"
import type { ActorImage } from "@kinora/domain/wire/ActorImage"
import type { VideoChannel } from "@kinora/domain/wire/VideoChannel"

/** A picture as its row has it: type 1 is an avatar, 2 a banner. Times are ISO 8601. */
export interface ActorImageRow {
  readonly type: number
  readonly filename: string
  readonly width: number
  readonly height: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** An actor with the account or channel it stands for, as `actorRows` reads them. `host` is null for local ones. */
export interface ActorRow {
  readonly actorId: number
  readonly origin: string
  readonly url: string
  readonly name: string
  readonly host: string | null
  readonly hostRedundancyAllowed: boolean
  readonly followingCount: number
  readonly followersCount: number
  readonly createdAt: string
  readonly updatedAt: string
  /** Pictures, the widest first. */
  readonly images: ReadonlyArray<ActorImageRow>
  readonly accountId: number | null
  readonly userId: number | null
  readonly channelId: number | null
  readonly support: string | null
  readonly publicEmail: string | null
  /** Actor of the account that owns the channel. */
  readonly ownerActorId: number | null
  readonly displayName: string
  readonly description: string | null
}

/** Name and port of an origin, as handles have it. */
const hostOf = (origin: string): string => origin.replace(/^[a-z]+:\/\//, "")

const folders: Readonly<Record<number, string>> = { 1: "/lazy-static/avatars/", 2: "/lazy-static/banners/" }

/** The pictures of a type, the widest first. */
export const actorImages = (row: ActorRow, type: 1 | 2): ReadonlyArray<ActorImage> =>
  row.images
    .filter((image) => image.type === type)
    .map(({ createdAt, filename, height, updatedAt, width }) => {
      const path = `${folders[type]}${filename}`
      return { path, fileUrl: `${row.origin}${path}`, width, height, createdAt, updatedAt }
    })

/** An actor inside something else (contract: AccountSummary, VideoChannelSummary). */
export const actorSummary = (row: ActorRow): typeof AccountSummary.Encoded => ({
  id: row.accountId ?? row.channelId ?? row.actorId,
  displayName: row.displayName,
  name: row.name,
  url: row.url,
  host: row.host ?? hostOf(row.origin),
  avatars: actorImages(row, 1)
})

/** What accounts, channels and other actors show in full (contract: Actor). */
export const actorInFull = (row: ActorRow) =>
  ({
    url: row.url,
    name: row.name,
    host: row.host ?? hostOf(row.origin),
    avatars: actorImages(row, 1),
    hostRedundancyAllowed: row.hostRedundancyAllowed,
    followingCount: row.followingCount,
    followersCount: row.followersCount,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    displayName: row.displayName,
    description: row.description
  }) satisfies Omit<typeof Account.Encoded, "id">

/** An account (contract: Account). */
export const accountInFull = (row: ActorRow, accountId: number): typeof Account.Encoded => ({
  id: accountId,
  ...actorInFull(row),
  userId: row.userId
})

/** A channel with the account that owns it (contract: VideoChannel). */
export const channelInFull = (row: ActorRow, channelId: number, ownerAccount: typeof Account.Encoded) =>
  ({
    id: channelId,
    ...actorInFull(row),
    banners: actorImages(row, 2),
    support: row.support,
    publicEmail: row.publicEmail,
    isLocal: row.host === null,
    ownerAccount
  }) satisfies typeof VideoChannel.Encoded
