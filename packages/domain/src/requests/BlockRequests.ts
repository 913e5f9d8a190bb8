import { Schema } from "effect"
import { constraints } from "../enums/Constraints.ts"
import { VideoBlockType } from "../enums/VideoBlockType.ts"
import { field, optional, type Reader } from "../fields/Field.ts"
import { boolean, idOf, instant, listOf, nullable, text } from "../fields/Readers.ts"
import { toText } from "../fields/Values.ts"
import { AccountHandle, type ActorHandle, parseActorHandle } from "../ids/ActorHandle.ts"
import { parseHost } from "../ids/HostName.ts"
import { ServerHost } from "./FollowRequests.ts"
import { pageReaders } from "./Pagination.ts"
import { jsonOrForm } from "./Payload.ts"
import { query } from "./Query.ts"
import { userFields } from "./UserFields.ts"

/** Query of lists of blocks (contract: SortableColumns.accountsBlocklist, serversBlocklist). */
export const blocklistQuery = query({ ...pageReaders(["createdAt"]), search: userFields.search })

/** The same for the instance's, which may have come by a subscription. */
export const serverBlocklistQuery = query({
  ...pageReaders(["createdAt"]),
  search: userFields.search,
  subscriptionName: userFields.search
})

/** Query of the log of blocks: what was done since then. */
export const publicLogQuery = Schema.Struct({ startDate: field(instant("Must be a time in ISO 8601")) })

export const blockAccountBody = jsonOrForm(Schema.Struct({ accountName: AccountHandle }))
export const blockServerBody = jsonOrForm(Schema.Struct({ host: ServerHost }))

/** Something a client asks about, with the text it did so by: answers repeat it. */
export interface Asked<A> {
  readonly text: string
  readonly value: A
}

const asked = <A>(message: string, parse: (text: string) => A | undefined): Reader<Asked<A>> => ({
  message,
  documented: { type: "string", maxLength: constraints.actor.handle.max },
  parse: (input) => {
    const text = toText(input)
    const value = text === undefined ? undefined : parse(text)
    return text === undefined || value === undefined ? undefined : { text, value }
  }
})

const account = asked<ActorHandle>("Must be the name of an account, or name@host", parseActorHandle)
const host = asked("Must be the name of a host", parseHost)

/** Query of `GET /blocklist/status`. */
export const blockStatusQuery = query({
  accounts: listOf(account, account.message),
  hosts: listOf(host, host.message)
})

const { internalNote, reason } = constraints.videoBlock

const noteOf = (what: string, bounds: { readonly min: number; readonly max: number }): Reader<string | null> =>
  nullable(text({ ...bounds, message: `Must be ${what} of ${bounds.min} to ${bounds.max} characters` }))

const notes = {
  reason: optional(noteOf("a reason", reason)),
  internalNote: optional(noteOf("a note", internalNote))
}

/** Body of `POST /videos/:id/blacklist`; `unfederate` takes the video from other instances. */
export const NewVideoBlock = Schema.Struct({ ...notes, unfederate: optional(boolean()) })
export type NewVideoBlock = typeof NewVideoBlock.Type

/** Body of `PUT /videos/:id/blacklist`. What is missing stays. */
export const VideoBlockUpdate = Schema.Struct(notes)
export type VideoBlockUpdate = typeof VideoBlockUpdate.Type

/** Columns of `GET /videos/blacklist` (contract: SortableColumns.blacklist). */
const videoBlockColumns = ["id", "name", "duration", "views", "likes", "dislikes", "uuid", "createdAt"] as const
export type VideoBlockColumn = (typeof videoBlockColumns)[number]

export const videoBlockListQuery = query({
  ...pageReaders(videoBlockColumns),
  type: idOf([VideoBlockType.manual, VideoBlockType.automatic, VideoBlockType.tagPolicy], "Must be 1, 2 or 3"),
  search: userFields.search
})
