import { Schema } from "effect"
import { constraints } from "../enums/Constraints.ts"
import { field, type Reader } from "../fields/Field.ts"
import { defaultPage, pageReaders, type Sort } from "./Pagination.ts"
import { query, type QueryOf } from "./Query.ts"
import { text } from "../fields/Readers.ts"
import { rowId } from "./UserFields.ts"
import { videoFields } from "./VideoFields.ts"

const bounds = constraints.video.password
const page = pageReaders(["createdAt"])

/** A page of the passwords of a video. */
export const passwordsQuery = query(page)

/** The page a query asks for: the oldest first when it does not say. */
export const toPasswordPage = (asked: QueryOf<typeof page>) => ({
  start: asked.start ?? defaultPage.start,
  count: asked.count ?? defaultPage.count,
  sort: asked.sort ?? ({ by: "createdAt", descending: false } satisfies Sort<"createdAt">)
})

const password = text({ ...bounds, message: `Must be a video password of ${bounds.min} to ${bounds.max} characters` })

const passwords: Reader<ReadonlyArray<string>> = {
  ...videoFields.videoPasswords,
  message: `Must be different passwords of ${bounds.min} to ${bounds.max} characters, one at least`,
  parse: (input) => {
    const given = videoFields.videoPasswords.parse(input)
    return given === undefined || given.length === 0 ? undefined : given
  }
}

/** One password more (contract: addVideoPassword). */
export const AddVideoPassword = Schema.Struct({ password: field(password) })

/** All passwords, in place of those there are (contract: updateVideoPasswordList). */
export const UpdateVideoPasswords = Schema.Struct({ passwords: field(passwords) })

/** Row id of a password. */
export const VideoPasswordId = field(rowId("a password of the video"))
