import { Schema } from "effect"
import { notificationTypes } from "../enums/NotificationType.ts"
import { field } from "../fields/Field.ts"
import { pageReaders } from "./Pagination.ts"
import { jsonOrForm } from "./Payload.ts"
import { query } from "./Query.ts"
import { boolean, idOf, integer, listOf } from "../fields/Readers.ts"

const rowId = integer({ min: 1, max: 2 ** 31 - 1, message: "Must be the id of a notification" })

/** A page of the user's notifications. */
export const notificationListQuery = query({
  ...pageReaders(["createdAt", "read"]),
  unread: boolean(),
  typeOneOf: listOf(idOf(notificationTypes, "Must be a type of notification"), "Must be types of notifications")
})

const ids = listOf(rowId, "Must be a list of 1 to 500 ids of notifications")

const someIds: typeof ids = {
  ...ids,
  parse: (input) => {
    const read = ids.parse(input)
    return read?.length === 0 ? undefined : read
  }
}

/** Which notifications were read; those of others are passed by. */
export const readNotifications = jsonOrForm(Schema.Struct({ ids: field(someIds) }))
